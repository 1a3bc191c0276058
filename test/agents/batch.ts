// A real batch: thirty tasks by Pi (`pi -p`) against a scripted model on loopback, with rate limits, a usage limit and one hang; its runner is
// killed twice, resumed, the result landed, read in the review pane, one task rejected, landed again and merged. Recorded as
// docs/batch-pi.cast, with its report beside it.
// Run: node test/agents/batch.ts (after npm run build; installs Pi into a cache first).
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { spawn } from 'node-pty';
import { install } from './install.ts';
import { APIS } from './model/apis.ts';
import { SETUPS } from './setups.ts';
import { Stage } from './stage.ts';

const TASKS = 30;
const SIZE = { cols: 140, rows: 40 };
const HERD = new URL('../../dist/main.js', import.meta.url).pathname;
const OUT = new URL('../../docs/', import.meta.url).pathname;

const TASK_FILE = `name = "notes"

[defaults]
agent = "pi"
timeout = "25s"
allow = ["notes/{{n}}.md"]
checks = [["test", "-s", "notes/{{n}}.md"]]

[run]
slots = 6
grace = "2s"

[stop]
failures = "20%"

[landing]
branch = "herd/notes"
checks = [["sh", "-c", "test $(ls notes | wc -l) -ge 0"]]

[[task]]
id = "note-{{n}}"
matrix = { n = { command = ["seq", "-w", "1", "${TASKS - 1}"] } }
prompt = "This is task {{n}}. Write notes/{{n}}.md with one line about it."

[[task]]
id = "note-${TASKS}"
provider = "second account"
vars = { n = "${TASKS}" }
prompt = "This is task ${TASKS}. Write notes/${TASKS}.md with one line about it."
`;

/** Answers by what the task is: 05 and 11 are limited twice, 17 never answers, 30's allowance is used up for two and a half minutes. */
class TaskModel {
  readonly #asked = new Map<string, number>();
  readonly #server = createServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  #resets = 0;
  #ids = 0;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = '';
    for await (const piece of request) raw += piece;
    const body = JSON.parse(raw || '{}') as { messages?: { role: string }[] };
    const task = /This is task (\d\d)/.exec(raw)?.[1] ?? '00';
    const asked = (this.#asked.get(task) ?? 0) + 1;
    this.#asked.set(task, asked);
    if (task === '17') return;
    if ((task === '05' || task === '11') && asked <= 2) return refuse(response, 'Rate limit reached for requests', 'rate_limit_exceeded');
    if (task === '30') {
      this.#resets ||= Date.now() + 150_000;
      if (Date.now() < this.#resets) {
        return refuse(
          response,
          `You have hit your usage limit. It resets at ${new Date(this.#resets).toISOString()}`,
          'insufficient_quota',
        );
      }
    }
    await new Promise((wait) => setTimeout(wait, 1200));
    const written = body.messages?.some((message) => message.role === 'tool') ?? false;
    const calls = written ? [] : [{ name: 'write', args: { path: `notes/${task}.md`, content: `Task ${task}: a line about it.\n` } }];
    const id = (prefix: string) => `${prefix}_${(++this.#ids).toString(36)}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const writer = APIS.chat.writer({ response, model: 'mock-1', calls: calls as never, id });
    writer.open();
    writer.text(written ? `Wrote notes/${task}.md.` : 'I will write the note.');
    calls.forEach((call, i) => {
      writer.tool(call as never, i);
    });
    writer.close();
    response.end();
  }
}

function refuse(response: ServerResponse, message: string, code: string): void {
  response.writeHead(429, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: code, code } }));
}

/** Commands in a terminal, recorded one after the other as asciicast v2. */
class Recording {
  readonly #file: string;
  readonly #stage: Stage;
  readonly #start = performance.now();

  constructor(file: string, stage: Stage) {
    this.#file = file;
    this.#stage = stage;
    writeFileSync(
      file,
      `${JSON.stringify({ version: 2, width: SIZE.cols, height: SIZE.rows, title: 'herd batch · thirty tasks by Pi' })}\n`,
    );
  }

  say(text: string): void {
    appendFileSync(this.#file, `${JSON.stringify([Number(((performance.now() - this.#start) / 1000).toFixed(3)), 'o', text])}\n`);
  }

  /** Runs it to its end; `meanwhile` gets to type and to kill. Resolves with what it printed. */
  async run(words: string[], meanwhile?: (type: (keys: string) => void, shown: () => string) => Promise<void>): Promise<string> {
    this.say(`\x1b[1m$ herd ${words.join(' ')}\x1b[m\r\n`);
    const pty = spawn(process.execPath, [HERD, ...words], {
      ...SIZE,
      name: 'xterm-256color',
      cwd: this.#stage.repository,
      env: this.#stage.env,
    });
    let shown = '';
    pty.onData((data) => {
      shown += data;
      this.say(data);
    });
    const over = new Promise<void>((resolve) => pty.onExit(() => resolve()));
    await Promise.all([
      over,
      meanwhile?.(
        (keys) => pty.write(keys),
        () => shown,
      ),
    ]);
    return shown;
  }
}

async function until(seen: () => boolean | Promise<boolean>, what: string, time = 240_000): Promise<void> {
  for (const end = Date.now() + time; !(await seen()); ) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((wait) => setTimeout(wait, 200));
  }
}

/** Files that the person marks as read, and the task whose file is not good enough. */
const READ = 6;
const REJECTED = `note-${String(READ + 1).padStart(2, '0')}`;
const REMARK = 'Too thin: say what the task was about.';
/** ms between keys: somebody reads. */
const READING = 900;

/** In the review pane: file by file, each marked as read; a comment on the one that is to go; detach. */
async function review(type: (keys: string) => void, shown: () => string): Promise<void> {
  await until(() => /notes\/0?1/.test(shown()), 'the diff is there', 30_000);
  // Marking a file goes on to the next.
  const files = Array.from({ length: READ }, () => 'x');
  for (const keys of ['\x02\t', ...files, ':1\r', 'c', REMARK, '\x13', '\x02d']) {
    await new Promise((wait) => setTimeout(wait, READING));
    type(keys);
  }
}

const setup = SETUPS.find(({ kind }) => kind === 'pi')!;
const at = install(setup);
if ('missing' in at) throw new Error(at.missing);
const model = new TaskModel();
const base = await model.listen();
const stage = await Stage.open(setup, dirname(join(at.folder, 'node_modules/.bin', setup.bin)));
// A pane's PATH has no node_modules/.bin: the command lies in a folder of its own, as an installed one does.
const bin = join(stage.root, 'commands');
mkdirSync(bin);
symlinkSync(join(at.folder, 'node_modules/.bin', setup.bin), join(bin, 'pi'));
stage.env.PATH = `${bin}:${stage.env.PATH}`;
const agent = join(stage.env.HOME!, '.pi/agent');
// A batch has nobody to ask, and herd itself sees to limits.
rmSync(join(agent, 'extensions'), { recursive: true, force: true });
writeFileSync(join(agent, 'settings.json'), JSON.stringify({ defaultProvider: 'mock', defaultModel: 'mock-1', retry: { enabled: false } }));
const provider = {
  baseUrl: `${base}/v1`,
  api: 'openai-completions',
  apiKey: 'made-up',
  models: [{ id: 'mock-1', cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }],
};
writeFileSync(join(agent, 'models.json'), JSON.stringify({ providers: { mock: provider } }));
writeFileSync(join(stage.root, 'tasks.toml'), TASK_FILE);
const recorded = join(stage.root, 'batch-pi.cast');
const cast = new Recording(recorded, stage);

interface Board {
  summary: { state: string; counts: { done: number; running: number } };
  runner: number | null;
}
const board = async () => JSON.parse((await stage.herd('batch', 'status', '--json')).out) as Board;
/** Kills the runner once so many tasks are done and some run. */
const killAt = async (done: number) => {
  await until(async () => {
    const { summary, runner } = await board();
    if (runner === null || summary.counts.done < done || summary.counts.running === 0) return false;
    cast.say(`\x1b[1m$ kill -9 ${runner}\x1b[m\r\n`);
    process.kill(runner, 'SIGKILL');
    return true;
  }, `${done} tasks are done`);
};

try {
  await cast.run(['batch', 'run', '../tasks.toml', '--check']);
  await cast.run(['batch', 'run', '../tasks.toml'], async (type, shown) => {
    await until(() => /Run the other \d+ tasks\?/.test(shown()), 'it asks');
    type('y\r');
    await killAt(8);
  });
  await cast.run(['batch', 'status']);
  await cast.run(['batch', 'resume'], () => killAt(18));
  await cast.run(['batch', 'resume']);
  await cast.run(['batch', 'report']);
  const landed = await cast.run(['batch', 'land']);
  await cast.run([], review);
  const workspace = /in workspace (\d+)/.exec(landed)?.[1] ?? '';
  const comments = await cast.run(['comment', 'list', workspace]);
  const at = `notes/${REJECTED.slice(-2)}.md:1`;
  if (!comments.includes(at) || !comments.includes(REMARK)) throw new Error(`the comment is not there: ${comments}`);
  await cast.run(['batch', 'reject', REJECTED]);
  const again = await cast.run(['batch', 'land']);
  if (!new RegExp(`${REJECTED} +left-out +was rejected`).test(again)) throw new Error(`it was landed all the same: ${again}`);
  await cast.run(['batch', 'merge'], async (type, shown) => {
    await until(() => /Merge .* into main/.test(shown()), 'it asks');
    type('y\r');
  });
  const report = await cast.run(['batch', 'report']);
  copyFileSync(recorded, join(OUT, 'batch-pi.cast'));
  writeFileSync(join(OUT, 'batch-pi.txt'), report.replaceAll('\r\n', '\n').replace(/\x1b\[[0-9;]*m/g, ''));
  process.stdout.write(
    `${report}\n${execFileSync('git', ['log', '--oneline'], { cwd: stage.repository, encoding: 'utf8' }).split('\n').length - 1} commits\n`,
  );
} finally {
  model.close();
  await stage.close();
}
