// Whether a screen moves by itself. Changes soon after a key or a resize are their echo and do not count as life.

/** ms after a key or resize in which changes are its echo (measured: agents redraw within 0.3 s, 0.5 s on a loaded machine). */
export const SETTLE = 500;
/** ms looked back for steady motion, moves needed in it, and ms they must span: a blink or a tip is not work. */
const WINDOW = 1600;
const MOVES = 4;
const SPAN = 600;

export interface Motion {
  /** Times of the last own moves, oldest first; at most MOVES. */
  moves: number[];
  /** Last change of any cause outside the composer. */
  changed: number;
  /** Changes before this are echo. */
  calm: number;
  rows: readonly string[];
}

export function createMotion(start: number): Motion {
  return { moves: [], changed: start, calm: start, rows: [] };
}

/** Takes in the rows of a look; true when they differ from the last. */
export function noteRows(motion: Motion, rows: readonly string[], at: number): boolean {
  const before = motion.rows;
  motion.rows = rows;
  if (before.length === rows.length && rows.every((row, i) => row === before[i])) return false;
  motion.changed = at;
  if (at >= motion.calm) {
    motion.moves.push(at);
    if (motion.moves.length > MOVES) motion.moves.shift();
  }
  return true;
}

export function noteEcho(motion: Motion, at: number): void {
  motion.calm = Math.max(motion.calm, at + SETTLE);
}

/** It moves by itself, steadily. */
export function isMoving(motion: Motion, now: number): boolean {
  const { moves } = motion;
  const first = moves[0];
  const last = moves.at(-1);
  return moves.length === MOVES && now - first! <= WINDOW && last! - first! >= SPAN;
}

/** Time of the last own move; -Infinity before the first. */
export function lastMove(motion: Motion): number {
  return motion.moves.at(-1) ?? Number.NEGATIVE_INFINITY;
}
