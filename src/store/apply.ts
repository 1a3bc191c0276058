// Applies one change to the ledger's tables. Runs inside a transaction of the caller's; applying a change twice is the same as once.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Change } from './rows.ts';

/** Runs SQL with parameters; keeps prepared statements, so texts must be constants. */
export interface Statements {
  run(sql: string, ...params: SQLInputValue[]): void;
  all(sql: string, ...params: SQLInputValue[]): Record<string, unknown>[];
}

/** Runs SQL, each text prepared once for as long as the database is open. */
export function prepareStatements(db: DatabaseSync): Statements {
  const kept = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const found = kept.get(sql) ?? db.prepare(sql);
    kept.set(sql, found);
    return found;
  };
  return {
    run: (sql, ...params) => void statement(sql).run(...params),
    all: (sql, ...params) => statement(sql).all(...params) as Record<string, unknown>[],
  };
}

/** Applies `change`; throws what SQLite throws. */
export function applyChange(sql: Statements, change: Change): void {
  if ('remove' in change) remove(sql, change);
  else put(sql, change);
}

function put(sql: Statements, change: Extract<Change, { put: string }>): void {
  switch (change.put) {
    case 'workspace':
      return sql.run('INSERT OR REPLACE INTO workspaces VALUES (?, ?)', change.row.id, JSON.stringify(change.row));
    case 'comment':
      return sql.run('INSERT OR REPLACE INTO comments VALUES (?, ?, ?)', change.row.id, change.row.workspace, JSON.stringify(change.row));
    case 'prompt':
      return sql.run('INSERT OR REPLACE INTO prompts VALUES (?, ?, ?)', change.row.id, change.row.workspace, JSON.stringify(change.row));
    case 'receipt':
      return sql.run('INSERT OR REPLACE INTO receipts VALUES (?, ?, ?)', change.row.prompt, change.row.at, JSON.stringify(change.row));
    case 'step':
      return sql.run('INSERT OR REPLACE INTO steps VALUES (?, ?, ?)', change.row.prompt, change.row.step, JSON.stringify(change.row));
    case 'viewed':
      return sql.run('INSERT OR REPLACE INTO viewed VALUES (?, ?, ?)', change.workspace, change.path, change.fingerprint);
    case 'mark':
      return sql.run(
        'INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)',
        change.row.workspace,
        change.row.kind,
        change.row.number,
        JSON.stringify(change.row),
      );
    case 'event':
      return sql.run('INSERT OR REPLACE INTO events VALUES (?, ?, ?)', change.row.seq, change.row.workspace, JSON.stringify(change.row));
    case 'counter':
      return sql.run(
        'INSERT INTO counters VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET last = max(last, excluded.last)',
        change.kind,
        change.last,
      );
  }
}

function remove(sql: Statements, change: Extract<Change, { remove: string }>): void {
  switch (change.remove) {
    case 'workspace':
      for (const table of ['receipts', 'steps'] as const) {
        sql.run(`DELETE FROM ${table} WHERE prompt IN (SELECT id FROM prompts WHERE workspace = ?)`, change.id);
      }
      for (const table of ['comments', 'prompts', 'viewed', 'marks'] as const) {
        sql.run(`DELETE FROM ${table} WHERE workspace = ?`, change.id);
      }
      return sql.run('DELETE FROM workspaces WHERE id = ?', change.id);
    case 'comment':
      return sql.run('DELETE FROM comments WHERE id = ?', change.id);
    case 'prompt':
      sql.run('DELETE FROM receipts WHERE prompt = ?', change.id);
      sql.run('DELETE FROM steps WHERE prompt = ?', change.id);
      return sql.run('DELETE FROM prompts WHERE id = ?', change.id);
    case 'viewed':
      return sql.run('DELETE FROM viewed WHERE workspace = ? AND path = ?', change.workspace, change.path);
  }
}

/** Drops the oldest events beyond `keep`. */
export function trimEvents(sql: Statements, keep: number): void {
  sql.run('DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?', keep);
}
