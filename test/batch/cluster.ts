// A PostgreSQL of a test's own: a private cluster in a temporary folder, on a free port of loopback, as a user that is not root.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { eventually } from '../support/held-session.ts';
import { REMOVE_TRIES } from '../support/repository.ts';

/** Folder of PostgreSQL's programs; null where it is not installed. */
function postgresPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return (
    [...versions.map((version) => join(debian, version, 'bin')), '/usr/local/bin', '/opt/homebrew/bin'].find((dir) =>
      existsSync(join(dir, 'initdb')),
    ) ?? null
  );
}

/** Rows of a question to herd's tables. */
export async function queryPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=herd' });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** One cluster for all tests of a file, there while they run; null where PostgreSQL is not installed. */
export function sharedCluster(): { readonly cluster: Cluster } | null {
  const programs = postgresPrograms();
  if (!programs) return null;
  let open: Cluster | null = null;
  beforeAll(async () => {
    open = await Cluster.open(programs);
  });
  afterAll(async () => {
    await open?.[Symbol.asyncDispose]();
  });
  return {
    get cluster() {
      return open!;
    },
  };
}

class Cluster {
  readonly dir = mkdtempSync(join(tmpdir(), 'herd-pg-'));
  readonly #bin: string;
  readonly #owner: { uid?: number; gid?: number };
  #port = 0;
  #server: ChildProcess | null = null;

  private constructor(bin: string) {
    this.#bin = bin;
    // It refuses to run as root; Debian's package brings a user.
    this.#owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
    if (this.#owner.uid !== undefined) chownSync(this.dir, this.#owner.uid, this.#owner.gid!);
  }

  static async open(bin: string): Promise<Cluster> {
    const cluster = new Cluster(bin);
    const options = { ...cluster.#owner, stdio: 'ignore' as const, cwd: cluster.dir };
    execFileSync(
      join(bin, 'initdb'),
      ['-D', join(cluster.dir, 'data'), '-U', 'herd', '-A', 'trust', '-N', '--locale=C', '-E', 'UTF8'],
      options,
    );
    cluster.#port = await freePort();
    await cluster.start();
    return cluster;
  }

  get url(): string {
    return `postgres://herd@127.0.0.1:${this.#port}/postgres`;
  }

  async start(): Promise<void> {
    const own = [
      '-D',
      join(this.dir, 'data'),
      '-p',
      String(this.#port),
      '-h',
      '127.0.0.1',
      '-k',
      this.dir,
      '-F',
      '-c',
      'max_connections=60',
    ];
    this.#server = spawn(join(this.#bin, 'postgres'), own, { ...this.#owner, cwd: this.dir, stdio: 'ignore' });
    await eventually(() => isReady(this.#bin, this.#port), 'the database answers');
  }

  /** At once, as a crash would. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const ended = once(server, 'exit');
    if (server.kill('SIGQUIT')) await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
  }
}

function isReady(bin: string, port: number): boolean {
  try {
    execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q']);
    return true;
  } catch {
    return false;
  }
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}
