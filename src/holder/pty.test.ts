import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node-pty';
import { expect, test } from 'vitest';
import { ownFolder } from '../../test/support/own-folder.ts';
import { READ } from '../wire/direct-socket.ts';
import type { ExitState } from '../wire/holder-protocol.ts';
import { Pty } from './pty.ts';

/** All read into it, as in a holder. */
const room = Buffer.allocUnsafeSlow(READ);
const place = { cwd: tmpdir(), env: { PATH: process.env.PATH! }, cols: 80, rows: 24 };

/** Runs a command to its end; `act` gets each chunk. */
function run(argv: string[], act: (pty: Pty, bytes: Buffer) => void = () => {}): Promise<{ output: Buffer; exit: ExitState }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const pty: Pty = new Pty(
      { ...place, argv },
      room,
      (bytes) => {
        chunks.push(Buffer.from(bytes));
        act(pty, bytes);
      },
      (exit) => resolve({ output: Buffer.concat(chunks), exit }),
    );
  });
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const expected = hash(Buffer.from(Array.from({ length: 100_000 }, (_, i) => `${i + 1}\r\n`).join('')));

test.each([
  ['read as it comes', () => {}],
  ['paused for a moment at each chunk', (pty: Pty) => pause(pty, 0)],
  ['paused across the exit', pauseNearTheEnd],
  ['collected from time to time', collectFromTimeToTime],
])('output at exit is whole, %s', async (_, act) => {
  for (let i = 0; i < 17; i++) {
    const { output, exit } = await run(['seq', '1', '100000'], act);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(hash(output)).toBe(expected);
  }
});

function pause(pty: Pty, ms: number): void {
  pty.pause();
  setTimeout(() => pty.resume(), ms);
}

function collectFromTimeToTime(pty: Pty): void {
  pty.pause();
  setTimeout(() => {
    pty.collect(16 * 1024);
    pty.resume();
  }, 1);
}

/** Stops reading where what is left fits into the kernel's buffer: the program ends while nobody reads. */
function pauseNearTheEnd(pty: Pty, chunk: Buffer): void {
  if (chunk.includes('99500')) pty.pause();
}

test.each([
  [['sh', '-c', 'exit 7'], { code: 7, signal: null }],
  [['sh', '-c', 'kill -9 $$'], { code: null, signal: 'SIGKILL' }],
])('%j ends with %j', async (argv, exit) => {
  expect((await run(argv)).exit).toEqual(exit);
});

test('a grandchild that keeps the terminal open does not hold the exit', async () => {
  const { output, exit } = await run(['sh', '-c', 'sleep 60 & echo $!; exit 3']);
  expect(exit.code).toBe(3);
  process.kill(Number(output.toString()), 'SIGKILL');
});

test('what many print at once comes to each as it was, out of one memory', async () => {
  const runs = Array.from({ length: 6 }, (_, i) => run(['sh', '-c', `for n in $(seq 1 400); do echo "${i} $n"; done`]));
  for (const [i, { output }] of (await Promise.all(runs)).entries())
    expect(output.toString()).toBe(Array.from({ length: 400 }, (_, n) => `${i} ${n + 1}\r\n`).join(''));
});

test.each([
  [{ argv: ['sh'], cwd: '/no/such/folder' }, 'There is no folder /no/such/folder.'],
  [{ argv: ['no-such-program-here'] }, 'There is no program "no-such-program-here" on the PATH.'],
  [{ argv: ['./x'] }, './x is not a program that can be run.'],
  [{ argv: [] }, 'No command was given.'],
])('refuses to start %j', (spec, message) => {
  expect(
    () =>
      new Pty(
        { ...place, ...spec },
        room,
        () => {},
        () => {},
      ),
  ).toThrow(message);
});

test.skipIf(process.platform !== 'linux')('the program leads a process session of its own and has the size asked for', async () => {
  const { output } = await run(['sh', '-c', 'read -r _ _ _ _ _ session _ < /proc/$$/stat; echo $(($$ - session)); stty size']);
  expect(output.toString()).toBe('0\r\n24 80\r\n');
});

test('a large paste arrives whole at a slow reader', async () => {
  const file = join(ownFolder(), 'in');
  const paste = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `line ${i} of a paste`).join('\n'));
  let started = false;
  await run(['sh', '-c', `stty raw -echo; echo go; head -c ${paste.length} > ${file}`], (pty) => {
    if (!started) pty.write(paste);
    started = true;
  });
  expect(hash(readFileSync(file))).toBe(hash(paste));
});

test.skipIf(process.platform !== 'linux')('leaves no descriptor behind', async () => {
  await run(['true']);
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  for (let i = 0; i < 20; i++) await run(['true']);
  expect(open()).toBeLessThanOrEqual(before + 1);
});

test('node-pty still has the private fields that the drain needs', () => {
  const pty = spawn('true', [], {}) as unknown as Record<string, unknown>;
  expect([typeof pty._pty, typeof pty._fd, typeof pty._socket, typeof pty._emittedClose]).toEqual([
    'string',
    'number',
    'object',
    'boolean',
  ]);
});
