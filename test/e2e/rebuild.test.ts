// A build under live clients and servers: what they may still load stays, what is long out of use goes.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('a build leaves the chunks of recent builds and removes old ones', () => {
  const copy = mkdtempSync(join(tmpdir(), 'hb-'));
  try {
    const files = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const name of ['src', ...files.map((file) => file.name)]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const build = (...words: string[]) => execFileSync(process.execPath, ['build.ts', ...words], { cwd: copy });
    build();
    const [recent, old] = ['chunk-RECENT.js', 'chunk-OLD.js'].map((name) => join(copy, 'dist', name)) as [string, string];
    for (const path of [recent, old]) writeFileSync(path, '');
    utimesSync(old, new Date(0), new Date(0));
    build();
    expect([existsSync(recent), existsSync(old)]).toEqual([true, false]);
    build('--clean');
    expect([existsSync(recent), existsSync(join(copy, 'dist/main.js'))]).toEqual([false, true]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
