// What verbs print: text, JSON, aligned columns, ages. Nothing that comes from outside drives the terminal it is printed on. The process may
// end only after `flush`: a pipe takes 64 KiB at a time, and what it has not taken by then would be cut.
import type { Writable } from 'node:stream';

/** Where a verb prints. */
export interface Output {
  /** A line or block of text; a line end is added when missing. On a terminal as `plain` leaves it, in a pipe byte for byte. */
  text(text: string): void;
  /** The same with what a terminal obeys: only what herd itself has drawn. */
  drawn(text: string): void;
  /** One JSON document, indented for people on a terminal. */
  json(value: unknown): void;
  /** One JSON document on one line, for streams of them. */
  ndjson(value: unknown): void;
  /** What is no result: goes to the error stream, as `plain` leaves it. */
  note(text: string): void;
  /** Resolves when the pipe has taken everything. */
  flush(): Promise<void>;
}

/** Prints to `out` and, notes, to `err`. A reader that went away (`| head`) is no error: the rest is dropped. */
export function createOutput(out: Writable & { isTTY?: boolean }, err: Writable): Output {
  let gone = false;
  const drop = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    gone = true;
  };
  out.on('error', drop);
  err.on('error', drop);
  const line = (to: Writable, text: string) => {
    if (!gone) to.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  return {
    text: (text) => text !== '' && line(out, out.isTTY ? plain(text) : text),
    drawn: (text) => text !== '' && line(out, text),
    json: (value) => line(out, safeJson(JSON.stringify(value, null, out.isTTY ? 2 : undefined))),
    ndjson: (value) => line(out, safeJson(JSON.stringify(value))),
    note: (text) => line(err, plain(text)),
    async flush() {
      await Promise.all([out, err].map((to) => new Promise<void>((done) => (gone ? done() : void to.write('', () => done())))));
    },
  };
}

/** JSON leaves C1 controls and bidi overrides as they are: escaped, it is the same JSON and a terminal obeys none of it. */
function safeJson(json: string): string {
  return json.replace(/[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Rows with their columns aligned, two blanks between; the last column is left as it is. Widths count code points. */
export function columns(rows: string[][]): string {
  const width = (text: string) => [...text].length;
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell));
  const pad = (cell: string, i: number, row: string[]) => (i === row.length - 1 ? cell : cell + ' '.repeat(widths[i]! - width(cell)));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** `ms` as the sidebar shows ages: 45s, 12m, 3h, 2d. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Text from agents, repositories and sockets without what a terminal would obey: controls, C1, bidi overrides. Keeps line ends and tabs. */
export function plain(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '');
}
