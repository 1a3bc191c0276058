// The ledger's tables, the same in SQLite and PostgreSQL but for the names of types. Work (task) and runs of it (attempt) are apart; what is
// ready is asked for, never stored; events are only ever added. Times are ms since the epoch. Migrations are added at the end, never changed.
import type { Sql } from './sql.ts';

/** One entry per version. `id integer primary key` counts up by itself. */
export const MIGRATIONS: readonly string[][] = [
  [
    `create table goal (id integer primary key, uid text not null unique, name text not null, repository text not null, base_name text,
      base_commit text not null, state text not null check (state in ('checking','canary','asking','running','paused','reducing','stopped','done','cancelled')),
      why text, created integer not null, ended integer, run_ms integer not null default 0, settings text not null, session text not null, file text)`,
    `create table plan (goal integer not null references goal(id), version integer not null, at integer not null, file text not null, text text not null,
      primary key (goal, version))`,
    `create table task (goal integer not null references goal(id), id text not null, seq integer not null, stage text not null check (stage in ('work','reduce','followup')),
      spec text not null, provider text not null, grp text, priority integer not null default 0,
      state text not null check (state in ('held','ready','active','done','failed','cancelled')), attempt integer not null default 0,
      rate_hits integer not null default 0, lost_hits integer not null default 0, run_after integer not null default 0, since integer not null,
      why text, outcome text, won_attempt integer, canary integer not null default 0, verdict text check (verdict in ('accepted','rejected')),
      verdict_by text, landed text, landed_commit text, merged_share real, job text, primary key (goal, id))`,
    `create index task_ready on task (goal, state, priority desc, seq)`,
    `create table dep (goal integer not null, task text not null, needs text not null, kind text not null default 'needs', primary key (goal, task, needs),
      foreign key (goal, task) references task(goal, id), foreign key (goal, needs) references task(goal, id))`,
    `create index dep_needs on dep (goal, needs)`,
    `create table attempt (goal integer not null, task text not null, n integer not null, host text not null, claimed integer not null, started integer, pid integer,
      workspace integer, worktree text, branch text, base text, deadline integer not null, lease_until integer not null, ended integer, outcome text, why text,
      cost real, tokens integer, added integer, result text, job text, job_try integer not null default 0, waited integer not null default 0,
      primary key (goal, task, n), foreign key (goal, task) references task(goal, id))`,
    `create index attempt_live on attempt (host, ended)`,
    `create table ownership (id integer primary key, goal integer not null, task text not null, pattern text not null, since integer not null, until integer)`,
    `create table finding (id integer primary key, goal integer not null, task text not null, attempt integer, reducer text, file text, kind text not null,
      severity text not null check (severity in ('info','warning','error')), line integer, text text not null, needs_decision integer not null, at integer not null,
      mark text not null, unique (goal, mark))`,
    `create table decision (id integer primary key, goal integer not null, finding integer references finding(id), task text, question text not null,
      options text not null, answer text, who text, asked integer not null, at integer, unblocks text, unique (goal, finding))`,
    `create table artifact (id integer primary key, goal integer not null, task text not null, attempt integer not null, kind text not null, path text not null,
      sha256 text not null, size integer not null, at integer not null, unique (goal, task, attempt, kind))`,
    `create table checkpoint (id integer primary key, goal integer not null, worktree text not null, base text not null, head text not null, note text not null,
      at integer not null)`,
    `create table event (seq integer primary key, at integer not null, goal integer, actor text not null, subject text not null, kind text not null, data text)`,
    `create index event_goal on event (goal, seq)`,
    `create table budget (goal integer not null references goal(id), kind text not null, cap real not null, primary key (goal, kind))`,
    `create table host (name text not null primary key, pid integer not null, pid_start text not null, version text not null, started integer not null,
      seen integer not null, draining integer not null default 0, supervisor integer not null default 0)`,
    `create table hold (provider text not null primary key, until integer not null, why text not null)`,
    `create table blob (goal integer not null, task text not null, attempt integer not null, kind text not null, path text not null, data text not null,
      primary key (goal, task, attempt, kind))`,
    `create table ask (id integer primary key, goal integer not null, kind text not null, data text, actor text not null, at integer not null, done integer)`,
  ],
  // Which batch a host supervises.
  ['alter table host add column goal integer'],
];

/** A statement in the words of the database. */
export function spoken(statement: string, dialect: Sql['dialect']): string {
  if (dialect === 'sqlite') return statement.startsWith('create table') ? `${statement} strict` : statement;
  return statement
    .replace(/\b(id|seq) integer primary key\b/g, '$1 bigint generated by default as identity primary key')
    .replace(/\binteger\b/g, 'bigint')
    .replace(/\breal\b/g, 'double precision');
}
