// `node test/agents/look.ts KIND…`: a real agent inside herd inside tmux, looked at as a person would at 160x48, 80x24 and 50x20: start,
// a dialog and its answer from the attention list, work, a resize in the midst of a turn, a paste of three lines, Shift+Enter, scrolled
// back. Leaves KIND.cast and one ANSI file a look in .cache/look, and says what was not seen.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.ts';
import { SETUPS } from './setups.ts';
import { Stage } from './stage.ts';

const OUT = '.cache/look';
const HERD = new URL('../../dist/main.js', import.meta.url).pathname;
const LONG = Array.from({ length: 40 }, (_, i) => `${i + 1}. Read the input line, split it, keep the fields.`).join('\n');
/** Set inside the network of our own. */
const INSIDE = 'HERD_TEST_ISOLATED';
/** Keys for the attention queue. */
const QUEUE = '\x02A';
/** ms for something to be seen. */
const PATIENCE = 30_000;

class Window {
  readonly #stage: Stage;
  readonly #tmux: string[];
  readonly #looks: string[] = [];
  #size = { cols: 160, rows: 48 };

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#tmux = ['-S', join(stage.root, 'tmux'), '-f', '/dev/null'];
    this.#run('new-session', '-d', '-x', '160', '-y', '48', process.execPath, HERD);
    for (const option of [
      ['status', 'off'],
      ['default-terminal', 'tmux-256color'],
      ['escape-time', '10'],
      ['window-size', 'manual'],
    ])
      this.#run('set', '-g', ...option);
  }

  #run(...args: string[]): string {
    const { cwd, env } = { cwd: this.#stage.repository, env: { ...this.#stage.env, TERM: 'xterm-256color' } };
    return execFileSync('tmux', [...this.#tmux, ...args], { cwd, env, encoding: 'utf8' });
  }

  get screen(): string {
    return this.#run('capture-pane', '-p');
  }

  /** Bytes as a terminal sends them. */
  type(bytes: string): void {
    this.#run('send-keys', '-H', ...[...Buffer.from(bytes)].map((byte) => byte.toString(16)));
  }

  resize(cols: number, rows: number): void {
    this.#size = { cols, rows };
    this.#run('resize-window', '-x', String(cols), '-y', String(rows));
  }

  see(wanted: RegExp): Promise<boolean> {
    return this.until(() => wanted.test(this.screen));
  }

  async until(holds: () => boolean): Promise<boolean> {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((r) => setTimeout(r, 100))) if (holds()) return true;
    return false;
  }

  /** Keeps the screen as it is now. */
  keep(name: string): void {
    const { cols, rows } = this.#size;
    const file = `${this.#stage.setup.kind}-${cols}x${rows}-${name}`;
    const ansi = this.#run('capture-pane', '-p', '-e', '-N');
    writeFileSync(join(OUT, `${file}.ansi`), ansi);
    const at = this.#looks.length * 2;
    this.#looks.push(
      JSON.stringify([at, 'r', `${cols}x${rows}`]),
      JSON.stringify([at, 'o', `\x1b[m\x1b[H\x1b[2J${ansi.trimEnd().replaceAll('\n', '\r\n')}`]),
    );
  }

  close(): void {
    const head = JSON.stringify({ version: 2, width: 160, height: 48, title: `${this.#stage.setup.kind} in herd` });
    writeFileSync(join(OUT, `${this.#stage.setup.kind}.cast`), `${[head, ...this.#looks].join('\n')}\n`);
    this.#run('kill-server');
  }
}

async function look(stage: Stage, say: (what: string, seen: boolean) => void): Promise<void> {
  const { model, setup } = stage;
  const args = setup.args ? ['--', setup.bin.split('/').at(-1)!, ...setup.args] : [];
  await stage.herd('new', stage.name, '--agent', setup.kind, ...args);
  const window = new Window(stage);
  try {
    await stage.until(['idle', 'done'], setup.startLimit ?? 60_000);
    window.keep('1-start');
    model.steps.push({
      delay: 500,
      text: 'I will run a command.',
      tools: [{ kind: 'shell', command: 'sh scripts/check.sh', escalate: true, why: 'Run the checks' }],
    });
    await stage.herd('send', stage.name, 'run the checks');
    const blocked = await stage.until(['blocked'], 60_000).then(
      () => true,
      () => false,
    );
    say('asks', blocked);
    window.keep('2-dialog');
    window.resize(50, 20);
    await new Promise((r) => setTimeout(r, 1500));
    window.keep('2-dialog');
    for (const [cols, rows] of [
      [80, 24],
      [160, 48],
    ] as const) {
      window.resize(cols, rows);
      await new Promise((r) => setTimeout(r, 1500));
      window.type(QUEUE);
      say(`its question in the list at ${cols}x${rows}`, await window.see(/needs you[\s\S]*check\.sh[\s\S]*esc back/));
      window.keep('2-list');
      if (cols === 80) window.type('\x1b');
    }
    // Not taken while the dialog is drawn anew in its old size: then it is shown again.
    let answered = false;
    for (let tries = 0; blocked && !answered && tries < 10; tries++) {
      window.type('N');
      await new Promise((r) => setTimeout(r, 1000));
      answered = (await stage.status()).state !== 'blocked';
    }
    say('answered from the list', answered);
    await stage.until(['idle', 'done'], 30_000);
    window.type('\x1b');
    model.steps.length = 0;
    model.steps.push({ delay: 2000, text: LONG, speed: 120 });
    await stage.herd('send', stage.name, 'describe every step');
    await stage.until(['working'], 10_000);
    window.keep('3-work');
    window.resize(80, 24);
    say('the turn goes on at 80x24', await window.see(/Read the input line/));
    window.keep('4-resized');
    await stage.until(['idle', 'done'], 60_000);
    window.keep('5-rested');
    const first = () => Number(/(\d+)\. Read/.exec(window.screen)?.[1]);
    const rested = first();
    window.type('\x1b[<64;20;10M'.repeat(5));
    say('scrolled back', await window.until(() => first() < rested));
    window.keep('6-back');
    window.type('\x1b[<65;20;10M'.repeat(40));
    window.type('\x1b[200~first line\nsecond line\nthird line\x1b[201~');
    say('three lines in the input box, not sent', await window.see(/third line|\[Pasted|3 lines/i));
    window.type('\x1b[13;2u');
    window.type('fourth');
    say('Shift+Enter makes a new line', (await window.see(/fourth/)) && (await stage.status()).state !== 'working');
    window.keep('7-paste');
    window.resize(50, 20);
    // Until the agent has drawn itself at that width.
    await window.see(/fourth/);
    await new Promise((r) => setTimeout(r, 2000));
    window.keep('8-phone');
    window.resize(160, 48);
    say('back at 160x48', await window.see(/fourth/));
  } finally {
    window.close();
  }
}

const ready = SETUPS.filter(({ kind }) => process.argv.includes(kind)).map((setup) => ({ setup, at: install(setup) }));
// Agents get loopback and nothing else, where this user may make a network of its own.
if (!process.env[INSIDE] && spawnSync('unshare', ['-n', 'true']).status === 0) {
  const again = ['-n', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync('unshare', again, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1);
}
mkdirSync(OUT, { recursive: true });
for (const { setup, at } of ready) {
  if ('missing' in at) {
    console.log(`${setup.kind}: ${at.missing}`);
    continue;
  }
  const stage = await Stage.open(setup, join(at.folder, 'node_modules/.bin', setup.bin));
  await look(stage, (what, seen) => console.log(`${setup.kind.padEnd(9)} ${what.padEnd(40)} ${seen ? 'seen' : 'NOT SEEN'}`)).catch(
    (error: Error) => console.log(`${setup.kind}: ${error.message.slice(0, 2000)}`),
  );
  await stage.close();
}
process.exit(0);
