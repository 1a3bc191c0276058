// The thread of the build, whose grammars bring their patterns translated, colours as the one of the sources.
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Language } from '../../src/tui/diff/highlight/languages.ts';
import type { Stretch, StretchBegun, StretchColors } from '../../src/tui/diff/highlight/worker.ts';

const TEXTS: readonly [Language, string][] = [
  ['typescript', 'export const name = <T>(x: T): T => { return x; } // why\n/* one\ntwo */ type A = `b`;'],
  ['rust', 'fn main() -> u8 { let s = "ä\\n"; /* x */ 0xff }'],
  ['html', '<p class="a">b</p><script>let a = 1;</script><style>p { color: red }</style>'],
  ['markdown', '# Head\n\n```ts\nconst a = 1;\n```\n**bold** `code`'],
];

async function colours(url: URL, language: Language, text: string): Promise<number[]> {
  const worker = new Worker(url, { env: {}, execArgv: [] });
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  worker.on('error', reject);
  worker.on('message', (message: StretchBegun | StretchColors) => {
    if ('spans' in message) resolve([...message.spans!]);
  });
  worker.postMessage({ id: 1, language, lines: text.split('\n'), key: 'a', after: null } satisfies Stretch);
  return promise.finally(() => worker.terminate());
}

test.each(TEXTS)('%s', async (language, text) => {
  const built = await colours(new URL('../../dist/highlight-worker.js', import.meta.url), language, text);
  const source = await colours(new URL('../../src/tui/diff/highlight/worker.ts', import.meta.url), language, text);
  expect(built.length).toBeGreaterThan(0);
  expect(built).toEqual(source);
});
