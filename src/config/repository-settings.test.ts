// `.herd.toml` is the repository's word: whatever stands at its place, reading it ends and is bounded.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allow, isAllowed, readRepositorySettings } from './repository-settings.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'herd-settings-'));
  file = join(dir, '.herd.toml');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = () => readRepositorySettings(dir, '/repository');
const setup = (command: string) => `[worktree]\nsetup = ["${command}"]\n`;

test.each<[string, () => void, string]>([
  ['a pipe', () => void execFileSync('mkfifo', [file]), 'cannot be read (EINVAL)'],
  ['a device', () => symlinkSync('/dev/zero', file), 'cannot be read (EINVAL)'],
  ['a folder', () => mkdirSync(file), 'cannot be read (EINVAL)'],
  ['a file of more than 64 KiB', () => writeFileSync(file, `#${'x'.repeat(64 * 1024)}`), 'cannot be read (EFBIG)'],
])('%s is a fault, and nothing of it is allowed', (_what, make, message) => {
  make();
  const settings = read()!;
  expect(settings).toMatchObject({ copy: [], setup: [], faults: [{ file, message }] });
  mkdirSync(join(dir, 'consents'));
  expect(isAllowed(join(dir, 'consents'), settings)).toBe(false);
});

test('a file of 64 KiB, and one behind a link, are read', () => {
  const text = setup('make');
  writeFileSync(join(dir, 'elsewhere'), text.padEnd(64 * 1024, '\n'));
  symlinkSync('elsewhere', file);
  expect(read()).toMatchObject({ setup: ['make'], faults: [] });
});

test('agreement is to one content of one repository', () => {
  const consents = join(dir, 'consents');
  writeFileSync(file, setup('make'));
  expect(read()).not.toBeNull();
  allow(consents, read()!, '/repository');
  expect(isAllowed(consents, read()!)).toBe(true);
  expect(isAllowed(consents, readRepositorySettings(dir, '/another')!)).toBe(false);
  writeFileSync(file, setup('make all'));
  expect(isAllowed(consents, read()!)).toBe(false);
});
