// The life of a comment by the command line, on a real repository, with the server killed between the steps: what was saved is there,
// and it hangs where its code is.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Comment } from '../../src/model/review/comment.ts';
import { connectClient } from '../../src/wire/client.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';

const LINES = Array.from({ length: 40 }, (_, i) => `const value${i + 1} = compute(${i + 1});`);

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd, stdio: 'ignore' });
}

/** A repository with a changed file and a workspace on it. */
async function reviewed(herd: Driver): Promise<string> {
  const repository = join(herd.dir, 'repo');
  execFileSync('git', ['init', '-q', '-b', 'main', repository]);
  const file = join(repository, 'a.ts');
  writeFileSync(file, `${LINES.join('\n')}\n`);
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'base');
  git(repository, 'checkout', '-qb', 'work');
  writeFileSync(file, `${LINES.with(19, 'const value20 = compute(2000);').join('\n')}\n`);
  herd.cwd = repository;
  await herd.ok(['open', repository]);
  return file;
}

async function comments(herd: Driver): Promise<Comment[]> {
  return (await herd.json<{ comments: Comment[] }>(['comment', 'list', '1'])).comments;
}

async function killServer(herd: Driver): Promise<void> {
  process.kill(await herd.serverPid(), 'SIGKILL');
}

/** Waits until the comment stands as told: "exact a.ts:25-25". */
async function placed(herd: Driver, id: number, expected: string): Promise<void> {
  let seen = '';
  await eventually(async () => {
    const place = (await comments(herd)).find((comment) => comment.id === id)?.place;
    seen = place ? `${place.placement} ${place.path}${place.range ? `:${place.range.start}-${place.range.end}` : ''}` : 'none';
    return seen === expected;
  }, `comment ${id} is ${expected}`).catch((error) => {
    throw new Error(`${(error as Error).message}; last seen: ${seen}`);
  });
}

test('edits above, inside, a rename, a commit, a deletion; the server killed between them', async () => {
  await using herd = new Driver();
  const file = await reviewed(herd);
  const edit = (change: (lines: string[]) => string[], to = file) => {
    writeFileSync(to, change(readFileSync(to, 'utf8').split('\n')).join('\n'));
  };

  await herd.ok(['comment', 'add', '1', 'a.ts:20', 'why 2000?']);
  await herd.ok(['comment', 'add', '1', 'a.ts:30-31', 'both of these']);
  await placed(herd, 1, 'exact a.ts:20-20');
  await killServer(herd);

  edit((lines) => ['// one', '// two', ...lines]);
  await placed(herd, 1, 'exact a.ts:22-22');
  await placed(herd, 2, 'exact a.ts:32-33');
  await killServer(herd);

  edit((lines) => lines.with(21, 'const value20 = compute(2001);'));
  await placed(herd, 1, 'changed a.ts:22-22');
  await killServer(herd);

  git(herd.cwd, 'commit', '-qam', 'work');
  await placed(herd, 1, 'changed a.ts:22-22');
  await placed(herd, 2, 'exact a.ts:32-33');
  await killServer(herd);

  git(herd.cwd, 'mv', 'a.ts', 'b.ts');
  await placed(herd, 2, 'moved b.ts:32-33');
  await killServer(herd);

  edit((lines) => lines.toSpliced(31, 2), join(herd.cwd, 'b.ts'));
  await placed(herd, 2, 'gone b.ts');
  const [first, second] = await comments(herd);
  expect([first!.body, second!.body, second!.anchor.lines]).toEqual(['why 2000?', 'both of these', LINES.slice(29, 31)]);
});

test('states and replies outlive the server, and ids are never given again', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  await herd.ok(['comment', 'add', '1', 'a.ts:20', 'one']);
  await herd.ok(['comment', 'add', '1', 'a.ts:21', 'two']);
  await herd.ok(['comment', 'rm', '2']);
  await killServer(herd);
  await herd.ok(['comment', 'addressed', '1', 'kept 401']);
  await killServer(herd);
  await herd.ok(['comment', 'add', '1', 'a.ts:22', 'three']);
  await herd.ok(['comment', 'resolve', '1']);
  await killServer(herd);
  const [first, last] = await comments(herd);
  expect(first).toMatchObject({ id: 1, state: 'resolved', replies: [{ author: 'agent', body: 'kept 401' }] });
  expect(last).toMatchObject({ id: 3, body: 'three', state: 'draft' });
  expect((await herd.run(['comment', 'addressed', '1'])).code).toBe(1);
});

test('a comment begun before the agent’s edit lands on the code that was seen', async () => {
  await using herd = new Driver();
  const file = await reviewed(herd);
  const seen = { lines: [LINES[24]!], before: LINES.slice(21, 24), after: LINES.slice(25, 28) };
  writeFileSync(file, `// above\n${readFileSync(file, 'utf8')}`);
  const target = { path: 'a.ts', side: 'new' as const, range: { start: 25, end: 25 }, seen };
  const folder = join(herd.dir, herd.session);
  const client = await connectClient({
    socket: join(folder, 'herd.sock'),
    token: readFileSync(join(folder, 'token'), 'utf8').trim(),
    version: 'test',
  });
  const add = (body: string) => client.request('comment.add', { workspace: 1, target, body, author: 'user' });
  const { comment } = await add('this one');
  expect(comment.anchor.lines).toEqual(seen.lines);
  await placed(herd, 1, 'exact a.ts:26-26');
  writeFileSync(file, LINES.slice(0, 20).join('\n'));
  await placed(herd, 1, 'gone a.ts');
  await expect(add('again')).rejects.toThrow(/has changed|no lines|has \d+ lines/);
  client.close();
});
