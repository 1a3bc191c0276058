// Whether a screen moves by itself. Changes soon after a key or a resize are their echo and do not count as life.

/** ms after a key or resize in which changes are its echo (measured: agents redraw within 0.3 s, 0.5 s on a loaded machine). */
export const SETTLE = 500;
/**
 * Steady motion is this many moves, each at least SLOT ms after the one before, within WINDOW ms: a blink or a tip is not work, and a
 * spinner that is looked at ten times a second counts no more than one that is looked at five times.
 */
const MOVES = 4;
const SLOT = 180;
const WINDOW = 1600;

/** ms between two writes of a program that works and writes all the while (Codex: 0.5 s at most, on a loaded machine). */
export const PULSE_GAP = 800;

export interface Motion {
  /** Times of own moves that count, oldest first; at most MOVES. */
  moves: number[];
  /** Last own move; -Infinity before the first. */
  last: number;
  /** Last change of any cause outside the composer. */
  changed: number;
  /** Last output, whether or not anything is to be seen of it, and since when it has come without a pause. */
  output: number;
  steady: number;
  /** Changes before this are echo. */
  calm: number;
  /** Rows of the last look; null: not known, as after a restart. */
  rows: readonly string[] | null;
}

/** Of a program that was started at `start`, ms as all times here. */
export function createMotion(start: number): Motion {
  return { moves: [], last: Number.NEGATIVE_INFINITY, changed: start, output: start, steady: start, calm: start, rows: [] };
}

/** Takes in the rows of a look; true when they differ from the last. */
export function noteRows(motion: Motion, rows: readonly string[], at: number): boolean {
  const before = motion.rows;
  motion.rows = rows;
  if (before === null) return false;
  if (before.length === rows.length && rows.every((row, i) => row === before[i])) return false;
  motion.changed = at;
  if (at >= motion.calm) {
    motion.last = at;
    if (at - (motion.moves.at(-1) ?? Number.NEGATIVE_INFINITY) >= SLOT) motion.moves.push(at);
    if (motion.moves.length > MOVES) motion.moves.shift();
  }
  return true;
}

/** It has printed, whatever is to be seen of it. */
export function noteOutput(motion: Motion, at: number): void {
  if (at - motion.output > PULSE_GAP) motion.steady = at;
  motion.output = at;
}

/** A key or a resize: what changes within SETTLE is its doing. */
export function noteEcho(motion: Motion, at: number): void {
  motion.calm = Math.max(motion.calm, at + SETTLE);
}

/** It moves by itself, steadily. */
export function isMoving(motion: Motion, now: number): boolean {
  return motion.moves.length === MOVES && now - motion.moves[0]! <= WINDOW;
}

/** What moved until now no longer counts: a state was entered because of it. */
export function forgetMoves(motion: Motion): void {
  motion.moves = [];
}
