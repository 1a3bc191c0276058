// Answers questions to the ledger. Reads only; a row whose JSON does not parse is left out rather than failing the rest.
import type { Statements } from './apply.ts';
import type { CounterKind, EventQuery, Queries, QueryName, StoredEvent } from './rows.ts';

/** Events given out when no limit is asked for. */
const EVENT_LIMIT = 200;

/** Runs the named query. Throws what SQLite throws. */
export function runQuery<Q extends QueryName>(sql: Statements, name: Q, params: Queries[Q]['params']): Queries[Q]['result'] {
  return QUERIES[name](sql, params);
}

const QUERIES: { [Q in QueryName]: (sql: Statements, params: Queries[Q]['params']) => Queries[Q]['result'] } = {
  workspaces: (sql) => parsed(sql.all('SELECT json FROM workspaces ORDER BY id')),
  comments: (sql, { workspace }) => parsed(ofWorkspace(sql, 'comments', workspace)),
  prompts: (sql, { workspace }) => parsed(ofWorkspace(sql, 'prompts', workspace)),
  receipts: (sql, { prompt }) => parsed(sql.all('SELECT json FROM receipts WHERE prompt = ? ORDER BY at', prompt)),
  steps: (sql, { prompt }) => parsed(sql.all('SELECT json FROM steps WHERE prompt = ? ORDER BY step', prompt)),
  viewed: (sql, { workspace }) =>
    Object.fromEntries(
      sql.all('SELECT path, fingerprint FROM viewed WHERE workspace = ?', workspace).map((row) => [row.path, row.fingerprint]),
    ) as Record<string, string>,
  marks: (sql, { workspace, kind }) =>
    parsed(
      kind === undefined
        ? sql.all('SELECT json FROM marks WHERE workspace = ? ORDER BY kind, number', workspace)
        : sql.all('SELECT json FROM marks WHERE workspace = ? AND kind = ? ORDER BY number', workspace, kind),
    ),
  events: (sql, query) => newestEvents(sql, query),
  counters: (sql) =>
    Object.fromEntries(sql.all('SELECT kind, last FROM counters').map((row) => [row.kind, row.last])) as Partial<
      Record<CounterKind, number>
    >,
  lastSeq: (sql) => Number(sql.all('SELECT max(seq) AS last FROM events')[0]?.last ?? 0),
};

function ofWorkspace(sql: Statements, table: 'comments' | 'prompts', workspace: number | undefined): Record<string, unknown>[] {
  if (workspace === undefined) return sql.all(`SELECT json FROM ${table} ORDER BY id`);
  return sql.all(`SELECT json FROM ${table} WHERE workspace = ? ORDER BY id`, workspace);
}

/** Walks back from the newest event in slices, so that a grep never loads the whole log. */
function newestEvents(sql: Statements, query: EventQuery): StoredEvent[] {
  const limit = query.limit ?? EVENT_LIMIT;
  const pattern = query.grep === undefined ? null : new RegExp(query.grep, 'i');
  const found: StoredEvent[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  while (found.length < limit) {
    const slice = eventSlice(sql, before, query);
    for (const event of parsed<StoredEvent>(slice)) {
      if (found.length < limit && (!pattern || pattern.test(`${event.kind} ${event.text}`))) found.push(event);
    }
    if (slice.length < SLICE) break;
    before = Number(slice.at(-1)?.seq);
  }
  return found.reverse();
}

/** Rows read at a time while looking for matching events. */
const SLICE = 500;

function eventSlice(sql: Statements, before: number, query: EventQuery): Record<string, unknown>[] {
  const since = query.since ?? 0;
  if (query.workspace === undefined) {
    return sql.all('SELECT seq, json FROM events WHERE seq < ? AND seq > ? ORDER BY seq DESC LIMIT ?', before, since, SLICE);
  }
  return sql.all(
    'SELECT seq, json FROM events WHERE workspace = ? AND seq < ? AND seq > ? ORDER BY seq DESC LIMIT ?',
    query.workspace,
    before,
    since,
    SLICE,
  );
}

function parsed<T>(rows: Record<string, unknown>[]): T[] {
  return rows.flatMap((row) => {
    try {
      return [JSON.parse(String(row.json)) as T];
    } catch {
      return [];
    }
  });
}
