// How an attempt ended, from its exit and its output. Pure.
import type { Outcome } from '../task.ts';
import type { Ending } from './attempt-files.ts';
import type { Told } from './headless.ts';
import { findLimit } from './limits.ts';
import { rateWait, UNKNOWN_RESET } from './pace.ts';

export interface Ended {
  /** Exit code of the agent; null when nobody knows it any more. */
  code: number | null;
  signal: string | null;
  /** Why herd ended it, if it did. */
  ended: Ending | null;
  told: Told;
  /** End of the output. */
  tail: string;
  rateHits: number;
}

/** Characters of last words kept in the ledger. */
const WORDS = 400;
/** Exit codes above this are a signal's number more (sh). */
const SIGNAL_BASE = 128;

/** `provider` for the sentence; `chance` 0-1. */
export function classify(e: Ended, provider: string, now: number, chance: number): Outcome {
  const { told } = e;
  const base = { cost: told.cost, tokens: told.tokens, result: lastWords(e) };
  if (e.ended === 'timeout') return { ...base, kind: 'timeout', why: 'took longer than its timeout and was ended' };
  if (e.ended === 'budget') return { ...base, kind: 'fail', why: 'spent more than its budget and was ended' };
  if (e.ended === 'handed-back') return { ...base, kind: 'lost', why: 'its host was drained or its session ended', unstarted: true };
  if (e.ended === 'closed') return { ...base, kind: 'cancelled', why: 'its workspace was closed' };
  if (e.ended === 'cancelled') return { ...base, kind: 'cancelled', why: 'cancelled' };
  const failed = e.code !== 0 || told.failed || told.error !== null;
  if (!failed) return { ...base, kind: 'ok', why: null };
  // An agent that says why it failed is believed: its output may speak of limits that it got over, or that it read about.
  const limit = findLimit(told.error ?? (told.failed ? told.result : null) ?? e.tail, now);
  if (limit?.kind === 'usage') {
    const until = limit.until ?? now + UNKNOWN_RESET;
    return { ...base, kind: 'limit', why: `the usage limit of ${provider} is reached`, runAfter: until };
  }
  if (limit) {
    const wait = rateWait(e.rateHits, limit.after, chance);
    return { ...base, kind: 'rate', why: `rate limit, next try in ${(wait / 1000).toFixed(1)} s`, runAfter: now + wait };
  }
  const signal =
    e.signal ?? (e.code !== null && e.code > SIGNAL_BASE && e.code < SIGNAL_BASE + 65 ? `signal ${e.code - SIGNAL_BASE}` : null);
  if (signal) return { ...base, kind: 'crash', why: `ended by ${signal}` };
  if (e.code === 127 || e.code === 126) {
    return { ...base, kind: 'fail', why: `its command could not be run: ${firstLine(e.tail.trim() || 'not found')}` };
  }
  if (e.code === null) return { ...base, kind: 'lost', why: 'its agent vanished without an exit status' };
  return {
    ...base,
    kind: 'fail',
    why: told.error ? firstLine(told.error) : e.code === 0 ? 'the agent reported a failure' : `exit code ${e.code}`,
  };
}

function lastWords({ told, tail }: Ended): string | null {
  const words = told.result ?? told.error ?? tail.trim().split('\n').slice(-3).join('\n');
  return words === '' ? null : words.slice(-WORDS);
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.slice(0, 200);
}
