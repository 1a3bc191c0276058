import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keysReference } from './keys-reference.ts';

test('is what stands in docs: node src/tui/input/keys-reference.ts > docs/keys.md', () => {
  expect(readFileSync(join(import.meta.dirname, '../../../docs/keys.md'), 'utf8')).toBe(keysReference());
});
