// Opens the ledger file: one opener at a time, a broken or newer file kept aside under a name that says so. Never overwrites, never
// repairs in place.
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, CHECKED_TABLES, migrate, SCHEMA_VERSION } from './schema.ts';
import { explainFailure, StoreError } from './store-error.ts';

const LEDGER = 'ledger.db';
const LOCK = 'ledger.lock';

/** An open ledger. `notices`: what a person should know about how it was opened. */
export interface Ledger {
  db: DatabaseSync;
  path: string;
  notices: string[];
  close(): void;
}

/**
 * Opens (or makes) the ledger in `dir`. `now`: ms since the epoch, for the names of files kept aside. `maxBytes` bounds the file, as a
 * full disk would. Throws StoreError: 'in-use' when another process has it, 'read-only' when the folder cannot be written.
 */
export function openLedger(dir: string, now: number, maxBytes?: number): Ledger {
  const path = join(dir, LEDGER);
  let lock: DatabaseSync | null = null;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    lock = takeLock(join(dir, LOCK), dir);
    const { db, notices } = openOrSetAside(path, now, maxBytes);
    const held = lock;
    return {
      db,
      path,
      notices,
      close() {
        db.close();
        held.close();
      },
    };
  } catch (cause) {
    lock?.close();
    throw explainFailure(cause, path);
  }
}

/** Holds an exclusive SQLite lock on an empty file: the kernel drops it with the process, however that ends. */
function takeLock(path: string, dir: string): DatabaseSync {
  if (existsSync(path) && statSync(path).size > 0) rmSync(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // No journal file: the lock is to be had on a full disk too.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    if (!/locked|busy/i.test((cause as Error).message)) throw cause;
    throw new StoreError('in-use', `Another herd server already uses ${dir}.`, 'Attach to it with `herd`, or choose another --session.');
  }
}

function openOrSetAside(path: string, now: number, maxBytes?: number): { db: DatabaseSync; notices: string[] } {
  const first = tryOpen(path, maxBytes);
  if (!('unfit' in first)) return { db: first.db, notices: [] };
  const kept = setAside(path, first.unfit, now);
  const second = tryOpen(path, maxBytes);
  if ('unfit' in second) throw new StoreError('broken', `The new ledger ${path} could not be made.`);
  const why = first.unfit === 'broken' ? 'was damaged' : 'belongs to a newer herd';
  return { db: second.db, notices: [`The ledger ${why}: it was kept as ${kept}, and herd started with an empty one.`] };
}

/** Opens and checks; says why the file is unfit, or throws when the place itself is (no room, no permission). */
function tryOpen(path: string, maxBytes?: number): { db: DatabaseSync } | { unfit: 'broken' | `newer-${number}` } {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path);
    // One opener at a time anyway; exclusive from the first look on, SQLite keeps its index in memory and opens on a full disk too.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const version = pragma(db, 'user_version');
    if (version > SCHEMA_VERSION) return closed(db, `newer-${version}`);
    if (version > 0 && pragma(db, 'application_id') !== APPLICATION_ID) return closed(db, 'broken');
    if (version === 0 && db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n !== 0) return closed(db, 'broken');
    // FULL: a commit is on the disk when it returns; 4 MiB between checkpoints of the WAL keeps it small.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000');
    if (maxBytes !== undefined) db.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / pragma(db, 'page_size'))}`);
    migrate(db, version);
    for (const table of CHECKED_TABLES) {
      if (Object.values(db.prepare(`PRAGMA quick_check('${table}')`).get() ?? {})[0] !== 'ok') return closed(db, 'broken');
    }
    return { db };
  } catch (cause) {
    db?.close();
    if (explainFailure(cause, path).code === 'broken' || /no such (table|column)|malformed/.test((cause as Error).message)) {
      return { unfit: 'broken' };
    }
    throw cause;
  }
}

function closed<T extends 'broken' | `newer-${number}`>(db: DatabaseSync, unfit: T): { unfit: T } {
  db.close();
  return { unfit };
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** Renames the file and its WAL to a free name; returns the new name. */
function setAside(path: string, why: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  let kept = '';
  for (let n = 0; kept === '' || existsSync(kept); n++) kept = path.replace(/\.db$/, `.${why}-${stamp}${n ? `-${n}` : ''}.db`);
  for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, kept + end);
  return basename(kept);
}
