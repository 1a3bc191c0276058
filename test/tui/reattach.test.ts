// Detached and come back, in another terminal and after a killed server: the panes are as they were left.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { makeRepository } from '../support/repository.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

test('panes, their sizes and the workspace looked at come back on any client', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  for (const name of ['alpha', 'beta']) await herd.ok(['new', name, '--', 'cat'], { cwd: repository.dir });
  const attach = () => new Outer({ cols: 160, rows: 40, argv: [process.execPath, MAIN, '--session', 'm'], env: herd.env, cwd: herd.dir });
  const see = (outer: Outer, wanted: RegExp) =>
    eventually(
      () => wanted.test(outer.rows().join('\n')),
      () => `the screen shows ${wanted}:\n${outer.rows().join('\n')}`,
    );

  const first = attach();
  await see(first, /ctrl\+b/);
  first.send('\x022');
  await see(first, /─ beta ─/);
  first.send('\x02-');
  // Its prompt: what is typed before the shell reads stands above it.
  await see(first, /─ sh ─(?:.|\n)*│sh> /);
  first.send('echo in-the-shell\r');
  // With the prompt behind it: then all is there.
  await see(first, /│in-the-shell.*\n.*│sh> /);
  const left = panes(first);
  first.send('\x02d');
  await first.exited;
  await eventually(() => isKept(join(herd.dir, 'state/m/layout.json')), 'the panes are on disk');
  process.kill(await herd.serverPid(), 'SIGKILL');

  const second = attach();
  await eventually(() => panes(second) === left, 'the panes are as they were').catch(() => expect(panes(second)).toBe(left));
  second.send('\x02d');
  await second.exited;
});

test('a comment that is being written outlives its client and the server, killed both', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  repository.put('a.ts', 'const one = 1;\nconst two = 2;\n');
  repository.commit('base');
  const { path } = await herd.json<{ path: string }>(['new', 'alpha', '--no-agent'], { cwd: repository.dir });
  writeFileSync(join(path, 'a.ts'), 'const one = 1;\nconst two = 3;\n');
  const attach = () => new Outer({ cols: 120, rows: 30, argv: [process.execPath, MAIN, '--session', 'm'], env: herd.env, cwd: herd.dir });
  const see = (outer: Outer, wanted: RegExp) =>
    eventually(
      () => wanted.test(outer.rows().join('\n')),
      () => `the screen shows ${wanted}:\n${outer.rows().join('\n')}`,
    );
  const kept = () => textOf(join(herd.dir, 'state/m/layout.json'));
  const toLine = async (outer: Outer, line: number) => {
    await see(outer, /\+ const two = 3;/);
    outer.send(`:${line}\r`);
    await see(outer, new RegExp(`▌ +${line} \\+ const two = 3;`));
    outer.send('c');
    await see(outer, new RegExp(`comment · a\\.ts:${line}`));
  };

  const first = attach();
  await see(first, /\+ const two = 3;/);
  first.send('\x02\t');
  await see(first, /c comment/);
  await toLine(first, 2);
  first.send('why three?');
  await eventually(() => kept()?.includes('why three?'), 'the words are on disk');
  first.kill();
  await first.exited;
  process.kill(await herd.serverPid(), 'SIGKILL');
  writeFileSync(join(path, 'a.ts'), '// above\nconst one = 1;\nconst two = 3;\n');

  const second = attach();
  await see(second, /begun and not saved: comment on a\.ts:2/);
  await see(second, / 3 \+ const two = 3;\s[^─]*you · not saved yet[^╰]*│ why three\?/);
  // Gone on with from its card, left again, and from its line.
  second.send('}\r');
  await see(second, /comment · a\.ts:3[^╰]*│ why three\?/);
  second.send(' Or four?');
  await see(second, /│ why three\? Or four\?/);
  second.send('\x1b');
  await see(second, /you · not saved yet[^╰]*│ why three\? Or four\?/);
  second.send('C');
  await see(second, /a\.ts:2 +not saved|a\.ts:3 +not saved/);
  second.send('\x1b');
  await see(second, /c comment/);
  await toLine(second, 3);
  await see(second, /│ why three\? Or four\?/);
  second.send('\x13');
  await see(second, /you · #1 · draft/);
  second.send('\x02d');
  await second.exited;
  const { comments } = await herd.json<{ comments: { body: string; place: unknown }[] }>(['comment', 'list', 'alpha']);
  expect(comments).toMatchObject([{ body: 'why three? Or four?', place: { placement: 'exact', range: { start: 3, end: 3 } } }]);
  await eventually(() => kept()?.includes('why three?') === false, 'what was saved is kept no more');
});

test('the diff stands where it was left, in a terminal of another size and after a hang-up and a killed server', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  const lines = (mark: string) => Array.from({ length: 300 }, (_, i) => `line ${i + 1}${i % 50 === 20 ? mark : ''}\n`).join('');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) repository.put(name, lines(''));
  repository.commit('base');
  const { path } = await herd.json<{ path: string }>(['new', 'alpha', '--no-agent'], { cwd: repository.dir });
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(path, name), lines(' new'));
  const attach = (cols: number, rows: number) =>
    new Outer({ cols, rows, argv: [process.execPath, MAIN, '--session', 'm'], env: herd.env, cwd: herd.dir });
  const see = (outer: Outer, wanted: RegExp) =>
    eventually(
      () => wanted.test(outer.rows().join('\n')),
      () => `the screen shows ${wanted}:\n${outer.rows().join('\n')}`,
    );

  const first = attach(160, 40);
  await see(first, /\+ line 21 new/);
  first.send('\x02\t');
  await see(first, /c comment/);
  // Another scope, the first file folded, a line of the second.
  first.send('mo');
  await see(first, /▸ a\.txt/);
  first.send('/line 171 new\r');
  await see(first, /▌ +171 \+ line 171 new/);
  // Nothing more is pressed: what was done in this moment is told by the client that ends.
  first.signal('SIGHUP');
  await first.exited;
  const file = join(herd.dir, 'state/m/layout.json');
  await eventually(() => textOf(file)?.includes('line 171 new'), 'the place is on disk');
  process.kill(await herd.serverPid(), 'SIGKILL');
  writeFileSync(join(path, 'b.txt'), `above\n${lines(' new')}`);

  const second = attach(120, 30);
  await see(second, /uncommitted/);
  await see(second, /▌ +172 \+ line 171 new/);
  second.send('\x02d');
  await second.exited;
});

/** Null between two generations of a file, when the one before has been put aside. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The second workspace is the one looked at, and its panes were changed. */
function isKept(file: string): boolean {
  if (!existsSync(file)) return false;
  const { selected, panes } = JSON.parse(readFileSync(file, 'utf8')).layout;
  return selected === 2 && '2' in panes;
}

/** What stands right of the list of workspaces, between the bars; ages, and the lines before them which they shorten, left out. */
function panes(outer: Outer): string {
  return outer
    .rows()
    .slice(1, -1)
    .map((row) => row.slice(27))
    .join('\n')
    .replace(/<?\d+[smh]\b/g, '')
    .replace(/─+ /g, '─ ');
}
