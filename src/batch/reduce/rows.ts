// Rows that a reducer prints, checked: one JSON object a line, nothing guessed. What is no row is told, not repaired. Pure.
import type { NewFinding } from '../ledger/rows.ts';

/** Characters of a row's text. */
const TEXT_MAX = 1000;

export interface ReadRows {
  rows: NewFinding[];
  /** Lines that were meant as rows and are none: why, and their beginning. */
  rejected: { line: number; why: string; begins: string }[];
}

/** Rows in `output`; `tasks` are the ids it may speak of, `reducer` names who printed it. Lines that do not begin with `{` are talk. */
export function readRows(output: string, reducer: string, tasks: ReadonlySet<string>): ReadRows {
  const read: ReadRows = { rows: [], rejected: [] };
  for (const [i, raw] of output.split('\n').entries()) {
    const line = raw.trim();
    if (!line.startsWith('{')) continue;
    const row = readRow(line, tasks);
    if (typeof row === 'string') read.rejected.push({ line: i + 1, why: row, begins: line.slice(0, 120) });
    else read.rows.push({ ...row, reducer, mark: `${reducer}:${i + 1}` });
  }
  return read;
}

/** The row, or why it is none. */
function readRow(line: string, tasks: ReadonlySet<string>): Omit<NewFinding, 'reducer' | 'mark'> | string {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return 'is not JSON';
  }
  const { task, file = null, kind, severity, line: at = null, text, needs_decision: needs } = value;
  if (typeof task !== 'string' || !tasks.has(task)) return 'names no task of this batch';
  if (file !== null && (typeof file !== 'string' || file.includes('\0'))) return 'file must be a path or null';
  if (typeof kind !== 'string' || !/^[\p{L}\p{N}_-]{1,40}$/u.test(kind)) return 'kind must be one word';
  if (severity !== 'info' && severity !== 'warning' && severity !== 'error') return 'severity must be info, warning or error';
  if (at !== null && !(Number.isSafeInteger(at) && (at as number) > 0)) return 'line must be a number or null';
  if (typeof text !== 'string' || text.trim() === '' || text.includes('\n') || text.length > TEXT_MAX) return 'text must be one line';
  if (typeof needs !== 'boolean') return 'needs_decision must be true or false';
  return { task, file: file as string | null, kind, severity, line: at as number | null, text: text.trim(), needsDecision: needs };
}
