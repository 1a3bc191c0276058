// Everything that a modern terminal does with a program, done through herd in a real PTY. comparison.json has what a bare terminal and
// tmux make of the same cases; herd must not lose one that is recorded as working.
import { expect, test } from 'vitest';
import { FEATURES } from './features.ts';
import { readComparison } from './record.ts';
import { type Limits, runFeatures } from './run-features.ts';

/** For a machine that is busy: what works never takes so long, whatever else runs. */
const PATIENT: Limits = { patience: 60_000, caseTime: 300_000 };

test('all recorded features work through herd', async () => {
  const recorded = readComparison();
  expect(Object.keys(recorded).sort()).toEqual(FEATURES.map(({ name }) => name).sort());
  const working = FEATURES.filter(({ name }) => recorded[name]!.herd);
  const worked = await runFeatures('herd', working, PATIENT);
  expect(working.filter(({ name }) => !worked.get(name)).map(({ name }) => name)).toEqual([]);
});
