// One agent's stage: a private HOME, a repository, the scripted model, a herd session, and a client whose screen is recorded.
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type IPty, spawn } from 'node-pty';
import { connectLink } from '../../src/cli/link.ts';
import { sessionPaths } from '../../src/config/paths.ts';
import type { AgentStatus } from '../../src/model/agent.ts';
import type { Workspace } from '../../src/model/workspace.ts';
import { type ModelEvent, ScriptedModel } from './model/model.ts';
import type { Setup } from './setups.ts';

const HERD = new URL('../../dist/main.js', import.meta.url).pathname;
const SIZE = { cols: 160, rows: 48 };

/** ms between two keys. */
const KEY_PAUSE = 200;

/** What a verb said. */
export interface Said {
  code: number;
  out: string;
  err: string;
}

export class Stage {
  readonly setup: Setup;
  readonly root: string;
  readonly repository: string;
  readonly model: ScriptedModel;
  readonly env: Record<string, string>;
  readonly name = 'task';
  #client: IPty | null = null;

  private constructor(setup: Setup, root: string, model: ScriptedModel, env: Record<string, string>) {
    this.setup = setup;
    this.root = root;
    this.repository = join(root, 'project');
    this.model = model;
    this.env = env;
  }

  /** `command` is the agent's executable file; it gets a folder of its own, since herd takes npm's folders off a pane's PATH. Not below the temporary folder: codex refuses a home there. */
  static async open(setup: Setup, command: string): Promise<Stage> {
    const root = mkdtempSync('/var/tmp/herd-agent-');
    const worktree = join(root, 'project.worktrees', 'task');
    const model = new ScriptedModel(worktree, setup.isMain ? (body) => setup.isMain!(body) : undefined);
    const context = { base: await model.listen(), folder: worktree };
    const home = join(root, 'home');
    mkdirSync(join(root, 'bin'));
    symlinkSync(command, join(root, 'bin', basename(command)));
    const node = dirname(process.execPath);
    const env = {
      HOME: home,
      PATH: `${join(root, 'bin')}:${node}:/usr/local/bin:/usr/bin:/bin`,
      USER: 'dev',
      LOGNAME: 'dev',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TZ: 'UTC',
      HERD_DIR: join(root, 'herd'),
      ...setup.env(context),
    };
    const stage = new Stage(setup, root, model, env);
    for (const [file, value] of Object.entries(setup.files(context)))
      write(join(home, file), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    mkdirSync(home, { recursive: true });
    stage.#makeRepository();
    const prepare = setup.prepare?.(context);
    if (prepare) execFileSync(prepare[0]!, prepare.slice(1), { cwd: stage.repository, env, stdio: 'ignore', timeout: 60_000 });
    return stage;
  }

  #makeRepository(): void {
    const files: Record<string, string> = {
      'package.json': '{ "name": "project", "version": "1.0.0" }\n',
      'README.md': '# project\n\nA small project.\n',
      'src/parser.js': 'export function parse(line) {\n  return line.split(",");\n}\n',
      'src/index.js': 'import { parse } from "./parser.js";\nconsole.log(parse("a,b,c"));\n',
      'scripts/check.sh': 'echo checking; sleep 1; echo ran >> checked.txt; echo all good\n',
    };
    for (const [file, text] of Object.entries(files)) write(join(this.repository, file), text);
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@localhost', ...args], {
        cwd: this.repository,
        env: this.env,
        stdio: 'ignore',
      });
    };
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'start');
  }

  /** Runs a verb of herd to its end. */
  herd(...args: string[]): Promise<Said> {
    return new Promise((resolve) => {
      execFile(process.execPath, [HERD, ...args], { cwd: this.repository, env: this.env, maxBuffer: 1 << 26 }, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err });
      });
    });
  }

  async status(): Promise<AgentStatus> {
    const said = await this.herd('status', this.name, '--json');
    if (said.code !== 0) throw new Error(said.err.trim() || said.out.trim());
    return (JSON.parse(said.out) as Workspace).agent;
  }

  /** Waits until the agent's state is one of `states` and `also` holds; the status, or an error that tells what it was instead. */
  async until(states: string[], limit = 60_000, also: (status: AgentStatus) => boolean = () => true): Promise<AgentStatus> {
    const end = Date.now() + limit;
    for (;;) {
      const status = await this.status();
      if (states.includes(status.state) && also(status)) return status;
      if (Date.now() > end) throw new Error(`${states.join(' or ')} expected, ${status.state} seen: ${status.why}\n${await this.screen()}`);
      await new Promise((r) => setTimeout(r, 150));
    }
  }

  /** Waits for an event of the model that came after the first `from`. */
  async modelEvent(from: number, wanted: (event: ModelEvent) => boolean, limit = 45_000): Promise<ModelEvent> {
    const end = Date.now() + limit;
    for (;;) {
      const found = this.model.events.slice(from).find(wanted);
      if (found) return found;
      if (Date.now() > end) throw new Error(`the model saw no such request\n${await this.screen()}`);
      await new Promise((r) => setTimeout(r, 50));
    }
  }

  async screen(): Promise<string> {
    return (await this.herd('read', this.name)).out.trimEnd();
  }

  /** Keys one after the other, as a person presses them: two of one kind at once some agents take for one, and late ones for none. */
  async press(...keys: string[]): Promise<void> {
    const link = (await connectLink(sessionPaths('default', this.env), {}))!;
    for (const key of keys) {
      await link.request('terminal.keys', { workspace: this.name, keys: [key] });
      await new Promise((r) => setTimeout(r, KEY_PAUSE));
    }
    link.close();
  }

  /** Attaches a client and records what it shows as asciicast v2. */
  record(file: string): void {
    mkdirSync(dirname(file), { recursive: true });
    const start = performance.now();
    writeFileSync(file, `${JSON.stringify({ version: 2, width: SIZE.cols, height: SIZE.rows, title: `herd · ${this.setup.kind}` })}\n`);
    const decoder = new TextDecoder();
    this.#client = spawn(process.execPath, [HERD], {
      ...SIZE,
      name: 'xterm-256color',
      cwd: this.repository,
      env: this.env,
      encoding: null,
    });
    this.#client.onData((bytes) => {
      const text = decoder.decode(bytes as unknown as Buffer, { stream: true });
      appendFileSync(file, `${JSON.stringify([Number(((performance.now() - start) / 1000).toFixed(3)), 'o', text])}\n`);
    });
  }

  /** Types into the recorded client, as a person. */
  type(keys: string): void {
    this.#client?.write(keys);
  }

  async close(): Promise<void> {
    this.#client?.kill('SIGHUP');
    await this.herd('server', 'stop', '--yes');
    this.model.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
