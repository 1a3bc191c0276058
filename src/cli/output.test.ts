// What verbs print: JSON that drives no terminal and stays the same JSON, columns, ages, a reader that went away.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { age, columns, createOutput, plain } from './output.ts';

const HOSTILE = 'a\x1b[31mb\x9b31mc\u202ed\u2066e\x7f\n';

test('JSON holds hostile text whole, and nothing that a terminal obeys', async () => {
  const out = new PassThrough();
  const output = createOutput(out, new PassThrough());
  output.json({ text: HOSTILE });
  output.ndjson({ text: HOSTILE });
  await output.flush();
  const lines = String(out.read()).trimEnd().split('\n');
  for (const line of lines) {
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(JSON.parse(line)).toEqual({ text: HOSTILE });
  }
  expect(lines).toHaveLength(2);
});

test('text for people loses controls and keeps its letters', () => {
  expect(plain(HOSTILE)).toBe('a[31mb31mcde\n');
});

test('on a terminal text and notes lose what drives it, in a pipe text stays byte for byte; what herd has drawn is left alone', async () => {
  const printed = async (isTTY: boolean) => {
    const [out, err] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
    const output = createOutput(out, err);
    output.text(HOSTILE);
    output.note(HOSTILE);
    output.drawn(HOSTILE);
    await output.flush();
    return [String(out.read()), String(err.read())];
  };
  const safe = 'a[31mb31mcde\n';
  expect(await printed(true)).toEqual([safe + HOSTILE, safe]);
  expect(await printed(false)).toEqual([HOSTILE + HOSTILE, safe]);
});

test('a reader that went away is no error', async () => {
  const out = new PassThrough();
  const output = createOutput(out, new PassThrough());
  out.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  output.text('nobody reads this');
  await output.flush();
  expect(out.read()).toBeNull();
});

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_600_000, '1h'],
  [90 * 3_600_000, '3d'],
  [-5, '0s'],
])('%d ms are %s', (ms, text) => expect(age(ms)).toBe(text));

test('columns align, the last is left as it is', () => {
  expect(
    columns([
      ['a', 'bb', 'c '],
      ['aaa', 'b', 'cc'],
    ]),
  ).toBe('a    bb  c\naaa  b   cc');
});
