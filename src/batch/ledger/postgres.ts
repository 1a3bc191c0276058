// The ledger in a team's PostgreSQL: any number of hosts. Loaded only when a queue's address is given.
import pg from 'pg';
import { MIGRATIONS, spoken } from './schema.ts';
import { LedgerError, type Row, type Sql, type Value } from './sql.ts';

/** Everything of herd's lies in a schema of its own. */
export const SCHEMA = 'herd';
/** Connections of one process. */
const CONNECTIONS = 4;
/** ms for a connection. */
const CONNECT_TIME = 10_000;
/** Advisory lock while tables are made: any number, the same in all versions. */
const MIGRATION_LOCK = 7_251_001;
/** Advisory locks of supervisors and hosts, beside a hash of their names. */
const LOCK_SPACE = 7_251_002;
/** Types of PostgreSQL that are whole or decimal numbers beyond 32 bits; counts and times fit a double. */
const NUMBERS = new Set([20, 1700]);

/** Connects and brings the tables up to date. Throws LedgerError: 'no-database', 'newer'. */
export async function openPostgres(url: string): Promise<PostgresSql> {
  const pool = new pg.Pool({
    ...{ connectionString: url, max: CONNECTIONS, connectionTimeoutMillis: CONNECT_TIME, options: `-c search_path=${SCHEMA}` },
    types: {
      getTypeParser: (oid: number, format?: unknown) => (NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text')),
    } as never,
  });
  // A database that restarts ends idle connections; the next question makes new ones.
  pool.on('error', () => {});
  // Also of connections in use, which may say so more than once.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    if (error instanceof LedgerError) throw error;
    const reason = (error as Error).message || (error as NodeJS.ErrnoException).code;
    throw new LedgerError(
      'no-database',
      `The queue's database cannot be used: ${reason}.`,
      'Is its address right, and may this user make a schema in it?',
    );
  }
  return new PostgresSql(pool);
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create schema if not exists ${SCHEMA}`);
    await client.query(`create table if not exists ${SCHEMA}.version (version bigint not null)`);
    const { rows } = await client.query('select version from version');
    const version = Number(rows[0]?.version ?? 0);
    if (version > MIGRATIONS.length) {
      throw new LedgerError('newer', 'The tables in the queue’s database were made by a newer herd.', 'Use that version on every host.');
    }
    for (const statement of MIGRATIONS.slice(version).flat()) await client.query(spoken(statement, 'postgres'));
    await client.query('delete from version');
    await client.query('insert into version (version) values ($1)', [MIGRATIONS.length]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** ms for a database to come back: a restart takes seconds, a failover half a minute. */
const PATIENCE = 60_000;
const PAUSE = 300;

/**
 * Tries again while the database is away. What was done just before the connection ended is then done twice: settling is fenced, so the
 * second time changes nothing.
 */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error) || Date.now() > end) throw error;
      await new Promise((wait) => setTimeout(wait, PAUSE));
    }
  }
}

/** Connection refused or broken, shutting down, starting up. */
function isAway(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03', '08006', '08003', '08001'].includes(code ?? ''))
    return true;
  return (
    code === undefined && /connection (terminated|ended|timeout)|timeout exceeded when trying to connect|not queryable/i.test(message ?? '')
  );
}

/** `?` to `$1`; statements of the ledger hold no question mark in texts. */
function numbered(statement: string): string {
  let n = 0;
  return statement.replace(/\?/g, () => `$${++n}`);
}

type Queryable = Pick<pg.Pool, 'query'>;

export class PostgresSql implements Sql {
  readonly dialect = 'postgres';
  readonly #pool: pg.Pool;
  #lock: pg.PoolClient | null = null;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async all(statement: string, ...values: Value[]): Promise<Row[]> {
    return (await patiently(() => this.#pool.query(numbered(statement), values))).rows as Row[];
  }

  async run(statement: string, ...values: Value[]): Promise<number> {
    return (await patiently(() => this.#pool.query(numbered(statement), values))).rowCount ?? 0;
  }

  tx<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.withClient((sql) => act(sql));
  }

  /** A transaction with the connection itself, for what must be in it and speaks pg. */
  withClient<T>(act: (sql: Sql, client: Queryable) => Promise<T>): Promise<T> {
    return patiently(() => this.#once(act));
  }

  async #once<T>(act: (sql: Sql, client: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query('begin');
      const result = await act(asSql(client), client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((reason: Error) => {
        broken = reason;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Takes a lock that lasts as long as this process; false when another process has it. */
  async lock(name: string): Promise<boolean> {
    const client = await patiently(() => this.#pool.connect());
    const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as got', [LOCK_SPACE, name]);
    if (rows[0]?.got !== true) {
      client.release();
      return false;
    }
    this.#lock = client;
    // With the connection the lock goes: taken again as soon as the database is back.
    client.on('error', () => {
      if (this.#lock !== client) return;
      this.#lock = null;
      client.release(true);
      void this.lock(name).catch(() => {});
    });
    return true;
  }

  /** Whether a living process has the lock. */
  async locked(name: string): Promise<boolean> {
    const rows = await this.all(
      `select 1 from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
       and classid = ?::bigint::oid and objid = (hashtext(?)::bigint & 4294967295)::oid`,
      ...[LOCK_SPACE, name],
    );
    return rows.length > 0;
  }

  async close(): Promise<void> {
    const lock = this.#lock;
    this.#lock = null;
    lock?.release(true);
    await this.#pool.end();
  }
}

function asSql(client: Queryable): Sql {
  return {
    dialect: 'postgres',
    all: async (statement, ...values) => (await client.query(numbered(statement), values)).rows as Row[],
    run: async (statement, ...values) => (await client.query(numbered(statement), values)).rowCount ?? 0,
    tx: () => Promise.reject(new Error('a transaction inside a transaction')),
    close: () => Promise.reject(new Error('closed inside a transaction')),
  };
}
