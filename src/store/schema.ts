// The ledger's tables and the steps from one version of them to the next. Steps are only ever added; a file of a newer version is
// never touched.
import type { DatabaseSync } from 'node:sqlite';

/** 'herd' in ASCII: tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x68657264;

const STEPS = [
  `CREATE TABLE counters (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE workspaces (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
   CREATE TABLE comments (id INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, json TEXT NOT NULL);
   CREATE INDEX comments_by_workspace ON comments (workspace);
   CREATE TABLE prompts (id INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, json TEXT NOT NULL);
   CREATE INDEX prompts_by_workspace ON prompts (workspace);
   CREATE TABLE receipts (prompt INTEGER NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (prompt, at)) WITHOUT ROWID;
   CREATE TABLE steps (prompt INTEGER NOT NULL, step INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (prompt, step)) WITHOUT ROWID;
   CREATE TABLE viewed (workspace INTEGER NOT NULL, path TEXT NOT NULL, fingerprint TEXT NOT NULL, PRIMARY KEY (workspace, path)) WITHOUT ROWID;
   CREATE TABLE marks (workspace INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, json TEXT NOT NULL,
     PRIMARY KEY (workspace, kind, number)) WITHOUT ROWID;
   CREATE TABLE events (seq INTEGER PRIMARY KEY, workspace INTEGER, json TEXT NOT NULL);
   CREATE INDEX events_by_workspace ON events (workspace, seq);`,
];

/** The version this program writes. */
export const SCHEMA_VERSION = STEPS.length;

/** Tables whose loss would hurt, checked whole on opening; events are too many for that. */
export const CHECKED_TABLES = ['counters', 'workspaces', 'comments', 'prompts', 'steps'] as const;

/** Brings an empty or older database to SCHEMA_VERSION, in one transaction. */
export function migrate(db: DatabaseSync, from: number): void {
  if (from === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  for (const step of STEPS.slice(from)) db.exec(step);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}
