// The ledger in one SQLite file: one host, one supervisor at a time, never on a network file system. Short transactions; others may read
// and ask meanwhile.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { MIGRATIONS, spoken } from './schema.ts';
import { LedgerError, number, type Row, type Sql, type Value } from './sql.ts';

/** ms to wait for another process's transaction. */
const BUSY = 5000;
/** File systems whose locks do not hold between machines: NFS, SMB, CIFS, SMB2, AFS, Coda, Ceph, sshfs and other FUSE. From linux/magic.h. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x73757245, 0x00c36400, 0x65735546]);

/** A process that takes part in a batch. */
export interface HostIdentity {
  host: string;
  pid: number;
  /** When it was started, as the system says: a pid alone may have been given away. */
  start: string;
  version: string;
}

/** Opens or makes the ledger. Throws LedgerError: 'network-path', 'newer', 'damaged', 'unreadable'. */
export function openSqlite(file: string, now: () => number): Sql {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  refuseNetwork(dirname(file), file);
  const fresh = !existsSync(file);
  const db = openFile(file);
  try {
    if (fresh) chmodSync(file, 0o600);
    db.exec(`pragma busy_timeout = ${BUSY}; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on`);
    if (String(db.prepare('pragma quick_check(1)').get()?.quick_check) !== 'ok') throw damaged(file);
    migrate(db, file, now);
  } catch (error) {
    db.close();
    if (error instanceof LedgerError) throw error;
    if (/not a database|malformed/.test((error as Error).message)) throw damaged(file);
    throw error;
  }
  return new SqliteSql(db);
}

/**
 * Makes the process the only supervisor of the ledger. Throws LedgerError 'supervised' with the pid of the one that lives; the place of a
 * dead one is taken. `startOf` says when a process was started, null when there is none.
 */
export function takeSupervision(
  sql: Sql,
  own: HostIdentity & { goal: number },
  startOf: (pid: number) => string | null,
  now: number,
): Promise<void> {
  return sql.tx(async (tx) => {
    const [other] = await tx.all('select name, pid, pid_start from host where supervisor = 1');
    if (other && !(number(other, 'pid') === own.pid && other.pid_start === own.start)) {
      const pid = number(other, 'pid');
      if (startOf(pid) === other.pid_start) {
        throw new LedgerError(
          'supervised',
          `A batch of this repository is being run already, by process ${pid}.`,
          'See: herd batch status',
          {
            pid,
          },
        );
      }
      await tx.run(
        'insert into event (at, goal, actor, subject, kind, data) values (?, null, ?, ?, ?, ?)',
        now,
        own.host,
        'ledger',
        'taken-over',
        String(pid),
      );
    }
    await tx.run('update host set supervisor = 0');
    await tx.run(
      `insert into host (name, pid, pid_start, version, started, seen, draining, supervisor, goal) values (?, ?, ?, ?, ?, ?, 0, 1, ?)
       on conflict (name) do update set pid = excluded.pid, pid_start = excluded.pid_start, version = excluded.version, started = excluded.started,
       seen = excluded.seen, draining = 0, supervisor = 1, goal = excluded.goal`,
      ...[own.host, own.pid, own.start, own.version, now, now, own.goal],
    );
  });
}

function refuseNetwork(dir: string, file: string): void {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return;
  const network = process.platform === 'linux' ? NETWORK.has(statfsSync(dir).type >>> 0) : onNetworkVolume(dir);
  if (!network) return;
  throw new LedgerError(
    'network-path',
    `${file} lies on a network file system, where a ledger of one host is not safe.`,
    'Set HERD_DIR or XDG_STATE_HOME to a local disk, or use a PostgreSQL queue: herd batch run --queue postgres://…',
  );
}

/** macOS mounts what comes over the network below /Volumes or /Network/Servers; a local disk there is refused rather than trusted. */
function onNetworkVolume(dir: string): boolean {
  return /^\/(Network|Volumes)\//.test(dir);
}

function openFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file);
  } catch (error) {
    throw new LedgerError(
      'unreadable',
      `${file} cannot be opened: ${(error as Error).message}.`,
      'Is the disk full, or the folder not yours?',
    );
  }
}

function damaged(file: string): LedgerError {
  return new LedgerError(
    'damaged',
    `The ledger ${file} is damaged.`,
    `Nothing was changed. Move it away to start anew; backups lie beside it.`,
  );
}

/** Version by version, after a copy of the file as it was. */
function migrate(db: DatabaseSync, file: string, now: () => number): void {
  const version = Number(db.prepare('pragma user_version').get()?.user_version ?? 0);
  if (version === MIGRATIONS.length) return;
  if (version > MIGRATIONS.length) {
    throw new LedgerError('newer', `${file} was written by a newer herd.`, 'Use that version, or set HERD_DIR to another folder.');
  }
  if (version > 0) {
    const backup = `${file}.v${version}.bak`;
    db.prepare('vacuum into ?').run(`${backup}.new`);
    renameSync(`${backup}.new`, backup);
  }
  for (let v = version; v < MIGRATIONS.length; v++) {
    db.exec('begin immediate');
    try {
      // Another process may have been first.
      if (Number(db.prepare('pragma user_version').get()?.user_version) === v) {
        for (const statement of MIGRATIONS[v]!) db.exec(spoken(statement, 'sqlite'));
        db.prepare('insert into event (at, goal, actor, subject, kind, data) values (?, null, ?, ?, ?, ?)').run(
          ...[now(), 'herd', 'ledger', 'migrated', String(v + 1)],
        );
        db.exec(`pragma user_version = ${v + 1}`);
      }
      db.exec('commit');
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
  }
}

class SqliteSql implements Sql {
  readonly dialect = 'sqlite';
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  /** Statements of others wait while a transaction runs. */
  #line: Promise<unknown> = Promise.resolve();
  readonly #inner: Sql;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#inner = {
      dialect: 'sqlite',
      all: async (statement, ...values) => this.#statement(statement).all(...(values as SQLInputValue[])) as Row[],
      run: async (statement, ...values) => Number(this.#statement(statement).run(...(values as SQLInputValue[])).changes),
      tx: () => Promise.reject(new Error('a transaction inside a transaction')),
      close: () => Promise.reject(new Error('closed inside a transaction')),
    };
  }

  all(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#next(() => this.#inner.all(statement, ...values));
  }

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.#next(() => this.#inner.run(statement, ...values));
  }

  tx<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#next(async () => {
      this.#db.exec('begin immediate');
      try {
        const result = await act(this.#inner);
        this.#db.exec('commit');
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('rollback');
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#next(async () => {
      if (this.#db.isOpen) this.#db.close();
    });
  }

  #next<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#line.then(act);
    this.#line = result.catch(() => {});
    return result;
  }

  #statement(statement: string): ReturnType<DatabaseSync['prepare']> {
    const known = this.#prepared.get(statement) ?? this.#db.prepare(statement);
    this.#prepared.set(statement, known);
    return known;
  }
}

/** When a process was started, as text; null when there is none, or it is a zombie. Linux by /proc; elsewhere by `ps`. */
export function startOfProcess(pid: number, ps: (pid: number) => string | null): string | null {
  if (process.platform !== 'linux') return ps(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
