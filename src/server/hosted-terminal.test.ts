// What the holder sends, in its order: an exit is told behind all output, whenever the holder tells it.
import { expect, test, vi } from 'vitest';
import { UNKNOWN_OUTER } from '../model/outer.ts';
import { Looks } from '../terminal/looks.ts';
import { Turns } from '../terminal/turns.ts';
import { Later } from '../wire/later.ts';
import { CheckpointBudget } from './checkpoint-budget.ts';
import { HostedTerminal } from './hosted-terminal.ts';

function hosted(from: number) {
  const log: string[] = [];
  const batches: number[] = [];
  const reports: [number, string][] = [];
  const terminal: HostedTerminal = new HostedTerminal({
    ...{ id: 1, cols: 80, rows: 24, from, version: '0.0.0', outer: () => UNKNOWN_OUTER },
    holder: {
      processed: (_, offset, reply) => reports.push([offset, `${Buffer.from(reply)}`]),
      input: (_, bytes) => log.push(`input ${Buffer.from(bytes)}`),
      checkpoint: async () => true,
    },
    events: {
      onOutput: (_, bytes) => batches.push(bytes),
      onFact: () => {},
      onResized: (_, cols, rows) => log.push(`${cols}x${rows}`),
      onExit: (_, { code }) => log.push(`exit ${code} at ${terminal.parsed}`),
      onTrouble: (_, text) => log.push(text),
    },
    ...{
      budget: new CheckpointBudget(() => 0),
      turns: new Turns(),
      looks: new Looks(),
      reports: new Later(20, (send) => send()),
      rests: new Later(400, (end) => end()),
    },
  });
  const prime = () => terminal.prime({ cols: 80, rows: 24, vt: new Uint8Array(0), offset: from, liveFrom: from });
  return { terminal, log, batches, reports, prime };
}

const EXIT = { code: 7, signal: null };
const OUTPUT = Buffer.from('x'.repeat(50_000));

test.each(['before', 'after'])('an exit told %s the output is asked for waits for the output', async (when) => {
  const { terminal, log, prime } = hosted(0);
  if (when === 'before') terminal.exited(EXIT, OUTPUT.length);
  await prime();
  if (when === 'after') terminal.exited(EXIT, OUTPUT.length);
  expect(log).toEqual([]);
  terminal.output(0, OUTPUT);
  terminal.exited(EXIT, OUTPUT.length);
  await terminal.parsedTo(OUTPUT.length);
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([`exit 7 at ${OUTPUT.length}`]);
  terminal.dispose();
});

test('an exit without any output, and one of a program whose output is not asked for, count at once', async () => {
  for (const [from, end] of [
    [0, 0],
    [300, 300],
    [Number.POSITIVE_INFINITY, 5000],
  ] as const) {
    const { terminal, log, prime } = hosted(from);
    await prime();
    terminal.exited(EXIT, end);
    expect(log.length).toBe(1);
    terminal.dispose();
  }
});

test('of a burst the first pieces are parsed as they come, the others together when it is over, or before what is no output', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { terminal, batches, log, prime } = hosted(0);
    await prime();
    const piece = Buffer.from('a line\r\n'.repeat(256));
    let offset = 0;
    const flood = (pieces: number) => {
      for (let i = 0; i < pieces; i++, offset += piece.length) terminal.output(offset, piece);
    };
    flood(12);
    expect(batches).toEqual(Array(8).fill(2048));
    vi.advanceTimersByTime(10);
    await terminal.parsedTo(offset);
    expect(batches.splice(0)).toEqual([...Array(8).fill(2048), 4 * 2048]);
    vi.advanceTimersByTime(10);
    await new Promise((resolve) => setImmediate(resolve));
    flood(11);
    expect(log).toEqual([]);
    terminal.resized(70, 20);
    await terminal.parsedTo(offset);
    expect(batches.splice(0)).toEqual([...Array(8).fill(2048), 3 * 2048]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['70x20']);
    terminal.dispose();
  } finally {
    vi.useRealTimers();
  }
});

test('output that tells nobody anything is put off, told of at once, seen by whoever looks, and reported a little later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  try {
    const { terminal, batches, reports, prime } = hosted(0);
    await prime();
    const spinner = Buffer.from('\x1b[1;1H\x1b[3mThinking\x1b[m');
    let offset = 0;
    const print = (bytes: Uint8Array) => {
      terminal.output(offset, bytes);
      offset += bytes.length;
    };
    for (let i = 0; i < 3; i++) print(spinner);
    expect([terminal.parsed, batches]).toEqual([0, Array(3).fill(spinner.length)]);
    expect(terminal.screen.text().lines[0]?.text).toBe('Thinking');
    vi.advanceTimersByTime(399);
    expect(reports).toEqual([]);
    vi.advanceTimersByTime(1);
    await turn();
    vi.advanceTimersByTime(20);
    expect([terminal.parsed, reports.splice(0)]).toEqual([offset, [[offset, '']]]);
    // A question is answered with all that came before it.
    print(spinner);
    print(Buffer.from('\x1b[6n'));
    expect(reports.splice(0)).toEqual([[offset, '\x1b[1;9R']]);
    // So much unreported that the holder would wait.
    for (let i = 0; i < 9; i++) print(Buffer.from('x'.repeat(500)));
    await turn();
    expect(reports.splice(0)).toEqual([[offset, '']]);
    // A server that begins tells what it has at once.
    print(spinner);
    await terminal.parsedTo(offset);
    expect(reports.splice(0)).toEqual([[offset, '']]);
    // A size, a saved screen and an exit stand behind all output.
    print(spinner);
    terminal.resized(70, 20);
    expect(terminal.parsed).toBe(offset);
    print(spinner);
    await terminal.save();
    expect(reports.splice(0)).toEqual([[offset, '']]);
    print(spinner);
    terminal.exited(EXIT, offset);
    expect(terminal.parsed).toBe(offset);
    terminal.dispose();
  } finally {
    vi.useRealTimers();
  }
});
