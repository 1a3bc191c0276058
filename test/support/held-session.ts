// A session with nothing but terminals, in a private folder: the driver for tests of holder and terminal host across processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type SessionPaths, sessionPaths } from '../../src/config/paths.ts';
import { type HolderLink, openHolderLink } from '../../src/server/holder-link.ts';
import { Connection, type Json } from '../../src/wire/connection.ts';
import { CLIENT_PROTOCOL } from '../../src/wire/hello.ts';
import { REMOVE_TRIES } from './repository.ts';

/** Time for a condition to come true before a test fails, ms: many times what a loaded machine takes, for only what hangs waits so long. */
const PATIENCE = 120_000;

/** Path of a test program as one file that starts fast. */
export async function bundle(name: string): Promise<string> {
  const outfile = join(import.meta.dirname, `../../.cache/programs/${process.pid}/${name}.js`);
  if (existsSync(outfile)) return outfile;
  await build({
    ...{ entryPoints: [join(import.meta.dirname, `${name}.ts`)], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node22' },
    external: ['node-pty'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return outfile;
}

/** Resolves with the first value of `look` that is not null, undefined or false; looks every few ms. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  what: string | (() => string),
  patience = PATIENCE,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + patience;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`never came true: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export class HeldSession {
  readonly paths: SessionPaths;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #dir: string;
  holder!: ChildProcess;
  link!: HolderLink;

  private constructor(dir: string, program: string, env: NodeJS.ProcessEnv) {
    this.#dir = dir;
    this.program = program;
    this.env = { ...env, HERD_DIR: dir, PATH: process.env.PATH };
    this.paths = sessionPaths('m', this.env);
  }

  static async start(env: NodeJS.ProcessEnv = {}): Promise<HeldSession> {
    const session = new HeldSession(mkdtempSync(join(tmpdir(), 'hs-')), await bundle('bare-program'), env);
    session.holder = session.startHolder();
    session.link = await session.control();
    return session;
  }

  startHolder(): ChildProcess {
    return spawn(process.execPath, [this.program, 'holder', '--session', 'm'], {
      env: this.env,
      stdio: ['ignore', 'ignore', process.env.HERD_DEBUG ? 'inherit' : 'ignore'],
    });
  }

  get token(): string {
    return readFileSync(this.paths.token, 'utf8');
  }

  /** A link to the holder that needs no server. */
  control(): Promise<HolderLink> {
    const open = () => openHolderLink({ socket: this.paths.holderSocket, token: this.token, version: '0.0.0-test', role: 'control' });
    return eventually(async () => (existsSync(this.paths.holderSocket) ? open().catch(() => null) : null), 'the holder answers');
  }

  /** Asks the server; while it is being started anew, waits for the next. */
  async ask(request: Json): Promise<Json> {
    return eventually(() => this.tryAsk(request), `an answer to ${JSON.stringify(request).slice(0, 200)}`);
  }

  async tryAsk(request: Json): Promise<Json | null> {
    const socket = createConnection(this.paths.socket);
    const connection = new Connection(socket, {
      hello: { protocol: CLIENT_PROTOCOL, version: '0.0.0-test', pid: process.pid, token: this.token, role: 'client' },
      admit: () => null,
    });
    try {
      return await connection.request(request);
    } catch {
      return null;
    } finally {
      connection.close();
    }
  }

  async spawn(argv: string[], size: { cols: number; rows: number } = { cols: 120, rows: 40 }): Promise<number> {
    const spec = { argv, cwd: tmpdir(), env: { PATH: process.env.PATH, TERM: 'xterm-256color' }, ...size };
    const reply = await this.ask({ do: 'spawn', spec });
    if (reply.error) throw new Error(String(reply.error));
    return reply.terminal as number;
  }

  /** Pid of the running server, null while there is none. */
  async serverPid(): Promise<number | null> {
    return (await this.link.ask({ do: 'list' })).server ?? null;
  }

  /** kill -9 of the server; resolves with the killed pid when the next one has been started. */
  async killServer(): Promise<number> {
    const pid = await eventually(() => this.serverPid(), 'a server runs');
    process.kill(pid, 'SIGKILL');
    await eventually(async () => ![pid, null].includes(await this.serverPid()), 'the next server runs');
    return pid;
  }

  async stop(): Promise<void> {
    await this.link.ask({ do: 'stop', grace: 500 }).catch(() => {});
    if (this.holder.exitCode === null && this.holder.signalCode === null) {
      await new Promise((resolve) => {
        this.holder.once('exit', resolve);
        setTimeout(() => this.holder.kill('SIGKILL'), 10_000).unref();
      });
    }
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
  }
}
