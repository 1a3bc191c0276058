// Recordings of real agents, replayed through the real screen: the states they go through, and what is said of files that are none.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compileKind } from '../agents/kinds/compile.ts';
import { KINDS } from '../agents/kinds/table.ts';
import { Looker, lookAt } from '../agents/look.ts';
import { UNKNOWN_OUTER } from '../model/outer.ts';
import { Screen } from '../terminal/screen.ts';
import { CastError, readCast, replayCast } from './cast-replay.ts';
import { run as classify } from './commands/classify.ts';
import type { Call } from './verb.ts';

const FOLDER = new URL('../../test/fixtures/recordings/', import.meta.url);

/** States in order, for a recording or for one with everything but the screen cut out. */
async function states(file: string, kind: string, bare = false, drift?: (text: string) => string): Promise<string[]> {
  return (await changes(file, kind, bare, drift)).map(({ state }) => state);
}

/** The same with their times, in seconds of the recording. */
async function changes(file: string, kind: string, bare: boolean, drift = (text: string) => text) {
  const cast = readCast(readFileSync(new URL(`${file}.cast`, FOLDER), 'utf8'));
  if (bare)
    for (const event of cast.events) event.text = event.text.replace(/\x1b\](?:7501|[0129]|777|99);[^\x07\x1b]*(?:\x07|\x1b\\)/g, '');
  for (const event of cast.events) if (event.code === 'o') event.text = drift(event.text);
  const out: { at: number; state: string }[] = [];
  await replayCast(cast, KINDS.get(kind)!, (at, status) => out.push({ at, state: status.state }));
  return out;
}

const TURN = ['unknown', 'idle', 'working', 'done'];

/** Newer versions turn other glyphs and name other keys. */
const DRIFT: Record<string, (text: string) => string> = {
  'other spinners': (text) =>
    text
      .replace(/[\u2801-\u28ff]/g, (glyph) => '◜◝◞◟◴◷◶◵'[glyph.codePointAt(0)! % 8]!)
      .replace(/[✻✢✳✶✽]/g, (glyph) => '❖✦✧⚹⁕'['✻✢✳✶✽'.indexOf(glyph)]!)
      .replace(/[■⬝]/g, (glyph) => (glyph === '■' ? '▮' : '▯')),
  'other keys': (text) =>
    text
      .replace(/esc to interrupt/gi, 'ctrl+x halts it')
      .replace(/esc to cancel/gi, 'ctrl+x aborts')
      .replace(/esc interrupt|esc edit prompt/gi, 'ctrl+x halt'),
};

describe.each(Object.entries(DRIFT))('by the screen alone, with %s', (_name, drift) => {
  test.each([
    ['claude-question-a-120x40', 'claude', ['unknown', 'idle', 'working', 'blocked', 'working', 'done']],
    ['codex-quote-a-120x40', 'codex', TURN],
    ['copilot-two-turns-b-80x24', 'copilot', [...TURN, 'idle', 'working', 'done']],
    ['pi-paste-a-120x40', 'pi', TURN],
    ['pi-old-short-a-120x40', 'pi', TURN],
    ['cline-think-b-50x20', 'cline', TURN],
    ['kilo-short-a-120x40', 'kilo', TURN],
  ])('%s', async (file, kind, expected) => {
    expect(await states(file, kind, true, drift)).toEqual(expected);
  });
});

/** A look goes on from the one before; it must say what one at the bare screen says. */
test.each(readdirSync(FOLDER).filter((name) => KINDS.has(name.split('-')[0]!)))('look after look is as each alone: %s', async (name) => {
  const cast = readCast(readFileSync(new URL(name, FOLDER), 'utf8'));
  const kind = compileKind(KINDS.get(name.split('-')[0]!)!);
  const looker = new Looker(kind);
  const screen = new Screen({ ...cast, scrollback: 0, version: '0', outer: () => UNKNOWN_OUTER, onReply() {}, onFact() {} });
  for (const [i, event] of cast.events.entries()) {
    if (event.code === 'o') await screen.write(Buffer.from(event.text));
    if (i % 3 > 0) continue;
    const text = screen.text();
    expect(looker.look(text)).toEqual(lookAt(kind, text));
  }
  screen.dispose();
});

describe.each([
  ['with all evidence', false],
  ['by the screen alone', true],
])('%s', (_name, bare) => {
  test.each([
    ['claude-question-a-120x40', 'claude', ['unknown', 'idle', 'working', 'blocked', 'working', 'done']],
    ['claude-old-long-a-120x40', 'claude', TURN],
    ['claude-queue-b-160x48', 'claude', TURN],
    ['codex-quote-a-120x40', 'codex', TURN],
    ['gemini-first-run-a-50x20', 'gemini', ['unknown', 'blocked', 'idle']],
    ['qwen-virgin-a-65x35', 'qwen', ['unknown', 'blocked']],
    ['copilot-two-turns-b-80x24', 'copilot', [...TURN, 'idle', 'working', 'done']],
    ['pi-old-short-a-120x40', 'pi', TURN],
    ['opencode-typing-a-120x40', 'opencode', ['unknown', 'idle']],
    ['cline-think-b-50x20', 'cline', TURN],
    ['kilo-short-a-120x40', 'kilo', TURN],
  ])('%s', async (file, kind, expected) => {
    expect(await states(file, kind, bare)).toEqual(expected);
  });

  test('a model that falls silent for 9 s in the middle of its reply has not finished', async () => {
    const seen = await changes('codex-0.150-pauses-b-160x48', 'codex', bare);
    expect(seen.map(({ state }) => state)).toEqual(TURN);
    // Its last word came at 35.82 s.
    expect(seen.at(-1)!.at).toBeGreaterThan(35.8);
    expect(seen.at(-1)!.at).toBeLessThan(37);
  });

  test('an agent herd does not know is never said to have finished', async () => {
    const seen = await states('claude-old-long-a-120x40', 'generic', true);
    expect(seen).toContain('working');
    expect(seen).not.toContain('done');
    expect(seen).not.toContain('idle');
  });
});

test.each([
  ['', 1],
  ['{"version":3,"width":80,"height":24}', 1],
  ['{"version":2,"width":0,"height":24}', 1],
  ['{"version":2,"width":80,"height":24}\nnonsense\n[1,"o","x"]', 2],
  ['{"version":2,"width":80,"height":24}\n{"a":1}\n', 2],
])('%j is no recording', (text, line) => {
  expect(() => readCast(text)).toThrow(CastError);
  try {
    readCast(text);
  } catch (error) {
    expect((error as CastError).line).toBe(line);
  }
});

test('a last line that was cut off is left out', () => {
  expect(readCast('{"version":2,"width":80,"height":24}\n[1,"o","x"]\n[2,"o').events).toEqual([{ at: 1, code: 'o', text: 'x' }]);
});

test('a kind without rules is judged as any command, and the reader is told', async () => {
  const [lines, notes]: [unknown[], string[]] = [[], []];
  const out = { ndjson: (line: unknown) => lines.push(line), note: (text: string) => notes.push(text) };
  const call = { options: { agent: 'somebody' }, words: ['codex-quote-a-120x40.cast'], cwd: fileURLToPath(FOLDER), json: true, out };
  await classify({ ...call, paths: { config: '/nowhere' } } as unknown as Call);
  expect(lines).toContainEqual(expect.objectContaining({ state: 'working' }));
  expect(notes).toEqual([expect.stringContaining('no rules for "somebody"')]);
});
