// What is shipped carries the licences of all that it is made of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('each bundled package stands in the notices with its version, its licence and its text', () => {
  const text = readFileSync(join(import.meta.dirname, '../../dist/third-party-licenses.txt'), 'utf8');
  const [, ...sections] = text.split(/^-{80}\n\n/m);
  const heads = sections.map((section) => /^(\S+) \d\S* \([\w.-]+\)\n\n/.exec(section)?.[1]);
  // Of each of the three bundles, a package that comes without a text, and one under another licence.
  expect(heads).toEqual(expect.arrayContaining(['@xterm/headless', 'diff', 'ink', 'react', 'shiki', 'simple-git', 'yoga-layout']));
  expect(heads.filter((head) => head === undefined)).toEqual([]);
  for (const section of sections) expect(section).toMatch(/copyright[\s\S]*(permission|redistribution|permitted)/i);
});
