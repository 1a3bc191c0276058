import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('a log says when, goes on where a line cannot be written, and ends with a word on it once it has its size', () => {
  const written: string[] = [];
  let full = true;
  const log = createLog((text) => {
    if (full) throw new Error('ENOSPC');
    written.push(text);
  });
  log('lost');
  full = false;
  log('kept');
  expect(written[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z kept\n$/);
  for (let i = 0; i < 5000; i++) log('x'.repeat(1024));
  expect(written.length).toBeLessThan(4200);
  expect(written.at(-1)).toMatch(/left out\.\n$/);
});
