import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pty from 'node-pty';
import { afterAll, expect, test } from 'vitest';
import * as darwin from './process-looks.darwin.ts';
import { processLooks } from './process-looks.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'herd-looks-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that answers only to these arguments, with this text. */
function script(name: string, args: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n[ "$*" = '${args}' ] || exit 1\ncat <<'END'\n${text}\nEND\n`);
  chmodSync(path, 0o755);
  return path;
}

test.each([
  ['/usr/local/bin/node', 'node'],
  ['-zsh', 'zsh'],
  ['/Applications/My App.app/Contents/MacOS/My App', 'My App'],
  ['', null],
])('macOS: ps says %j', async (said, name) => {
  const ps = script('ps', '-o comm= -p 42', said);
  expect(await darwin.programName(42, { ...darwin.PROGRAMS, ps })).toBe(name);
  expect(await darwin.programName(43, { ...darwin.PROGRAMS, ps }), 'another process').toBeNull();
});

test.each([
  ['p42\nfcwd\nn/Users/me/my project', '/Users/me/my project'],
  ['p42\nfcwd\nn/Users/jô/プロジェクト', '/Users/jô/プロジェクト'],
  ['p42\nfcwd\nn (readlink: Permission denied)', null],
  ['', null],
])('macOS: lsof says %j', async (said, path) => {
  const lsof = script('lsof', '-a -d cwd -p 42 -Fn', said);
  expect(await darwin.workingFolder(42, { ...darwin.PROGRAMS, lsof })).toBe(path);
});

test.each([
  ['  4711', 4711],
  ['0', null],
  ['-1', null],
  ['', null],
])('macOS: ps says %j is in front', async (said, group) => {
  const ps = script('ps', '-o tpgid= -p 42', said);
  expect(await darwin.foregroundGroup(42, { ...darwin.PROGRAMS, ps })).toBe(group);
});

test('macOS: programs that are not there say nothing', async () => {
  const gone = { ps: join(folder, 'gone'), lsof: join(folder, 'gone') };
  const { programName, workingFolder, foregroundGroup } = darwin;
  expect([await programName(42, gone), await workingFolder(42, gone), await foregroundGroup(42, gone)]).toEqual([null, null, null]);
});

test('here: of a process that runs, and of one that does not', async () => {
  const child = spawn('sleep', ['60'], { cwd: folder });
  await new Promise((resolve) => child.once('spawn', resolve));
  expect(await processLooks.workingFolder(child.pid!)).toBe(folder);
  expect(await processLooks.programName(child.pid!)).toBe('sleep');
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const { programName, workingFolder, foregroundGroup } = processLooks;
  expect([await programName(child.pid!), await workingFolder(child.pid!), await foregroundGroup(child.pid!)]).toEqual([null, null, null]);
});

test('here: who is in front of a terminal is its first program, until that puts another there', async () => {
  const alone = pty.spawn('sh', ['-c', 'sleep 60; :'], {});
  const shell = pty.spawn('bash', ['--norc', '-c', 'set -m; sleep 60; :'], {});
  try {
    await expect.poll(() => processLooks.foregroundGroup(alone.pid)).toBe(alone.pid);
    await expect.poll(async () => processLooks.programName((await processLooks.foregroundGroup(shell.pid))!)).toBe('sleep');
  } finally {
    for (const { pid } of [alone, shell]) process.kill(-pid, 'SIGKILL');
    shell.kill('SIGKILL');
  }
});
