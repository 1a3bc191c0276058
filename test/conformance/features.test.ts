// Everything that a modern terminal does with a program, done through herd in a real PTY. comparison.json has what a bare terminal and
// tmux make of the same cases; herd must not lose one that is recorded as working.
import { expect, test } from 'vitest';
import { FEATURES } from './features.ts';
import { readComparison } from './record.ts';
import { runFeatures } from './run-features.ts';

test('all recorded features work through herd', { timeout: 240_000 }, async () => {
  const recorded = readComparison();
  expect(Object.keys(recorded).sort()).toEqual(FEATURES.map(({ name }) => name).sort());
  const worked = await runFeatures('herd');
  const lost = FEATURES.filter(({ name }) => recorded[name]!.herd && !worked.get(name)).map(({ name }) => name);
  expect(lost).toEqual([]);
});
