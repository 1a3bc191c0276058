import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../test/support/held-session.ts';
import { copyBeside, copyPrograms } from './copy-program.ts';

test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, string[]]>([
  ['macOS', 'darwin', {}, ['pbcopy']],
  ['Wayland, X beside it', 'linux', { WAYLAND_DISPLAY: 'w', DISPLAY: ':0' }, ['wl-copy', 'xclip', 'xsel']],
  ['X', 'linux', { DISPLAY: ':0' }, ['xclip', 'xsel']],
  ['no desktop', 'linux', {}, []],
  ['over SSH the desktop is not the one of the person', 'darwin', { SSH_CONNECTION: '1 2 3 4' }, []],
])('%s', (_name, platform, env, expected) => {
  expect(copyPrograms(platform, env).map(([program]) => program)).toEqual(expected);
});

test('the first program that there is gets the text, whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'herd-copy-'));
  try {
    const program = join(folder, 'take');
    const taken = join(folder, 'taken');
    writeFileSync(program, '#!/bin/sh\ncat > "$1.new"\nmv "$1.new" "$1"\n');
    chmodSync(program, 0o755);
    const text = 'é\n'.repeat(100_000);
    copyBeside([[join(folder, 'missing')], [program, taken], ['false']], text);
    const read = () => {
      try {
        return readFileSync(taken, 'utf8');
      } catch {
        return null;
      }
    };
    expect(await eventually(read, 'the text was taken')).toBe(text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
