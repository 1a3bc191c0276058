// Replays a recording (asciicast v2) through the real screen and the agent's tracker, on the recording's own clock.

import type { Kind } from '../agents/kinds/kind.ts';
import { observe } from '../agents/observe.ts';
import { createTracker, judge, lookDue, type Tracker } from '../agents/tracker.ts';
import type { AgentStatus } from '../model/agent.ts';
import { UNKNOWN_OUTER } from '../model/outer.ts';
import { Screen } from '../terminal/screen.ts';

export interface CastEvent {
  /** Seconds from the recording's start. */
  at: number;
  code: string;
  text: string;
}

export interface Cast {
  cols: number;
  rows: number;
  events: CastEvent[];
}

/** A recording that cannot be read: the line at fault, 1-based, and why. */
export class CastError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Lines of a .cast file. A last line that was cut off is left out. */
export function readCast(text: string): Cast {
  const lines = text.split('\n');
  const head = parse(lines[0] ?? '', 1) as { version?: number; width?: number; height?: number };
  if (head?.version !== 2) throw new CastError(1, 'it is no asciicast of version 2');
  if (!(Number(head.width) > 0 && Number(head.height) > 0)) throw new CastError(1, 'it names no size');
  const events: CastEvent[] = [];
  for (let i = 1; i < lines.length; i++) {
    if (lines[i] === '') continue;
    const event = i === lines.length - 1 ? attempt(lines[i]!) : parse(lines[i]!, i + 1);
    if (event === undefined) continue;
    if (!Array.isArray(event) || typeof event[0] !== 'number' || typeof event[1] !== 'string') throw new CastError(i + 1, 'it is no event');
    events.push({ at: event[0], code: event[1], text: String(event[2] ?? '') });
  }
  return { cols: Number(head.width), rows: Number(head.height), events };
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new CastError(number, 'it is no JSON');
  }
}

function attempt(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** ms of quiet after which a changed screen is looked at, however soon the last look was. */
const QUIET = 30;

/**
 * Calls `onChange` at each change of state, with the recording's time in seconds and the tracker (for its evidence). `i` events count as
 * a person's keys. An `x` event or exit is told as the agent's exit.
 */
export async function replayCast(
  cast: Cast,
  kind: Kind,
  onChange: (at: number, status: AgentStatus, tracker: Tracker) => void,
): Promise<void> {
  const tracker = createTracker(kind, 0);
  let now = 0;
  let state = '';
  const say = () => {
    for (let again = true; again; ) {
      const { status, next } = judge(tracker, now);
      if (status.state !== state) onChange(now / 1000, status, tracker);
      state = status.state;
      again = next !== null && next <= now;
      due = next;
    }
  };
  let due: number | null = null;
  const screen = new Screen({
    cols: cast.cols,
    rows: cast.rows,
    scrollback: 0,
    version: 'classify',
    outer: () => UNKNOWN_OUTER,
    onReply() {},
    onFact: (report) => {
      told = observe(tracker, { fact: 'terminal', report }, now) || told;
    },
  });
  let told = false;
  let looked = Number.NEGATIVE_INFINITY;
  let seen = -1;
  let changed: number | null = null;
  const look = (): boolean => {
    changed = null;
    if (screen.changes === seen) return false;
    seen = screen.changes;
    looked = now;
    observe(tracker, { fact: 'screen', screen: screen.text() }, now);
    say();
    return true;
  };
  /** Lets timers and due looks happen up to `end` (ms). */
  const pass = (end: number) => {
    for (;;) {
      const lookAt = changed === null || screen.synchronized ? null : Math.max(lookDue(tracker, looked, changed), changed + QUIET);
      const next = Math.min(lookAt ?? Number.POSITIVE_INFINITY, due ?? Number.POSITIVE_INFINITY);
      if (next >= end || next === Number.POSITIVE_INFINITY) break;
      now = Math.max(now, next);
      // A timer is a question about the present screen, too.
      if (lookAt !== next && screen.synchronized) say();
      else look() || say();
    }
    now = Math.max(now, end);
  };
  say();
  for (const event of cast.events) {
    pass(event.at * 1000);
    if (event.code === 'o') {
      told = false;
      if (event.text !== '') observe(tracker, { fact: 'output' }, now);
      await screen.write(Buffer.from(event.text, 'utf8'));
      changed = now;
      if (told && (screen.synchronized || !look())) say();
    } else if (event.code === 'i') {
      observe(tracker, { fact: 'input', by: 'person', submit: event.text.includes('\r') }, now);
      say();
    } else if (event.code === 'r') {
      const [cols, rows] = event.text.split('x').map(Number);
      screen.resize(cols ?? cast.cols, rows ?? cast.rows);
      observe(tracker, { fact: 'resize' }, now);
      changed = now;
    } else if (event.code === 'x') {
      observe(tracker, { fact: 'exit', code: Number(event.text), signal: null }, now);
      say();
    }
  }
  pass(now + END);
  screen.dispose();
}

/** ms that pass after the last event, so that what waits for quiet is said. */
const END = 5000;
