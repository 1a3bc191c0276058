// What a person should know before a batch starts: tasks that may touch the same files, tasks that stand in a line, which tasks to try
// first, what the rest will probably cost. Pure. Numbers and their sources: docs/batch.md.
import type { Plan, TaskSpec } from '../task.ts';
import { longestLine } from './order.ts';
import { overlaps } from './paths.ts';

/** Overlaps named one by one; more are counted. */
const OVERLAPS_SHOWN = 20;
/** Workers beyond which coupled work gained nothing in published measurements. */
const COUPLED_WORKERS = 50;

export interface Overlap {
  a: string;
  b: string;
  /** The patterns that meet. */
  patterns: [string, string];
}

/** Pairs of tasks, neither waiting for the other nor copies of one, whose allowed paths may meet. */
export function findOverlaps(tasks: readonly TaskSpec[]): Overlap[] {
  const found: Overlap[] = [];
  const scoped = tasks.filter((task) => task.allow.length > 0);
  for (const [i, a] of scoped.entries()) {
    for (const b of scoped.slice(i + 1)) {
      if (a.group !== null && a.group === b.group) continue;
      if (a.needs.includes(b.id) || b.needs.includes(a.id)) continue;
      const patterns = meeting(a.allow, b.allow);
      if (patterns) found.push({ a: a.id, b: b.id, patterns });
    }
  }
  return found;
}

function meeting(a: readonly string[], b: readonly string[]): [string, string] | null {
  for (const left of a) for (const right of b) if (overlaps(left, right)) return [left, right];
  return null;
}

/** Warnings, one sentence each. */
export function advise(plan: Plan): string[] {
  const { tasks, run } = plan;
  const said: string[] = [];
  const found = findOverlaps(tasks);
  for (const { a, b, patterns } of found.slice(0, OVERLAPS_SHOWN)) {
    const where = patterns[0] === patterns[1] ? patterns[0] : `${patterns[0]} and ${patterns[1]}`;
    said.push(`${a} and ${b} may touch the same files (${where}): let one need the other, or expect to land them one by one.`);
  }
  if (found.length > OVERLAPS_SHOWN) said.push(`${found.length - OVERLAPS_SHOWN} more pairs of tasks may touch the same files.`);
  const open = tasks.filter((task) => task.allow.length === 0 && task.stage === 'work').length;
  if (open > 0 && tasks.length > 1)
    said.push(`${open} of ${tasks.length} tasks name no allowed paths: overlaps among them cannot be seen.`);
  const line = longestLine(tasks);
  if (line > 2 && line > tasks.length / 2) {
    said.push(`${line} of ${tasks.length} tasks stand in a line, each waiting for the one before: one agent does such work better.`);
  }
  if (tasks.length === 1) said.push('One task: an ordinary workspace (herd new) shows it better than a batch.');
  if (run.slots > COUPLED_WORKERS && found.length > 0) {
    said.push(`${run.slots} agents at a time on work that touches: beyond ${COUPLED_WORKERS} nothing was gained where it was measured.`);
  }
  return said;
}

/** Tasks to try first: ones that wait for nothing, spread over the file, one of each kind of agent before a second. */
export function chooseCanaries(tasks: readonly TaskSpec[], count: number): string[] {
  const free = tasks.filter((task) => task.needs.length === 0 && (task.group === null || task.id === `${task.group}.1`));
  if (count === 0 || tasks.length <= count) return [];
  const step = Math.max(1, Math.floor(free.length / count));
  const spread = [...free.filter((_, i) => i % step === 0), ...free];
  const chosen = new Map<string, TaskSpec>();
  const agents = new Set<string>();
  for (const fresh of [true, false]) {
    for (const task of spread) {
      if (chosen.size >= count) break;
      if (fresh && agents.has(task.agent)) continue;
      agents.add(task.agent);
      chosen.set(task.id, task);
    }
  }
  return [...chosen.keys()];
}

/** What a canary's attempts took. */
export interface Trial {
  ok: boolean;
  /** US dollars, tokens; null: not known. */
  cost: number | null;
  tokens: number | null;
  /** ms */
  time: number;
}

export interface Estimate {
  tasks: number;
  passRate: number | null;
  cost: number | null;
  tokens: number | null;
  /** ms with the given slots. */
  time: number | null;
  /** Median of one task: what a single agent would need for each. */
  each: { cost: number | null; tokens: number | null; time: number | null };
}

/** For `rest` tasks yet to run, `slots` at a time. */
export function estimate(trials: readonly Trial[], rest: number, slots: number): Estimate {
  const cost = median(trials.map((trial) => trial.cost));
  const tokens = median(trials.map((trial) => trial.tokens));
  const time = median(trials.map((trial) => trial.time));
  return {
    tasks: rest,
    passRate: trials.length === 0 ? null : trials.filter((trial) => trial.ok).length / trials.length,
    cost: cost === null ? null : cost * rest,
    tokens: tokens === null ? null : Math.round(tokens * rest),
    time: time === null ? null : Math.round(time * Math.ceil(rest / slots)),
    each: { cost, tokens, time },
  };
}

/** Of the known values; null when none is known. */
export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return null;
  const middle = known.length >> 1;
  return known.length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2;
}
