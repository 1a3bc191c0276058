// The table of rooms is enforced: a source tree that breaks it is refused, rule by rule. The map of it names what is there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('imports upwards, I/O in the model and a second user of node-pty are refused', () => {
  const cruise = join(ROOT, 'node_modules/.bin/depcruise');
  const ran = spawnSync(cruise, ['--config', join(ROOT, '.dependency-cruiser.cjs'), '--ts-config', join(ROOT, 'tsconfig.json'), 'src'], {
    cwd: join(ROOT, 'test/fixtures/rooms'),
    encoding: 'utf8',
  });
  expect(ran.status).toBeGreaterThan(0);
  expect(ran.stdout).toMatch(/room-model: src\/model\/upward\.ts → src\/wire\/frame\.ts/);
  expect(ran.stdout).toMatch(/model-is-pure: src\/model\/upward\.ts → fs/);
  expect(ran.stdout).toMatch(/sole-user-0: src\/holder\/second-user\.ts → .*node-pty/);
});

test('every place that ARCHITECTURE.md names is there', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const named = map.match(new RegExp(`\\b(?:${rooms.map(({ name }) => name).join('|')})/[a-z/-]*[a-z]`, 'g')) ?? [];
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !['', '.ts', '.tsx'].some((end) => existsSync(join(ROOT, 'src', `${name}${end}`))))).toEqual([]);
});
