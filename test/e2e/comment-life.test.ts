// The life of a comment by the command line, on a real repository, with the server killed between the steps: what was saved is there,
// and it hangs where its code is.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Comment } from '../../src/model/review/comment.ts';
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
  // One that was killed just before is on its way back by itself.
  const pid = await eventually(async () => {
    const ran = await herd.run(['server', 'pid']);
    return ran.code === 0 ? Number(ran.stdout) : null;
  }, 'a server runs');
  process.kill(pid, 'SIGKILL');
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

test('comments of a closed workspace come back with the worktree, in a server that was killed too', async () => {
  await using herd = new Driver();
  const file = await reviewed(herd);
  await herd.ok(['comment', 'add', '1', 'a.ts:20', 'not sent']);
  await herd.ok(['comment', 'add', '1', 'a.ts:5', 'dealt with']);
  await herd.ok(['comment', 'addressed', '2', 'done']);
  expect(await herd.json(['close', '1'])).toMatchObject({ comments: 2 });
  await killServer(herd);
  writeFileSync(file, `// above\n${LINES.join('\n')}\n`);
  expect((await herd.json<{ comments: Comment[] }>(['comment', 'list'])).comments).toEqual([]);
  await herd.ok(['open', herd.cwd]);
  await eventually(async () => {
    const { comments: now } = await herd.json<{ comments: Comment[] }>(['comment', 'list', '2']);
    const [sent, done] = now;
    return now.length === 2 && sent!.state === 'draft' && done!.state === 'addressed' && done!.place.range?.start === 6;
  }, 'both are there again, found where their code is');
  await herd.ok(['comment', 'reply', '2', 'why?']);
});

test('comments of a worktree that was deleted behind herd are listed until they are dropped', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  const workspace = await herd.json<{ id: number; path: string }>(['new', 'side', '--no-agent']);
  writeFileSync(join(workspace.path, 'a.ts'), 'one\ntwo\n');
  await herd.ok(['comment', 'add', `${workspace.id}`, 'a.ts:2', 'why two?']);
  await herd.ok(['comment', 'add', `${workspace.id}`, '.', 'and all of it?']);
  rmSync(workspace.path, { recursive: true });
  expect(await herd.json(['close', `${workspace.id}`])).toMatchObject({ comments: 2 });
  expect(await herd.ok(['comment', 'list'])).toBe('none\n\n2 more of closed workspaces: herd comment list --closed\n');
  await killServer(herd);
  const shown = await herd.ok(['comment', 'list', '--closed']);
  expect(shown).toMatch(/^\S+side {2}\(gone\)\n\n#1 {2}a\.ts:2 {2}draft(, gone)?\n {2}> two\n {2}why two\?\n\n#2 /);
  await herd.ok(['comment', 'rm', '1']);
  await killServer(herd);
  const { comments: left } = await herd.json<{ comments: { id: number; gone: boolean }[] }>(['comment', 'list', '--closed']);
  expect(left).toMatchObject([{ id: 2, gone: true }]);
  await herd.ok(['comment', 'rm', '2']);
  expect(await herd.ok(['comment', 'list', '--closed'])).toBe('none\n');
  expect((await herd.run(['comment', 'rm', '2'])).code).toBe(1);
});

test('a comment begun before the agent’s edit lands on the code that was seen', async () => {
  await using herd = new Driver();
  const file = await reviewed(herd);
  const seen = { lines: [LINES[24]!], before: LINES.slice(21, 24), after: LINES.slice(25, 28) };
  writeFileSync(file, `// above\n${readFileSync(file, 'utf8')}`);
  const target = { path: 'a.ts', side: 'new' as const, range: { start: 25, end: 25 }, seen };
  const client = await herd.client();
  const add = (body: string) => client.request('comment.add', { workspace: 1, target, body, author: 'user' });
  const { comment } = await add('this one');
  expect(comment.anchor.lines).toEqual(seen.lines);
  await placed(herd, 1, 'exact a.ts:26-26');
  writeFileSync(file, LINES.slice(0, 20).join('\n'));
  await placed(herd, 1, 'gone a.ts');
  await expect(add('again')).rejects.toThrow(/has changed|no lines|has \d+ lines/);
  client.close();
});

/**
 * Each step does something to the file, the repository or a comment; afterwards the five comments stand as told: on a line, on two, on a line of
 * the old side, on the file, on the whole change. null: as before. The server is killed before each.
 */
const LIFE: [
  what: string,
  act: (life: Life) => unknown,
  places: [string | null, string | null, string | null, string | null, string | null],
][] = [
  [
    'written',
    () => {},
    ['draft exact a.ts:20-20', 'draft exact a.ts:30-31', 'draft exact a.ts:20-20', 'draft exact a.ts', 'draft exact null'],
  ],
  [
    'lines above',
    ({ edit }) => edit((lines) => ['// one', ...lines]),
    ['draft exact a.ts:21-21', 'draft exact a.ts:31-32', null, null, null],
  ],
  [
    'sent',
    ({ send }) => send(),
    ['sent exact a.ts:21-21', 'sent exact a.ts:31-32', 'sent exact a.ts:20-20', 'sent exact a.ts', 'sent exact null'],
  ],
  [
    'edited inside',
    ({ edit }) => edit((lines) => lines.with(20, 'const value20 = compute(2001);')),
    ['sent changed a.ts:21-21', null, null, null, null],
  ],
  [
    'edited with five lines on either side',
    ({ edit }) => edit((lines) => lines.map((line, i) => (i >= 15 && i < 26 ? line.replace('compute', 'await recompute') : line))),
    [null, null, null, null, null],
  ],
  [
    'addressed',
    ({ herd }) => herd.ok(['comment', 'addressed', '1', 'now 2001'], { env: { HERD_WORKSPACE: '1' } }),
    ['addressed changed a.ts:21-21', null, null, null, null],
  ],
  ['committed', ({ herd }) => git(herd.cwd, 'commit', '-qam', 'work'), [null, null, null, null, null]],
  [
    'rebased onto a base that went on, in that file too',
    ({ herd }) => {
      git(herd.cwd, 'stash', '-q', '-u');
      git(herd.cwd, 'checkout', '-q', 'main');
      writeFileSync(join(herd.cwd, 'other.ts'), 'other\n');
      writeFileSync(join(herd.cwd, 'a.ts'), `${LINES.toSpliced(10, 0, '// of main').join('\n')}\n`);
      git(herd.cwd, 'add', 'other.ts', 'a.ts');
      git(herd.cwd, 'commit', '-qm', 'main goes on');
      git(herd.cwd, 'checkout', '-q', 'work');
      git(herd.cwd, 'rebase', '-q', 'main');
    },
    ['addressed changed a.ts:22-22', 'sent exact a.ts:32-33', 'sent exact a.ts:21-21', null, null],
  ],
  [
    'squashed into one commit, with other line ends',
    ({ herd, edit }) => {
      git(herd.cwd, 'reset', '-q', '--soft', 'main');
      edit((lines) => lines.map((line, i) => (i < lines.length - 1 ? `${line}\r` : line)));
      git(herd.cwd, 'commit', '-qam', 'all of it');
    },
    [null, null, null, null, null],
  ],
  [
    'formatted anew',
    ({ edit }) => edit((lines) => lines.map((line) => line.replace('const', '  const').replace(/;\r?$/, ''))),
    [null, 'sent changed a.ts:32-33', null, null, null],
  ],
  [
    'put back to how it was',
    ({ edit }) => edit((lines) => lines.map((line) => line.replace(/^ {2}const(.*)$/, 'const$1;'))),
    [null, 'sent exact a.ts:32-33', null, null, null],
  ],
  ['resolved', ({ herd }) => herd.ok(['comment', 'resolve', '1']), ['resolved changed a.ts:22-22', null, null, null, null]],
  [
    'renamed',
    ({ herd }) => git(herd.cwd, 'mv', 'a.ts', 'b.ts'),
    [null, 'sent moved b.ts:32-33', 'sent moved b.ts:21-21', 'sent moved b.ts', null],
  ],
  [
    'moved into a file of its own, with what stood around it: what is left is no renamed file to git',
    ({ herd, edit }) => {
      const moved = readFileSync(join(herd.cwd, 'b.ts'), 'utf8').split('\n').slice(27, 37);
      writeFileSync(join(herd.cwd, 'c.ts'), `// moved\n${moved.join('\n')}\n`);
      edit((lines) => lines.toSpliced(27, 10), 'b.ts');
    },
    [null, 'sent moved c.ts:6-7', 'sent exact a.ts:21-21', null, null],
  ],
  ['deleted', ({ edit }) => edit((lines) => lines.toSpliced(5, 2), 'c.ts'), [null, 'sent gone c.ts behind 5', null, null, null]],
  [
    'answered by the reviewer',
    ({ herd }) => herd.ok(['comment', 'reply', '2', 'where did it go?', '--author', 'user']),
    [null, 'draft gone c.ts behind 5', null, null, null],
  ],
  ['the file deleted', ({ herd }) => rmSync(join(herd.cwd, 'b.ts')), [null, null, null, 'sent gone a.ts', null]],
];

interface Life {
  herd: Driver;
  edit(change: (lines: string[]) => string[], name?: string): void;
  send(): Promise<unknown>;
}

test('a life from the first word to the last, the server killed before each step', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  const main = new URL('../../dist/main.js', import.meta.url).pathname;
  await herd.ok(['close', '1']);
  await herd.ok(['open', herd.cwd, '--', process.execPath, main, 'demo-agent', 'docs', '--speed', '20']);
  const life: Life = {
    herd,
    edit(change, name = 'a.ts') {
      const path = join(herd.cwd, name);
      writeFileSync(path, change(readFileSync(path, 'utf8').split('\n')).join('\n'));
    },
    send: () =>
      eventually(async () => (await herd.run(['comment', 'send', '2'])).code === 0, 'the agent is known again and takes the comments'),
  };
  await herd.ok(['comment', 'add', '2', 'a.ts:20', 'why 2000?']);
  await herd.ok(['comment', 'add', '2', 'a.ts:30-31', 'both of these']);
  await herd.ok(['comment', 'add', '2', 'a.ts:20', '--side', 'old', 'what was wrong with it?']);
  await herd.ok(['comment', 'add', '2', 'a.ts', 'a better name for it?']);
  await herd.ok(['comment', 'add', '2', '.', 'too large a change']);
  const stands = ({ state, place }: Comment) => {
    const behind = place.behind === undefined ? '' : ` behind ${place.behind}`;
    return `${state} ${place.placement} ${place.path}${place.range ? `:${place.range.start}-${place.range.end}` : behind}`;
  };
  let expected: (string | null)[] = [];
  for (const [what, act, places] of LIFE) {
    expected = places.map((place, i) => place ?? expected[i]!);
    await killServer(herd);
    await act(life);
    let seen: string[] = [];
    await eventually(
      async () => {
        seen = (await herd.json<{ comments: Comment[] }>(['comment', 'list', '2'])).comments.map(stands);
        return JSON.stringify(seen) === JSON.stringify(expected);
      },
      `${what}: ${expected.join(', ')}`,
    ).catch((error) => {
      throw new Error(`${(error as Error).message}; last seen: ${seen.join(', ')}`);
    });
  }
});

test('without a server in reach the agent reads and answers by files', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  await herd.ok(['comment', 'add', '1', 'a.ts:20', 'why 2000?']);
  const box = join(herd.cwd, '.git/herd');
  await eventually(async () => existsSync(join(box, 'comments.json')), 'the mailbox is there');
  // As in a sandbox: the session's folder is neither there nor can it be made.
  const sandbox = { env: { HERD_DIR: join(herd.cwd, 'a.ts', 'nowhere'), HERD_WORKSPACE: '1' } };
  const { comments: read } = await herd.json<{ comments: (Comment & { excerpt: string[] })[] }>(['comment', 'list'], sandbox);
  expect(read).toMatchObject([{ id: 1, body: 'why 2000?', excerpt: expect.arrayContaining(['const value20 = compute(2000);']) }]);
  expect(await herd.ok(['comment', 'addressed', '1', 'now 20 again'], sandbox)).toContain('left for it');
  await eventually(async () => (await comments(herd))[0]!.state === 'addressed', 'the server took the answer');
  expect((await comments(herd))[0]!.replies).toMatchObject([{ author: 'agent', body: 'now 20 again' }]);
  expect(await herd.ok(['comment', 'add', '1', 'a.ts:3-4', 'these two as well', '--author', 'agent'], sandbox)).toContain('left for it');
  const note = await eventually(async () => (await comments(herd))[1], 'the note is there');
  expect(note).toMatchObject({ author: 'agent', body: 'these two as well', anchor: { range: { start: 3, end: 4 } } });

  // A server that died before it had removed a letter finds it again.
  await killServer(herd);
  const letters = [
    { do: 'addressed', comment: 1, text: 'now 20 again' },
    { do: 'note', file: 'a.ts', line: 3, end: 4, text: 'these two as well' },
    { do: 'reply', comment: 1, text: 'and one more thing' },
  ];
  writeFileSync(join(box, 'inbox', 'again.json'), JSON.stringify(letters));
  const lies = () => readFileSync(join(box, 'comments.json'), 'utf8');
  await eventually(async () => lies().includes('and one more thing'), 'the letters were taken, and the comments lie there anew');
  const now = await comments(herd);
  expect(now.map(({ replies }) => replies.map(({ body }) => body))).toEqual([['now 20 again', 'and one more thing'], []]);

  writeFileSync(join(box, 'comments.json'), '{"comm');
  expect(await herd.run(['comment', 'list'], sandbox)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is not what it wrote\.\n$/),
  });
});
