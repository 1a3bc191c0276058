// The task file's schema: what may stand in it, with defaults. Gives either a checked file or every fault with its line.
import { type Document, type Fault, type Format, type Path, readDocument } from './document.ts';
import { type Context, command, duration, type Field, filled, list, map, number, oneOf, share, table, text, whole } from './shape.ts';

/** Where a matrix takes its values from. */
export type Source = { values: string[] } | { glob: string } | { command: string[] };

export interface TaskEntry {
  id: string;
  prompt: string;
  agent: string;
  command: string[];
  mode: 'headless' | 'live';
  env: Record<string, string>;
  allow: string[];
  checks: string[][];
  check_timeout: number;
  expect: string;
  timeout: number;
  budget: Partial<{ cost: number; tokens: number }>;
  priority: number;
  needs: string[];
  copies: number;
  provider: string;
  matrix: Record<string, Source>;
  vars: Record<string, string>;
}

export interface TaskFile {
  name: string;
  base: string;
  vars: Record<string, string>;
  defaults: Partial<TaskEntry>;
  tasks: { entry: Partial<TaskEntry>; line: number }[];
  run: Partial<{
    slots: number;
    canary: number;
    grace: number;
    rate_retries: number;
    lost_retries: number;
    decisions: number;
    keep: 'all' | 'failed' | 'none';
  }>;
  stop: Partial<{ failures: number; after: number; cost: number; tokens: number; time: number }>;
  reduce: Partial<{ agent: string; command: string[]; prompt: string; chunk: number; timeout: number }> | null;
  followup: Partial<{ agent: string; command: string[]; prompt: string; timeout: number }> | null;
  landing: Partial<{ branch: string; checks: string[][]; check_timeout: number }>;
}

const scalar: Field<string> = (value, path, context) =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : text(value, path, context);

const source: Field<Source> = (value, path, context) => {
  if (Array.isArray(value)) {
    const values = list(scalar)(value, path, context);
    return values && { values };
  }
  const one = table<{ glob: string; command: string[] }>({ glob: filled, command })(value, path, context);
  if (one?.glob !== undefined && one.command === undefined) return { glob: one.glob };
  if (one?.command !== undefined && one.glob === undefined) return { command: one.command };
  context.fault(path, 'must be a list, { glob = "…" } or { command = […] }');
  return undefined;
};

const taskFields: { [K in keyof TaskEntry]: Field<TaskEntry[K]> } = {
  id: filled,
  prompt: filled,
  agent: filled,
  command,
  mode: oneOf('headless', 'live'),
  env: map(scalar),
  allow: list(filled),
  checks: list(command),
  check_timeout: duration,
  expect: filled,
  timeout: duration,
  budget: table<{ cost: number; tokens: number }>({ cost: number(0, 1e6), tokens: whole(0, 1e12) }),
  priority: whole(-1000, 1000),
  needs: list(filled),
  copies: whole(1, 100),
  provider: filled,
  matrix: map(source),
  vars: map(scalar),
};

const { id: _id, matrix: _matrix, copies: _copies, needs: _needs, ...defaultFields } = taskFields;

const fields = {
  name: filled,
  base: filled,
  vars: map(scalar),
  defaults: table(defaultFields as unknown as { [K in keyof TaskEntry]: Field<TaskEntry[K]> }),
  run: table<Required<TaskFile['run']>>({
    slots: whole(1, 200),
    canary: whole(0, 50),
    grace: duration,
    rate_retries: whole(0, 20),
    lost_retries: whole(0, 10),
    decisions: whole(1, 10_000),
    keep: oneOf('all', 'failed', 'none'),
  }),
  stop: table<Required<TaskFile['stop']>>({
    failures: share,
    after: whole(1, 100_000),
    cost: number(0, 1e6),
    tokens: whole(0, 1e12),
    time: duration,
  }),
  reduce: table<{ agent: string; command: string[]; prompt: string; chunk: number; timeout: number }>({
    agent: filled,
    command,
    prompt: filled,
    chunk: whole(1, 1000),
    timeout: duration,
  }),
  followup: table<{ agent: string; command: string[]; prompt: string; timeout: number }>({
    agent: filled,
    command,
    prompt: filled,
    timeout: duration,
  }),
  landing: table<{ branch: string; checks: string[][]; check_timeout: number }>({
    branch: filled,
    checks: list(command),
    check_timeout: duration,
  }),
};

/** Checks `text`. Faults come in the order of their lines. */
export function readTaskFile(content: string, format: Format): TaskFile | Fault[] {
  const document = readDocument(content, format);
  if (Array.isArray(document)) return document;
  const faults: Fault[] = [];
  const context: Context = {
    fault: (path, message) => faults.push({ line: document.lineOf(path), message: `${placeName(path)} ${message}` }),
  };
  const { task, tasks, ...rest } = document.value;
  const settings = table(fields as unknown as Record<string, Field<unknown>>)(rest, [], context) as Partial<TaskFile> | undefined;
  const read = readTasks(document, task, tasks, context);
  if (faults.length > 0) return faults.sort((a, b) => a.line - b.line);
  return {
    ...{ name: settings?.name ?? '', base: settings?.base ?? '', vars: settings?.vars ?? {}, defaults: settings?.defaults ?? {} },
    ...{ run: settings?.run ?? {}, stop: settings?.stop ?? {}, landing: settings?.landing ?? {} },
    ...{ reduce: settings?.reduce ?? null, followup: settings?.followup ?? null, tasks: read },
  };
}

function readTasks(document: Document, task: unknown, tasks: unknown, context: Context): TaskFile['tasks'] {
  if (task !== undefined && tasks !== undefined) context.fault(['tasks'], 'stands beside "task": use one of them');
  const key = task !== undefined ? 'task' : 'tasks';
  const entries = task ?? tasks;
  if (!Array.isArray(entries) || entries.length === 0) {
    context.fault([key], 'must be a list of at least one task');
    return [];
  }
  return entries.map((value, i) => {
    const path: Path = [key, i];
    const entry = table<TaskEntry>(taskFields)(value, path, context) ?? {};
    if (entry.id === undefined && (value as { id?: unknown } | null)?.id === undefined) context.fault(path, 'has no id');
    return { entry, line: document.lineOf([...path, 'id']) };
  });
}

/** "task 3: checks[0]": as a person counts. */
function placeName(path: Path): string {
  const [first, second, ...rest] = path;
  if ((first === 'task' || first === 'tasks') && typeof second === 'number') {
    const inner = rest.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
    return inner ? `task ${second + 1}: ${inner}` : `task ${second + 1}`;
  }
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('') || 'the file';
}
