// Limits read from what agents print, waits, pace, caps, what structured output tells, and what all that makes of an attempt.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../../test/support/own-folder.ts';
import { nextState } from '../queue/settle.ts';
import { allowance, type Standing, stopReason } from './caps.ts';
import { classify, type Ended } from './classify.ts';
import { commandFor, HEADLESS, OutputReader } from './headless.ts';
import { findLimit, findReset, findWait } from './limits.ts';
import { OutputFollower } from './output-follower.ts';
import { Pace, rateWait, WINDOW } from './pace.ts';
import { markedByPs } from './sweep.ts';

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);

const limits: [text: string, found: ReturnType<typeof findLimit>][] = [
  ['API Error: 429 {"type":"rate_limit_error"}', { kind: 'rate', after: null }],
  ['Overloaded (529), retry-after: 12', { kind: 'rate', after: 12_000 }],
  ['Rate limit reached, please try again in 1.5s.', { kind: 'rate', after: 1500 }],
  ['Claude AI usage limit reached|1796050000', { kind: 'usage', until: 1_796_050_000_000 }],
  ["You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.", { kind: 'usage', until: NOW + 273_900_000 }],
  ['5-hour limit reached ∙ resets 3pm (UTC)', { kind: 'usage', until: NOW + 3 * 3_600_000 }],
  ['usage limit, resets at 2026-12-01T00:00:00Z', { kind: 'usage', until: NOW + 12 * 3_600_000 }],
  ['quota exceeded', { kind: 'usage', until: null }],
  ['usage limit reached, try again in 20 seconds', { kind: 'rate', after: 20_000 }],
  ['line 429a of the file', null],
  ['all good', null],
];

test.each(limits)('%s', (text, found) => {
  expect(findLimit(text, NOW)).toEqual(found);
});

test('a wait is what the service says, else doubles up to sixteen seconds, give or take a fifth', () => {
  expect(findWait('"retry-after-ms": 250')).toBe(250);
  expect(findReset('resets 11am (UTC)', NOW)).toBe(NOW + 23 * 3_600_000);
  expect([0, 1, 2, 3, 4].map((hits) => [rateWait(hits, null, 0), rateWait(hits, null, 1)])).toEqual([
    [800, 1200],
    [1600, 2400],
    [3200, 4800],
    [6400, 9600],
    [12_800, 19_200],
  ]);
  expect(rateWait(0, 10_000, 0)).toBe(10_000);
});

test('the pace is cut once for all limits of a moment and grows by one', () => {
  const pace = new Pace(20);
  for (let i = 0; i < 10; i++) pace.limited(NOW + i);
  expect([pace.limit, pace.open(NOW + 10), pace.open(NOW + WINDOW)]).toEqual([10, false, true]);
  pace.succeeded();
  expect(pace.limit).toBe(11);
  for (let i = 1; i < 9; i++) pace.limited(NOW + i * WINDOW);
  expect(pace.limit).toBe(1);
});

const STOP = { failureShare: 0.1, after: 20, cost: 0.5, tokens: null, time: null };
const standing = (s: Partial<Standing>): Standing => ({ costs: [], tokens: [], running: 0, settled: 0, failed: 0, time: 0, ...s });

test('a cap counts what runs; before the first cost is known one starts at a time', () => {
  expect(allowance(STOP, standing({}))).toBe(1);
  expect(allowance(STOP, standing({ running: 1 }))).toBe(0);
  expect(allowance(STOP, standing({ costs: [0.1, 0.1], running: 2 }))).toBe(1);
  expect(allowance({ ...STOP, cost: null }, standing({}))).toBe(Number.POSITIVE_INFINITY);
  expect(stopReason(STOP, standing({ costs: [0.1, 0.1, 0.1, 0.1, 0.1] }))).toMatch(/no room/);
  expect(stopReason(STOP, standing({ costs: [null, null, null] }))).toMatch(/do not say what they cost/);
  expect(stopReason({ ...STOP, cost: null }, standing({ settled: 20, failed: 2 }))).toBeNull();
  expect(stopReason({ ...STOP, cost: null }, standing({ settled: 20, failed: 3 }))).toMatch(/3 of 20/);
});

test('structured output of agents', () => {
  const read = (kind: string, lines: object[]) => {
    const reader = new OutputReader(HEADLESS[kind]!.readings);
    for (const line of lines) reader.line(JSON.stringify(line));
    return reader.told;
  };
  expect(
    read('qwen', [{ type: 'result', result: 'done', total_cost_usd: 0.25, is_error: false, usage: { input_tokens: 5, output_tokens: 7 } }]),
  ).toEqual({
    ...{ cost: 0.25, tokens: 12, result: 'done', error: null, failed: false },
  });
  const turn = { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 1 } };
  expect(read('codex', [turn, { type: 'item.completed', item: { type: 'agent_message', text: 'hi' } }, turn])).toMatchObject({
    tokens: 22,
    cost: null,
    result: 'hi',
  });
  const said = (error?: string) => ({
    type: 'message_end',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
      errorMessage: error,
      usage: { input: 1, output: 2, cost: { total: 0.1 } },
    },
  });
  expect(read('pi', [said('429'), said()])).toMatchObject({ cost: 0.2, tokens: 6, result: 'x', error: null });
  expect(read('pi', [said(), said('limit')])).toMatchObject({ error: 'limit' });
  expect(read('copilot', [{ type: 'result', total_cost_usd: 1 }])).toMatchObject({ cost: null });
});

/** What Claude Code 2.1 prints of one message, shortened. */
function claudeMessage(id: string, input: number, output: number): object[] {
  const usage = { input_tokens: input, output_tokens: 1, cache_creation_input_tokens: 3, cache_read_input_tokens: 0 };
  return [
    { type: 'stream_event', event: { type: 'message_start', message: { id, usage } } },
    { type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'I look' } } },
    { type: 'assistant', message: { id, content: [{ type: 'text', text: 'I look' }], usage } },
    { type: 'assistant', message: { id, content: [{ type: 'tool_use', name: 'Bash' }], usage } },
    { type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: output } } },
  ];
}

test('the tokens of Claude Code are counted with every message; its end has the last word', () => {
  const reader = new OutputReader(HEADLESS.claude!.readings);
  const tell = (lines: object[]) => {
    for (const line of lines) reader.line(JSON.stringify(line));
    return { ...reader.told };
  };
  expect(tell(claudeMessage('a', 900, 80))).toEqual({ cost: null, tokens: 983, result: null, error: null, failed: false });
  expect(tell(claudeMessage('b', 950, 20)).tokens).toBe(983 + 973);
  const end = {
    ...{ type: 'result', total_cost_usd: 0.0104, usage: { input_tokens: 900, output_tokens: 80 } },
    modelUsage: { opus: { inputTokens: 1850, outputTokens: 100, costUSD: 0.01 }, haiku: { inputTokens: 40, cacheReadInputTokens: 2 } },
  };
  expect(tell([{ ...end, subtype: 'success', is_error: false, result: 'done' }])).toEqual({
    ...{ cost: 0.0104, tokens: 1992, result: 'done', error: null, failed: false },
  });
  expect(tell([{ ...end, subtype: 'error_max_budget_usd', is_error: true, errors: ['Reached maximum budget ($0.006)'] }])).toMatchObject({
    ...{ tokens: 1992, error: 'Reached maximum budget ($0.006)', failed: true },
  });
});

test('each kind of agent is called with its prompt where it takes it, and with a cap where it has one', () => {
  const free = { cost: null, tokens: null };
  const call = (kind: string, command: string[] | null, prompt: string, budget = free as { cost: number | null; tokens: number | null }) =>
    commandFor(HEADLESS[kind]!, { command, prompt, budget });
  expect(call('pi', null, 'a $b {prompt}')).toEqual({ argv: ['pi', '-p', '--mode', 'json', 'a $b {prompt}'], input: '' });
  expect(call('command', ['run', '-'], 'hello', { ...free, cost: 1 })).toEqual({ argv: ['run', '-'], input: 'hello' });
  expect(call('claude', null, 'x').argv).not.toContain('--max-budget-usd');
  expect(call('claude', null, 'x', { ...free, cost: 0.5 })).toMatchObject({
    argv: expect.arrayContaining(['--max-budget-usd', '0.5']),
    input: 'x',
  });
  expect(call('claude', ['claude', '-p'], 'x', { ...free, cost: 0.5 }).argv).toEqual(['claude', '-p']);
});

const NOTHING = { cost: null, tokens: null, result: null, error: null, failed: false };
const ends: [Partial<Ended>, kind: string, why: RegExp | null][] = [
  [{ code: 0 }, 'ok', null],
  [{ code: 3 }, 'fail', /exit code 3/],
  [{ code: 139 }, 'crash', /signal 11/],
  [{ code: null, signal: 'SIGKILL' }, 'crash', /SIGKILL/],
  [{ code: null }, 'lost', /vanished/],
  [{ code: 127, tail: 'sh: pi: not found' }, 'fail', /could not be run: sh: pi: not found/],
  [{ code: 1, tail: '429 too many requests' }, 'rate', /next try in/],
  [{ code: 0, tail: 'the docs mention 429' }, 'ok', null],
  [{ code: 0, told: { ...NOTHING, error: 'usage limit reached' } }, 'limit', /usage limit of acme/],
  [{ code: 0, told: { ...NOTHING, failed: true } }, 'fail', /reported a failure/],
  [{ code: 1, told: { ...NOTHING, failed: true, result: 'API Error: Request rejected (429)' } }, 'rate', /next try in/],
  [
    { code: 1, told: { ...NOTHING, failed: true, error: 'Reached maximum budget' }, tail: '"error":"rate_limit"' },
    'fail',
    /maximum budget/,
  ],
  [{ code: 0, ended: 'timeout' }, 'timeout', /longer than its timeout/],
  [{ code: 0, ended: 'handed-back' }, 'lost', /drained/],
];

test.each(ends)('%o is %s', (end, kind, why) => {
  const outcome = classify({ code: null, signal: null, ended: null, told: NOTHING, tail: '', rateHits: 0, ...end }, 'acme', NOW, 0.5);
  expect(outcome.kind).toBe(kind);
  if (why) expect(outcome.why).toMatch(why);
  else expect(outcome.why).toBeNull();
});

test('output is followed as it grows, wherever a line is cut; what is no message is skipped', async () => {
  const file = join(ownFolder(), 'out');
  const follower = new OutputFollower(file, HEADLESS.codex!.readings);
  expect((await follower.read()).tokens).toBeNull();
  const line = '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":2}}\n';
  const all = `${line}no JSON\n${'x'.repeat(5 * 1024 * 1024)}\n${line}`;
  for (let from = 0; from < all.length; from += 700_001) {
    appendFileSync(file, all.slice(from, from + 700_001));
    await follower.read();
  }
  expect((await follower.read()).tokens).toBe(14);
});

test('limits are tried again without end, rates and losses a few times, all else never', () => {
  const rules = { rateRetries: 5, lostRetries: 2 };
  const next = (kind: 'ok' | 'rate' | 'limit' | 'lost' | 'fail' | 'cancelled', rate = 0, lost = 0) =>
    nextState({ kind, why: null, cost: null, tokens: null }, { rate, lost }, rules);
  expect([
    next('ok'),
    next('rate', 4),
    next('rate', 5),
    next('limit', 9, 9),
    next('lost', 0, 1),
    next('lost', 0, 2),
    next('fail'),
    next('cancelled'),
  ]).toEqual([...['done', 'ready', 'failed', 'ready', 'ready', 'failed', 'failed', 'cancelled']]);
});

test('marked processes in the output of ps', () => {
  expect(markedByPs(new Set(['HERD_ATTEMPT=a.b.1']), '  12 sleep 5 HERD_ATTEMPT=a.b.1 X=1\n  13 sleep HERD_ATTEMPT=a.b.11\n')).toEqual([
    12,
  ]);
});
