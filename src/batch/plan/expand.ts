// From a checked task file to tasks: variables, matrices, copies, dependencies. Pure: what a glob or a command gives is handed in.
import type { Plan, TaskSpec } from '../task.ts';
import type { Fault } from './document.ts';
import { findCycle } from './order.ts';
import type { Source, TaskEntry, TaskFile } from './task-file.ts';

/** What holds where the file is silent. Twenty at a time and a quarter of an hour are what measured batches needed. */
const SLOTS = 20;
const CANARY = 3;
const GRACE = 10_000;
const TIMEOUT = 15 * 60_000;
const CHECK_TIMEOUT = 5 * 60_000;
const RATE_RETRIES = 5;
const LOST_RETRIES = 2;
const DECISIONS = 50;
const FAILURE_SHARE = 0.1;
const FAILURES_AFTER = 20;
const CHUNK = 20;
/** Most tasks of a batch: a matrix multiplies quickly. */
export const TASKS_MAX = 10_000;

/** Values of a matrix source, by `sourceKey`. */
export type Lists = ReadonlyMap<string, readonly string[]>;

/** Names a source of values, so that one that several tasks have is asked once. */
export function sourceKey(source: Source): string {
  return JSON.stringify(source);
}

/** Sources whose values must be found out first. */
export function sourcesOf(file: TaskFile): Source[] {
  return file.tasks.flatMap(({ entry }) => Object.values(entry.matrix ?? {})).filter((source) => !('values' in source));
}

/** All tasks, or every fault. */
export function expand(file: TaskFile, lists: Lists): Plan | Fault[] {
  const faults: Fault[] = [];
  const tasks = file.tasks.flatMap(({ entry, line }) => expandTask(file, entry, line, lists, faults));
  if (tasks.length > TASKS_MAX) faults.push({ line: 1, message: `gives ${tasks.length} tasks; at most ${TASKS_MAX} are taken` });
  checkIds(tasks, faults);
  resolveNeeds(tasks, faults);
  if (faults.length > 0) return faults;
  const name = file.name || 'batch';
  return {
    name,
    base: file.base || null,
    tasks,
    run: {
      slots: file.run.slots ?? SLOTS,
      canary: file.run.canary ?? CANARY,
      grace: file.run.grace ?? GRACE,
      rateRetries: file.run.rate_retries ?? RATE_RETRIES,
      lostRetries: file.run.lost_retries ?? LOST_RETRIES,
      decisions: file.run.decisions ?? DECISIONS,
      keep: file.run.keep ?? 'failed',
    },
    stop: {
      failureShare: file.stop.failures ?? FAILURE_SHARE,
      after: file.stop.after ?? FAILURES_AFTER,
      cost: file.stop.cost ?? null,
      tokens: file.stop.tokens ?? null,
      time: file.stop.time ?? null,
    },
    reduce: file.reduce && {
      agent: agentOf(file.reduce, file.defaults.agent),
      command: file.reduce.command ?? null,
      prompt: file.reduce.prompt ?? REDUCE_PROMPT,
      chunk: file.reduce.chunk ?? CHUNK,
      timeout: file.reduce.timeout ?? TIMEOUT,
    },
    followup: file.followup && {
      agent: agentOf(file.followup, file.defaults.agent),
      command: file.followup.command ?? null,
      prompt: file.followup.prompt ?? FOLLOWUP_PROMPT,
      timeout: file.followup.timeout ?? TIMEOUT,
    },
    landing: {
      branch: file.landing.branch ?? `herd/${slug(name)}`,
      checks: file.landing.checks ?? [],
      checkTimeout: file.landing.check_timeout ?? CHECK_TIMEOUT,
    },
  };
}

const REDUCE_PROMPT =
  'Below are the outputs of several tasks. For every finding print one line of JSON and nothing else: {"task": id, "file": path or null, ' +
  '"kind": one word, "severity": "info" | "warning" | "error", "line": line number or null, "text": one sentence, "needs_decision": true ' +
  'when a person has to choose}.';

const FOLLOWUP_PROMPT =
  'A task of a batch left something to decide: {{text}} (task {{task}}, file {{file}}). Look into it and say in at most five sentences ' +
  'what the choices are and which one you would take. Change nothing.';

function agentOf(rules: { agent?: string; command?: string[] }, unless: string | undefined): string {
  return rules.command ? 'command' : (rules.agent ?? unless ?? 'claude');
}

function expandTask(file: TaskFile, own: Partial<TaskEntry>, line: number, lists: Lists, faults: Fault[]): TaskSpec[] {
  const entry: Partial<TaskEntry> = { ...file.defaults, ...own, env: { ...file.defaults.env, ...own.env } };
  const vars = { ...file.vars, ...file.defaults.vars, ...own.vars };
  const rows = combinations(own.matrix ?? {}, lists);
  if (rows.length === 0) faults.push({ line, message: `${own.id ?? 'a task'}: its matrix is empty: nothing matched` });
  return rows.flatMap((row) => {
    const copies = entry.copies ?? 1;
    return Array.from({ length: copies }, (_, i) => makeTask(entry, { ...vars, ...row }, copies > 1 ? i + 1 : null, line, faults));
  });
}

function makeTask(entry: Partial<TaskEntry>, vars: Record<string, string>, copy: number | null, line: number, faults: Fault[]): TaskSpec {
  const fill = (text: string): string => fillTemplate(text, vars, (name) => faults.push({ line, message: `{{${name}}} has no value` }));
  const fillAll = (words: readonly string[]): string[] => words.map(fill);
  const base = taskId(fill(entry.id ?? ''));
  const id = copy === null ? base : `${base}.${copy}`;
  if (base === '') faults.push({ line, message: `the id "${entry.id}" has no letter or digit` });
  if (!entry.prompt && !entry.command) faults.push({ line, message: `${id} has neither prompt nor command` });
  if (entry.mode === 'live' && !entry.prompt) faults.push({ line, message: `${id} is live and has no prompt` });
  for (const pattern of entry.allow ?? []) {
    if (/^\/|(^|\/)\.\.(\/|$)/.test(pattern))
      faults.push({ line, message: `${id}: allow "${pattern}" must be a path inside the repository` });
  }
  return {
    id,
    stage: 'work',
    prompt: fill(entry.prompt ?? ''),
    agent: entry.command ? (entry.agent ?? 'command') : (entry.agent ?? 'claude'),
    command: entry.command ? fillAll(entry.command) : null,
    mode: entry.mode ?? 'headless',
    env: Object.fromEntries(Object.entries(entry.env ?? {}).map(([key, value]) => [key, fill(value)])),
    allow: fillAll(entry.allow ?? []),
    checks: (entry.checks ?? []).map(fillAll),
    checkTimeout: entry.check_timeout ?? CHECK_TIMEOUT,
    expect: entry.expect === undefined ? null : fill(entry.expect),
    timeout: entry.timeout ?? TIMEOUT,
    budget: { cost: entry.budget?.cost ?? null, tokens: entry.budget?.tokens ?? null },
    priority: entry.priority ?? 0,
    needs: fillAll(entry.needs ?? []).map(taskId),
    group: copy === null ? null : base,
    provider: entry.provider ?? (entry.command ? (entry.agent ?? 'command') : (entry.agent ?? 'claude')),
    line,
  };
}

/** Letters, digits, dash, dot, underscore: an id becomes part of file and branch names. */
export function taskId(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '')
    .replace(/\.lock$/, '-lock')
    .slice(0, 100);
}

function slug(name: string): string {
  return taskId(name.toLowerCase()) || 'batch';
}

/** `{{name}}`, and of a path `{{name.stem}}`, `{{name.base}}`, `{{name.dir}}`. */
export function fillTemplate(text: string, vars: Record<string, string>, missing: (name: string) => void): string {
  return text.replace(/\{\{\s*([\w-]+)(?:\.(stem|base|dir|slug))?\s*\}\}/g, (_, name: string, part?: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    if (value === undefined) {
      missing(name);
      return '';
    }
    return part ? partOf(value, part) : value;
  });
}

function partOf(path: string, part: string): string {
  const slash = path.lastIndexOf('/');
  const base = path.slice(slash + 1);
  if (part === 'dir') return slash < 0 ? '.' : path.slice(0, slash);
  if (part === 'slug') return taskId(path);
  return part === 'base' ? base : base.replace(/(.)\.[^.]*$/, '$1');
}

function combinations(matrix: Record<string, Source>, lists: Lists): Record<string, string>[] {
  let rows: Record<string, string>[] = [{}];
  for (const [name, source] of Object.entries(matrix)) {
    const values = 'values' in source ? source.values : (lists.get(sourceKey(source)) ?? []);
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
    if (rows.length > TASKS_MAX) return rows;
  }
  return rows;
}

function checkIds(tasks: TaskSpec[], faults: Fault[]): void {
  const seen = new Map<string, TaskSpec>();
  for (const task of tasks) {
    // Files and branches must not differ in case only.
    const other = seen.get(task.id.toLowerCase());
    if (other && task.id !== '') {
      faults.push({
        line: task.line,
        message: `the id ${task.id} is there twice (first in line ${other.line}); put a {{variable}} into it`,
      });
    }
    seen.set(task.id.toLowerCase(), task);
  }
}

/** `needs` may name a task, all copies of one, or by `prefix*` all that begin so. */
function resolveNeeds(tasks: TaskSpec[], faults: Fault[]): void {
  const ids = new Set(tasks.map((task) => task.id));
  for (const task of tasks) {
    task.needs = [
      ...new Set(
        task.needs.flatMap((need) => {
          if (ids.has(need)) return [need];
          const copies = tasks.filter((other) => other.group === need).map((other) => other.id);
          if (copies.length === 0) faults.push({ line: task.line, message: `${task.id} needs ${need}, which is no task` });
          return copies;
        }),
      ),
    ];
  }
  const cycle = findCycle(tasks);
  if (cycle) {
    const first = tasks.find((task) => task.id === cycle[0]);
    faults.push({ line: first?.line ?? 1, message: `tasks need each other in a circle: ${cycle.join(' needs ')}` });
  }
}
