// What the holder sends, in its order: an exit is told behind all output, whenever the holder tells it.
import { expect, test } from 'vitest';
import { UNKNOWN_OUTER } from '../model/outer.ts';
import { Turns } from '../terminal/turns.ts';
import { Later } from '../wire/later.ts';
import { CheckpointBudget } from './checkpoint-budget.ts';
import { HostedTerminal } from './hosted-terminal.ts';

function hosted(from: number) {
  const log: string[] = [];
  const terminal: HostedTerminal = new HostedTerminal({
    ...{ id: 1, cols: 80, rows: 24, from, version: '0.0.0', outer: () => UNKNOWN_OUTER },
    holder: { processed() {}, input: (_, bytes) => log.push(`input ${Buffer.from(bytes)}`), checkpoint: async () => true },
    events: {
      onOutput: () => {},
      onFact: () => {},
      onResized: (_, cols, rows) => log.push(`${cols}x${rows}`),
      onExit: (_, { code }) => log.push(`exit ${code} at ${terminal.parsed}`),
      onTrouble: (_, text) => log.push(text),
    },
    ...{ budget: new CheckpointBudget(() => 0), turns: new Turns(), reports: new Later((send) => send()) },
  });
  const prime = () => terminal.prime({ cols: 80, rows: 24, vt: new Uint8Array(0), offset: from, liveFrom: from });
  return { terminal, log, prime };
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
