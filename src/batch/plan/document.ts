// A task file's text as plain values, and where in the text each stands: TOML, YAML, or JSON lines. Knows nothing of tasks.
import { parse as parseToml, TomlError } from 'smol-toml';
import { isNode, LineCounter, parseDocument } from 'yaml';

export type Format = 'toml' | 'yaml' | 'jsonl';

export type Path = (string | number)[];

export interface Fault {
  /** 1-based. */
  line: number;
  message: string;
}

export interface Document {
  value: Record<string, unknown>;
  /** Line of a value, or of the nearest thing around it. */
  lineOf(path: Path): number;
}

/** Most bytes of a task file. */
export const FILE_MAX = 16 * 1024 * 1024;

/** By the file's ending; null for one that is none of ours. */
export function formatOf(file: string): Format | null {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === 'toml') return 'toml';
  if (ending === 'yaml' || ending === 'yml') return 'yaml';
  return ending === 'jsonl' || ending === 'ndjson' ? 'jsonl' : null;
}

/** Reads `text`; the faults when it is not of its format. */
export function readDocument(text: string, format: Format): Document | Fault[] {
  if (format === 'toml') return readToml(text);
  return format === 'yaml' ? readYaml(text) : readJsonLines(text);
}

function readToml(text: string): Document | Fault[] {
  try {
    return { value: parseToml(text), lineOf: (path) => tomlLine(text, path) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return [{ line: error.line, message: `is not TOML: ${reason}` }];
  }
}

/** Walks headers and assignments; arrays of tables are counted. Inside a multi-line text nothing is taken for a header. */
function tomlLine(text: string, path: Path): number {
  const counts = new Map<string, number>();
  let table: Path = [];
  let best = { line: 1, depth: 0 };
  let quote: string | null = null;
  const consider = (here: Path, line: number): void => {
    const depth = here.findIndex((part, i) => String(part) !== String(path[i]));
    const match = depth < 0 ? here.length : 0;
    if (match > best.depth) best = { line, depth: match };
  };
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (quote === null) {
      const header = /^(\[\[?)\s*([^\]]+?)\s*\]/.exec(line);
      if (header) {
        const name = header[2]!.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''));
        table = header[1] === '[[' ? [...name, next(counts, name.join('.'))] : name;
        consider(table, i + 1);
      } else {
        const key = /^([A-Za-z0-9_"'.-]+)\s*=/.exec(line)?.[1];
        if (key) consider([...table, ...key.split('.').map((part) => part.replace(/^["']|["']$/g, ''))], i + 1);
      }
    }
    quote = openQuote(line, quote);
  }
  return best.line;
}

function next(counts: Map<string, number>, name: string): number {
  const index = counts.get(name) ?? 0;
  counts.set(name, index + 1);
  return index;
}

/** The three-quote mark that is open after this line, if any. */
function openQuote(line: string, open: string | null): string | null {
  for (const mark of line.match(/"""|'''/g) ?? []) {
    if (open === null) open = mark;
    else if (open === mark) open = null;
  }
  return open;
}

function readYaml(text: string): Document | Fault[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, maxAliasCount: 100 } as Parameters<typeof parseDocument>[1]);
  const line = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0) {
    return document.errors.map((error) => ({
      line: line(error.pos[0]),
      message: `is not YAML: ${error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')}`,
    }));
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return [{ line: 1, message: `is not YAML that can be used: ${(error as Error).message}` }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ line: 1, message: 'must be a table of keys' }];
  const lineOf = (path: Path): number => {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return line(node.range[0]);
    }
    return 1;
  };
  return { value: value as Record<string, unknown>, lineOf };
}

/** One task a line; a line `{"batch": {…}}` holds what is not a task. */
function readJsonLines(text: string): Document | Fault[] {
  const value: Record<string, unknown> = {};
  const tasks: unknown[] = [];
  const where: number[] = [];
  const faults: Fault[] = [];
  let head = 1;
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const entry = JSON.parse(line) as Record<string, unknown>;
      const settings = entry && typeof entry === 'object' ? entry.batch : undefined;
      if (settings && typeof settings === 'object') {
        Object.assign(value, settings);
        head = i + 1;
      } else {
        where.push(i + 1);
        tasks.push(entry);
      }
    } catch (error) {
      faults.push({ line: i + 1, message: `is not JSON: ${(error as Error).message}` });
    }
  }
  if (faults.length > 0) return faults;
  value.task = tasks;
  return { value, lineOf: (path) => (path[0] === 'task' && typeof path[1] === 'number' ? (where[path[1]] ?? 1) : head) };
}
