// `npm run tour`: walks the README's five minutes in a real terminal at two sizes, with scripted agents, and leaves what was seen in
// docs/tour: a recording (.cast) of each walk and pictures of its stations; the README's picture is one of them. Needs Chromium.
import { appendFileSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository } from '../../src/cli/demo/repository.ts';
import { SCRIPTS } from '../../src/cli/demo/scripts.ts';
import { Driver } from '../support/driver.ts';
import { emulatorAnsi } from '../support/emulator-ansi.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { takePicture } from '../support/screenshot.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/main.js');
const OUT = join(ROOT, 'docs/tour');
/** How fast the scripted agents work: fast enough to watch, slow enough to be seen working. */
const SPEED = '2';
/** ms that a screen must stand still before its picture. */
const STILL = 700;

class Walk {
  readonly outer: Outer;
  readonly #name: string;
  #station = 0;

  constructor(herd: Driver, name: string, cols: number, rows: number, argv: string[], cwd: string) {
    this.#name = name;
    const start = performance.now();
    const cast = join(OUT, `${name}.cast`);
    if (this.#station === 0) writeFileSync(cast, `${JSON.stringify({ version: 2, width: cols, height: rows, title: `herd, ${name}` })}\n`);
    const onText = (text: string) =>
      appendFileSync(cast, `${JSON.stringify([Number(((performance.now() - start) / 1000).toFixed(3)), 'o', text])}\n`);
    const env = { ...herd.env, COLORTERM: 'truecolor' };
    this.outer = new Outer({ cols, rows, argv: [process.execPath, MAIN, ...argv], env, cwd, onText });
  }

  async see(wanted: RegExp): Promise<void> {
    await eventually(
      () => wanted.test(this.outer.rows().join('\n')),
      `${this.#name} shows ${wanted}; it shows\n${this.outer.rows().join('\n')}`,
      60_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.outer.rows().join('\n')}`);
    });
  }

  /** Types keys, one chunk each as hands do. */
  async type(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.outer.send(key);
      await pause(key.length > 1 && !key.startsWith('\x02') ? 250 : 120);
    }
  }

  /** A picture of what stands there, once it stands still; of what moves, a moment later. */
  async station(what: string, moves = false): Promise<void> {
    let before = '';
    await eventually(async () => {
      const now = emulatorAnsi(this.outer.emulator);
      const same = before !== '' && (moves || now === before);
      before = now;
      if (!same) await pause(STILL);
      return same;
    }, 'the screen stands still');
    const file = join(OUT, `${this.#name}-${++this.#station}-${what}.png`);
    takePicture(before, this.outer.emulator.cols, file);
    process.stdout.write(`${file}\n`);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function walk(cols: number, rows: number): Promise<void> {
  await using herd = new Driver({ session: 'default' });
  const repository = join(herd.dir, 'work', 'shop');
  await makeRepository(repository);
  const name = `${cols}x${rows}`;
  const w = new Walk(herd, name, cols, rows, [], repository);
  await w.see(/new/i);
  await w.station('start');

  // 1. Start agents.
  for (const script of SCRIPTS) {
    await herd.ok(
      ['new', script.name, '--prompt', script.prompt, '--', process.execPath, MAIN, 'demo-agent', script.name, '--speed', SPEED],
      { cwd: repository },
    );
  }
  await w.see(/◐/);
  await w.station('working', true);

  // 2. Watch the list from another workspace: who needs you is told wherever you are; answer from the list.
  await w.type('\x023');
  await w.see(/▲/);
  await w.station('blocked');
  await w.type('\x02A');
  await w.see(/needs you/);
  await w.station('attention');
  await w.type('y');
  await herd.ok(['wait', 'fix-login', '--until', 'working,done,idle', '--timeout', '30']);
  await w.type('\x1b', '\x021');
  await w.see(/Expired and unknown/);

  // 3. Review.
  await w.type('\x02\t', 'g', 'j', 'j', 'j', 'j');
  await w.see(/session/);
  await w.station('diff');

  // 4. Steer.
  await w.type('g', '/session.expired', '\r', 'c', 'keep the old path for API callers: 401, no redirect');
  await w.station('comment');
  await w.type('\x13', 'S');
  await w.see(/ctrl\+s send/);
  await w.station('send');
  await w.type('\x13');
  await w.see(/· addressed ·/);
  await w.station('addressed');

  // Every key, and leaving.
  await w.type('\x1b', '\x02?');
  await w.station('help');
  await w.type('\x1b', '\x02d');
  await w.outer.exited;

  // 5. Come back.
  const back = new Outer({ cols, rows, argv: [process.execPath, MAIN], env: { ...herd.env, COLORTERM: 'truecolor' }, cwd: herd.dir });
  await eventually(() => back.rows().join('\n').includes('fix-login'), 'everything is there again', 30_000);
  await pause(2 * STILL);
  takePicture(emulatorAnsi(back.emulator), cols, join(OUT, `${name}-back.png`));
  back.send('\x02d');
  await back.exited;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
await walk(160, 48);
await walk(80, 24);
copyFileSync(join(OUT, '160x48-8-addressed.png'), join(ROOT, 'docs/screen.png'));
process.exit(0);
