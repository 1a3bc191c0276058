// Values of options and words, checked: numbers, states, scopes, places in files. Throws usage failures that name the word.
import type { AgentState } from '../model/agent.ts';
import type { Scope } from '../model/review/changeset.ts';
import { usage } from './failure.ts';

type Value = string | boolean | undefined;
const STATES: AgentState[] = ['working', 'blocked', 'done', 'idle', 'exited', 'unknown'];

/** A whole number ≥ 0; undefined when not given. */
export function whole(value: Value, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^\d{1,9}$/.test(value)) throw usage(`--${name} is a whole number, not "${value}".`);
  return Number(value);
}

/** Seconds, fractions allowed, as ms. */
export function seconds(value: Value, name: string): number | undefined {
  if (value === undefined) return undefined;
  const n = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  if (!Number.isFinite(n) || n < 0 || n > 10_000_000) throw usage(`--${name} is a number of seconds, not "${value}".`);
  return Math.round(n * 1000);
}

/** The number of a prompt, comment or terminal. */
export function idNumber(word: string | undefined, of: string): number {
  if (word === undefined || !/^\d{1,15}$/.test(word))
    throw usage(`Which ${of}? ${word === undefined ? 'Its number is missing' : `"${word}" is no number`}.`);
  return Number(word);
}

/** A list of states: "done,blocked". */
export function states(list: string): AgentState[] {
  const words = list.split(',').filter(Boolean);
  const wrong = words.find((word) => !(STATES as string[]).includes(word));
  if (wrong !== undefined || words.length === 0) throw usage(`"${wrong ?? ''}" is no state.`, `States: ${STATES.join(', ')}.`);
  return words as AgentState[];
}

/** A scope's name, "round:N", or anything else as a commit. */
export function scopeOf(word: string | undefined): Scope | undefined {
  if (word === undefined) return undefined;
  const named = ['base', 'uncommitted', 'staged', 'turn', 'look'].find((name) => name === word);
  const round = /^round:(\d{1,9})$/.exec(word)?.[1];
  if (round !== undefined) return { round: Number(round) };
  return (named as Scope | undefined) ?? { commit: word };
}

/** "FILE:LINE", "FILE:LINE-LINE", "FILE", or "." for the whole change. */
export function lineTarget(word: string): { path: string | null; range: { start: number; end: number } | null } {
  if (word === '.') return { path: null, range: null };
  const match = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(word);
  if (!match) return { path: word, range: null };
  const start = Number(match[2]);
  const end = match[3] === undefined ? start : Number(match[3]);
  if (start < 1 || end < start) throw usage(`"${word}" is no range of lines.`, 'Lines count from 1, the smaller first: src/a.ts:10-12');
  return { path: match[1]!, range: { start, end } };
}

/** user or agent. */
export function authorOf(value: Value, unless: 'user' | 'agent'): 'user' | 'agent' {
  if (value === undefined) return unless;
  if (value !== 'user' && value !== 'agent') throw usage('--author is user or agent.');
  return value;
}

const COMMENT_STATES = ['open', 'draft', 'queued', 'sent', 'addressed', 'resolved'];

/** The value of `--state` of comments; "open" is all but resolved. */
export function commentStateOf(given: string | undefined): string | undefined {
  if (given !== undefined && !COMMENT_STATES.includes(given))
    throw usage(`--state is ${COMMENT_STATES.slice(0, -1).join(', ')} or ${COMMENT_STATES.at(-1)}, not "${given}".`);
  return given;
}
