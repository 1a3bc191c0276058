import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { READ } from '../wire/direct-socket.ts';
import type { HolderEvent } from '../wire/holder-protocol.ts';
import type { System } from './end-terminal.ts';
import { type Follower, Held } from './held-terminal.ts';
import { processes } from './processes.ts';

const system: System = {
  processes,
  signal: (pid, signal) => {
    try {
      process.kill(pid, signal);
    } catch {
      // gone
    }
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => clock,
};
/** ms; stands still, so that a slow machine is no different. */
let clock = 0;

/** A person types into another terminal. */
let elsewhere = false;
const typing = { elsewhere: () => elsewhere };

let held: Held;
/** What the terminal has put off, and whether it waits for a round. */
const later = new Set<() => void>();
const rounds = new Set<() => void>();
afterEach(async () => {
  await held.end(0);
  later.clear();
  rounds.clear();
});
afterEach(() => {
  elsewhere = false;
});

function inSet(set: Set<() => void>) {
  return { add: (call: () => void) => void set.add(call), withdraw: (call: () => void) => void set.delete(call) };
}

function call(set: Set<() => void>): void {
  const due = [...set];
  set.clear();
  for (const send of due) send();
}

function start(script: string): Held {
  const spec = { argv: ['sh', '-c', `stty raw -echo; ${script}`], cwd: tmpdir(), env: { PATH: process.env.PATH! }, cols: 80, rows: 24 };
  const room = Buffer.allocUnsafeSlow(READ);
  const shared = { later: { add: (send: () => void) => void later.add(send) }, rounds: inSet(rounds), typing, room };
  held = new Held({ id: 1, spec, mark: 'HERD_HOLDER=test', system, now: 0, ...shared });
  return held;
}

/** A server's end that keeps what it gets; reports it as parsed at once if told so. */
class Recorder implements Follower {
  text = '';
  next = 0;
  events: HolderEvent[] = [];
  readonly acknowledges: boolean;
  constructor(acknowledges: boolean) {
    this.acknowledges = acknowledges;
  }

  output(_: number, offset: number, bytes: Uint8Array): boolean {
    if (offset !== this.next && this.next > 0) throw new Error(`output at ${offset}, expected at ${this.next}`);
    this.text += Buffer.from(bytes).toString('latin1');
    this.next = offset + bytes.length;
    if (this.acknowledges) setImmediate(() => held.parsed(this, this.next, new Uint8Array(0)));
    return true;
  }

  event(event: HolderEvent): void {
    this.events.push(event);
    if (event.event === 'resized') this.text += `<${event.cols}x${event.rows}>`;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function follow(recorder: Recorder, from: number): { cols: number; rows: number } | null {
  const size = held.follow(recorder, from);
  held.pump();
  return size;
}

test('what is for one program is written only while that one is in front', async () => {
  start('echo ready; read -r x; echo "got $x"; read -r x; echo "then $x"');
  const reader = new Recorder(true);
  follow(reader, 0);
  // Not before: until then what is written would be echoed.
  await until(() => reader.text === 'ready\n');
  const group = held.foreground()!;
  expect(held.writeIfForeground(group + 1, Buffer.from('wrong\n'))).toBe(false);
  expect(held.writeIfForeground(group, Buffer.from('right\n'))).toBe(true);
  held.write(Buffer.from('more\n'));
  await until(() => reader.text === 'ready\ngot right\nthen more\n');
  await held.exited;
  expect(held.writeIfForeground(group, Buffer.from('late\n'))).toBe(false);
});

test('a size changes where it did in the output, for whoever reads it later', async () => {
  start('echo one; read -r x; echo two; read -r x; echo three; read -r x');
  const first = new Recorder(true);
  follow(first, 0);
  await until(() => first.text.includes('one\n'));
  held.resize(100, 30);
  held.write(Buffer.from('\n'));
  await until(() => first.text.includes('two\n'));
  held.resize(50, 20);
  held.write(Buffer.from('\n'));
  await until(() => first.text.includes('three\n'));
  expect(first.text).toBe('one\n<100x30>two\n<50x20>three\n');
  const later = new Recorder(true);
  expect(follow(later, 0)).toEqual({ cols: 80, rows: 24 });
  await until(() => later.text === first.text);
  held.checkpointed('a', 6);
  const last = new Recorder(true);
  expect(follow(last, 3)).toBe(null);
  expect(follow(last, 6)).toEqual({ cols: 100, rows: 30 });
  await until(() => last.text === 'o\n<50x20>three\n');
});

test('a reader that reports nothing gets a window and no more, and the program waits', async () => {
  clock = 1000;
  start('seq 1 300000; echo end');
  const slow = new Recorder(false);
  follow(slow, 0);
  await until(() => held.describe().end > 512 * 1024);
  expect(slow.next).toBeLessThanOrEqual(256 * 1024);
  expect(held.describe().end).toBeLessThan(768 * 1024);
  clock += 700;
  expect(held.unfollow(slow)).toEqual({ from: 0, to: slow.next, stuck: 700 });
  const quick = new Recorder(true);
  follow(quick, 0);
  await until(() => quick.text.endsWith('end\n'));
  expect(quick.text.length).toBe(1988895 + 4);
});

test('what nobody reads is kept from a line on, bounded, and the gap is told', async () => {
  start('seq 1 1000000; exec sleep 60');
  await until(() => held.describe().end === 6888896);
  const { kept, end, gap } = held.describe();
  expect(end - kept).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(gap).toEqual({ from: 0, to: kept });
  const reader = new Recorder(true);
  follow(reader, kept);
  await until(() => held.describe().processed === end);
  const lines = reader.text.split('\n');
  expect(Number(lines[0])).toBe(1000000 - lines.length + 2);
  held.checkpointed('a', end);
  expect(held.describe()).toMatchObject({ gap: null, kept: end, checkpoint: { id: 'a', offset: end } });
});

test('answers reach the program with the report, and only from the follower', async () => {
  start('echo ready; head -c 3 | od -An -c; exec sleep 60');
  const reader = new Recorder(false);
  follow(reader, 0);
  await until(() => reader.text === 'ready\n');
  held.parsed(new Recorder(false), 0, Buffer.from('zzz'));
  held.parsed(reader, 99999, Buffer.from('yyy'));
  held.parsed(reader, 6, Buffer.from('abc'));
  await until(() => reader.text.includes('c\n'));
  expect(reader.text.replace(/\s/g, '')).toBe('readyabc');
});

test('a checkpoint of what was never reported as parsed, or older than the last, is not taken', async () => {
  start('echo hello; exec sleep 60');
  const reader = new Recorder(false);
  follow(reader, 0);
  await until(() => reader.text === 'hello\n');
  held.checkpointed('a', 3);
  expect(held.describe().checkpoint).toBe(null);
  held.parsed(reader, 6, new Uint8Array(0));
  expect([held.checkpointed('b', 5), held.checkpointed('c', 4)]).toEqual([true, false]);
  expect(held.describe()).toMatchObject({ checkpoint: { id: 'b', offset: 5 }, kept: 5 });
});

test('the exit comes last, and again for a later reader', async () => {
  start('echo bye; exit 4');
  await held.exited;
  for (const reader of [new Recorder(true), new Recorder(true)]) {
    follow(reader, 0);
    await until(() => reader.events.length > 0);
    expect(reader.text).toBe('bye\n');
    expect(reader.events).toEqual([{ event: 'exit', terminal: 1, code: 4, signal: null, end: 4 }]);
  }
});

test('a program that was not written to for a while sends small output with that of others, and at once when it is written to again', async () => {
  start('echo ready; read -r x; echo spinner; read -r x; echo echo; read -r x');
  const reader = new Recorder(true);
  follow(reader, 0);
  await until(() => reader.text === 'ready\n');
  held.write(Buffer.from('\n'));
  // The clock jumps before the program can answer: to the terminal this is an old question.
  clock += 5000;
  await until(() => held.describe().end === 14);
  expect([reader.text, later.size]).toEqual(['ready\n', 1]);
  for (const send of later) send();
  expect(reader.text).toBe('ready\nspinner\n');
  held.write(Buffer.from('\n'));
  await until(() => reader.text === 'ready\nspinner\necho\n');
});

/** Prints 'tick' at each SIGUSR1, 64 KB at a SIGUSR2, and goes on at SIGALRM to its end. */
const TICKS = `trap 'echo tick' USR1; trap 'head -c 65536 /dev/zero' USR2; trap 'echo last; exit 3' ALRM; echo ready; while :; do sleep 0.02; done`;

/** A program that nobody has written to for a while has printed twice within a moment: it is read in rounds from here on. */
async function startOften(reader: Recorder): Promise<void> {
  start(TICKS);
  follow(reader, 0);
  await until(() => reader.text === 'ready\n');
  clock += 5000;
  for (const end of [11, 16]) {
    process.kill(held.pid, 'SIGUSR1');
    await until(() => held.describe().end === end);
    clock += 100;
  }
  expect([reader.text, later.size, rounds.size]).toEqual(['ready\n', 1, 1]);
}

/** Rounds go by until it has come. */
async function untilRead(condition: () => boolean): Promise<void> {
  await until(() => {
    call(rounds);
    return condition();
  });
}

test('what prints often is read in rounds and only there, for as long as it does', async () => {
  const reader = new Recorder(true);
  await startOften(reader);
  process.kill(held.pid, 'SIGUSR1');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(held.describe().end).toBe(16);
  await untilRead(() => reader.text === 'ready\ntick\ntick\ntick\n');
  clock += 1000;
  call(rounds);
  expect(rounds.size).toBe(0);
  process.kill(held.pid, 'SIGUSR1');
  await until(() => held.describe().end === 26);
});

test.each([
  ['it is written to', () => void held.write(Buffer.from('x'))],
  ['it floods', () => void process.kill(held.pid, 'SIGUSR2')],
])('a program is read as it prints once %s', async (_, happens) => {
  const reader = new Recorder(true);
  await startOften(reader);
  happens();
  await untilRead(() => rounds.size === 0);
  const { end } = held.describe();
  process.kill(held.pid, 'SIGUSR1');
  await until(() => held.describe().end > end);
});

test('what was printed before a change of size or the end is read before it', async () => {
  const reader = new Recorder(true);
  await startOften(reader);
  held.resize(100, 30);
  call(rounds);
  expect(reader.text).toBe('ready\ntick\ntick\n<100x30>');
  process.kill(held.pid, 'SIGALRM');
  await until(() => reader.events.length > 1);
  expect(reader.text).toBe('ready\ntick\ntick\n<100x30>last\n');
});

test('much output does not wait, nor does the end', async () => {
  start('echo ready; read -r x; head -c 20000 /dev/zero | tr "\\0" x; read -r x; printf bye');
  const reader = new Recorder(true);
  follow(reader, 0);
  await until(() => reader.text === 'ready\n');
  held.write(Buffer.from('\n'));
  clock += 5000;
  await until(() => reader.text.length >= 16_000);
  held.write(Buffer.from('\n'));
  clock += 5000;
  await held.exited;
  await until(() => reader.events.length > 0);
  expect(reader.text.length).toBe(20_009);
});

test('a flood beside a person who types goes at a pace, its program waits, and nothing is lost', async () => {
  start('echo ready; read -r x; seq 1 100000; echo end; exec sleep 60');
  const reader = new Recorder(true);
  follow(reader, 0);
  await until(() => reader.text === 'ready\n');
  elsewhere = true;
  held.write(Buffer.from('\n'));
  let sent = reader.next;
  let pauses = 0;
  for (; !reader.text.endsWith('end\n'); pauses++) {
    await until(() => later.size + rounds.size > 0 || reader.text.endsWith('end\n'));
    expect(reader.next - sent).toBeLessThanOrEqual(32 * 1024);
    expect(held.describe().end - reader.next).toBeLessThanOrEqual(256 * 1024);
    sent = reader.next;
    clock += 20;
    call(later);
    call(rounds);
  }
  expect(reader.text.length).toBe('ready\n'.length + 588_895 + 'end\n'.length);
  expect(pauses).toBeGreaterThanOrEqual(16);
});
