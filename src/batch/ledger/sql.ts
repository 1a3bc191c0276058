// What the ledger asks of a database, so that one set of statements serves both: `?` for values, plain SQL. Rows come as objects with
// numbers, texts and nulls only.

import { KnownError } from '../../model/known-error.ts';

export type Value = string | number | null;
export type Row = Record<string, Value>;

export interface Sql {
  readonly dialect: 'sqlite' | 'postgres';
  all(text: string, ...values: Value[]): Promise<Row[]>;
  /** Rows changed. */
  run(text: string, ...values: Value[]): Promise<number>;
  /** All or nothing; statements of others come before or after. Not to be nested. */
  tx<T>(act: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The ledger cannot be used: one sentence for people and what to do. */
export class LedgerError extends KnownError {}

/** 0 where there is no row, or null. */
export function number(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

/** '' for null. */
export function text(row: Row, column: string): string {
  return String(row[column] ?? '');
}

/** `?, ?, ?` */
export function marks(list: readonly unknown[]): string {
  return list.map(() => '?').join(', ');
}

/** A column's text; null for NULL. */
export function maybeText(row: Row, column: string): string | null {
  const value: Value | undefined = row[column];
  return value === null || value === undefined ? null : String(value);
}

/** A column's number; null for NULL. PostgreSQL hands large ones over as text. */
export function maybeNumber(row: Row, column: string): number | null {
  const value: Value | undefined = row[column];
  return value === null || value === undefined ? null : Number(value);
}
