// How many more tasks the caps allow, and when a batch stops. What runs is counted with the median of what ended: a check of money spent
// alone overshoots by everything in flight. Pure.
import { median } from '../plan/advice.ts';
import type { StopRules } from '../task.ts';

export interface Standing {
  /** Of ended attempts, in order. */
  costs: readonly (number | null)[];
  tokens: readonly (number | null)[];
  running: number;
  /** Tasks that settled, and how many of them failed. */
  settled: number;
  failed: number;
  /** ms that the batch has run. */
  time: number;
}

/** Attempts without a known cost after which a cap on money cannot be kept. */
const UNKNOWN_MAX = 3;

/** How many may start now; Infinity without caps. Until a first cost is known, one at a time. */
export function allowance(stop: StopRules, s: Standing): number {
  return Math.min(room(stop.cost, s.costs, s.running), room(stop.tokens, s.tokens, s.running));
}

function room(cap: number | null, ended: readonly (number | null)[], running: number): number {
  if (cap === null) return Number.POSITIVE_INFINITY;
  const each = median(ended);
  if (each === null) return running === 0 ? 1 : 0;
  if (each === 0) return Number.POSITIVE_INFINITY;
  const spent = sum(ended);
  // A little slack for sums of fractions: 0.1 three times is a bit more than 0.3.
  return Math.max(0, Math.floor((cap - spent) / each + 1e-6) - running);
}

/** Why nothing more is started; null when it goes on. */
export function stopReason(stop: StopRules, s: Standing): string | null {
  if (stop.cost !== null && room(stop.cost, s.costs, 0) === 0) return `the cap of $${stop.cost} has no room for another task`;
  if (stop.tokens !== null && room(stop.tokens, s.tokens, 0) === 0) return `the cap of ${stop.tokens} tokens has no room for another task`;
  if (stop.time !== null && s.time >= stop.time) return `it has run for ${Math.round(stop.time / 60_000)} minutes, its limit`;
  if (stop.cost !== null && stop.tokens === null && stop.time === null && blind(s.costs)) {
    return 'the agents do not say what they cost, so the cap on money cannot be kept: set one on tokens or time';
  }
  if (s.settled >= stop.after && s.failed / s.settled > stop.failureShare) {
    return `${s.failed} of ${s.settled} tasks failed, more than ${Math.round(stop.failureShare * 100)} %`;
  }
  return null;
}

function blind(costs: readonly (number | null)[]): boolean {
  return costs.length >= UNKNOWN_MAX && costs.every((cost) => cost === null);
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
