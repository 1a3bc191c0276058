import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configReference } from './reference.ts';
import { SETTINGS } from './settings.ts';

test('names every setting', () => {
  for (const key of Object.keys(SETTINGS)) expect(configReference()).toContain(`\`${key}\``);
});

test('is what stands in docs: node src/config/reference.ts > docs/config.md', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/config.md'), 'utf8')).toBe(configReference());
});
