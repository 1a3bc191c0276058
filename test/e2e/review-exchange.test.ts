// A review leaves and comes back: Markdown, JSON, a patch with notes that still applies, and a pull request through a scripted gh.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Comment } from '../../src/model/review/comment.ts';
import type { ReviewDocument } from '../../src/model/review/export.ts';
import { Driver } from '../support/driver.ts';

const LINES = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd, encoding: 'utf8' });
}

/** A repository with a changed file, a workspace on it and three comments. */
async function reviewed(herd: Driver): Promise<string> {
  const repository = join(herd.dir, 'repo');
  execFileSync('git', ['init', '-q', '-b', 'main', repository]);
  writeFileSync(join(repository, 'a.txt'), `${LINES.join('\n')}\n`);
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'base');
  git(repository, 'checkout', '-qb', 'work');
  writeFileSync(join(repository, 'a.txt'), `${LINES.with(9, 'ten').join('\n')}\n`);
  herd.cwd = repository;
  await herd.ok(['open', repository]);
  await herd.ok(['comment', 'add', '1', 'a.txt:10-11', '--suggestion', 'TEN\nline 11', 'spell it']);
  await herd.ok(['comment', 'add', '1', 'a.txt:30', 'unchanged, but look']);
  await herd.ok(['comment', 'add', '1', '.', 'fine otherwise']);
  await herd.ok(['comment', 'reply', '1', 'in capitals', '--author', 'user']);
  return repository;
}

interface ScriptedGh {
  env: Record<string, string>;
  asked(): string[];
  /** What was posted, in order. */
  posted(): { body: string; comments: { path: string; body: string; line: number }[] }[];
  /** Pages that it lists, one array behind the other. */
  list(...pages: unknown[][]): void;
  /** The threads that are resolved, by their first comments, as its --jq prints them. */
  resolve(...comments: number[]): void;
  /** It refuses what is asked next whose words hold this. */
  refuse(words: string, says: string): void;
}

/** A `gh` that notes what it was asked and answers from files. Its pull request is one of a fork's branch and shows `head`. */
function scriptGh(herd: Driver, head: string): ScriptedGh {
  const bin = join(herd.dir, 'ghbin');
  mkdirSync(bin, { recursive: true });
  const script = `#!${process.execPath}
    const { appendFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
    const words = process.argv.slice(2).join(' ');
    const at = (name) => '${bin}/' + name;
    appendFileSync(at('asked'), words + '\\n');
    const refusal = existsSync(at('refusal')) ? JSON.parse(readFileSync(at('refusal'), 'utf8')) : null;
    if (refusal && words.includes(refusal.words)) {
      rmSync(at('refusal'));
      console.error(refusal.says);
      process.exit(1);
    }
    const posted = () => (existsSync(at('posted')) ? JSON.parse(readFileSync(at('posted'), 'utf8')) : []);
    if (words.startsWith('pr view')) console.log(JSON.stringify({ number: 7, url: 'https://github.com/up/stream/pull/7', headRefOid: '${head}' }));
    else if (words.includes('--input')) {
      const all = [...posted(), JSON.parse(readFileSync(0, 'utf8'))];
      writeFileSync(at('posted'), JSON.stringify(all));
      console.log(JSON.stringify({ id: all.length, user: { html_url: 'https://github.com/me' }, html_url: 'https://github.com/up/stream/pull/7#r' + all.length }));
    } else if (/reviews\\/(\\d+)\\/comments/.test(words)) {
      const review = Number(/reviews\\/(\\d+)\\/comments/.exec(words)[1]);
      console.log(JSON.stringify(posted()[review - 1].comments.map(({ path, body }, i) => ({ id: 100 * review + i, path, body }))));
    } else if (words.startsWith('api graphql')) console.log(existsSync(at('resolved')) ? readFileSync(at('resolved'), 'utf8') : '');
    else if (words.includes('comments')) console.log(readFileSync(at('pages'), 'utf8'));
    else process.exit(1);
  `;
  writeFileSync(join(bin, 'gh'), script);
  chmodSync(join(bin, 'gh'), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH}` },
    asked: () => readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n'),
    posted: () => JSON.parse(readFileSync(join(bin, 'posted'), 'utf8')),
    list: (...pages) => writeFileSync(join(bin, 'pages'), pages.map((page) => JSON.stringify(page)).join('')),
    resolve: (...comments) => writeFileSync(join(bin, 'resolved'), comments.join('\n')),
    refuse: (words, says) => writeFileSync(join(bin, 'refusal'), JSON.stringify({ words, says })),
  };
}

const head = (repository: string) => execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository }).toString().trim();
const list = async (herd: Driver, workspace = '1') => (await herd.json<{ comments: Comment[] }>(['comment', 'list', workspace])).comments;

test('Markdown has every comment with its code; a patch with notes still applies', async () => {
  await using herd = new Driver();
  const repository = await reviewed(herd);
  const markdown = await herd.ok(['review', 'export', '1']);
  expect(markdown).toContain('# Review of work');
  expect(markdown).toContain(
    '## 1. a.txt:10-11 (draft)\n\n    ten\n    line 11\n\nspell it\n\nSuggested:\n\n    TEN\n    line 11\n\n**Reviewer:** in capitals',
  );
  const patch = await herd.ok(['review', 'export', '1', '--format', 'patch']);
  expect(patch).toContain('# 1. a.txt:10-11 (draft)\n#   spell it\n#\n#   ```suggestion\n');
  git(repository, 'stash', '-q');
  execFileSync('git', ['apply', '-'], { cwd: repository, input: patch });
  expect(readFileSync(join(repository, 'a.txt'), 'utf8')).toBe(`${LINES.with(9, 'ten').join('\n')}\n`);
});

test('JSON goes out and comes in elsewhere, once: on the code that it is about, with its thread', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  await herd.ok(['comment', 'add', '1', 'a.txt:20', 'this one goes']);
  await herd.ok(['comment', 'reply', '1', 'done', '--author', 'agent']);
  const review = await herd.json<ReviewDocument>(['review', 'export', '1']);
  expect(review).toMatchObject({ version: 1, branch: 'work', files: 1, comments: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] });
  const file = join(herd.dir, 'review.json');
  writeFileSync(file, JSON.stringify(review));
  expect(await herd.json(['review', 'import', file, '1'])).toMatchObject({ added: [], known: 4, lost: [] });

  // A worktree with lines above, and without the code of the last one.
  const { id, path } = await herd.json<{ id: number; path: string }>(['new', 'elsewhere', '--no-agent', '--base', 'main']);
  const there = LINES.with(9, 'ten').filter((_, i) => i < 17 || i > 21);
  writeFileSync(join(path, 'a.txt'), `${['above', 'above', ...there].join('\n')}\n`);
  expect(await herd.json(['review', 'import', file, `${id}`])).toMatchObject({ added: [5, 6, 7, 8], known: 0, gone: [8], lost: [] });
  const again = await herd.json(['review', 'import', file, `${id}`]);
  expect(again).toMatchObject({ added: [], known: 4, replies: 0, lost: [] });
  const [first, second, whole, gone] = await list(herd, `${id}`);
  expect(first).toMatchObject({
    body: 'spell it',
    suggestion: 'TEN\nline 11',
    place: { placement: 'exact', range: { start: 12, end: 13 } },
  });
  expect(first!.replies).toMatchObject([
    { author: 'user', body: 'in capitals' },
    { author: 'agent', body: 'done' },
  ]);
  expect(second!.place).toMatchObject({ placement: 'exact', range: { start: 27, end: 27 } });
  expect(whole!.place).toMatchObject({ path: null });
  expect(gone).toMatchObject({ body: 'this one goes', place: { placement: 'gone', path: 'a.txt' }, anchor: { lines: ['line 20'] } });
  writeFileSync(file, JSON.stringify({ comments: [{ id: 1, body: 'x', anchor: { path: '../../etc/passwd', side: 'new', range: null } }] }));
  expect(await herd.run(['review', 'import', file, '1'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no place') });
});

test('comments of a pull request come in once, on the code that they are about; replies are brought in as they come', async () => {
  await using herd = new Driver();
  const repository = await reviewed(herd);
  // The worktree is ahead of what the pull request shows.
  writeFileSync(join(repository, 'a.txt'), `${['above', ...LINES.with(9, 'ten')].join('\n')}\n`);
  const gh = scriptGh(herd, 'f'.repeat(40));
  const hunk = '@@ -8,3 +8,3 @@\n line 8\n line 9\n-line 10\n+ten';
  const first = {
    id: 11,
    path: 'a.txt',
    line: 10,
    side: 'RIGHT',
    body: 'ten what?\n\n```suggestion\nten apples\n```',
    user: { login: 'ada' },
  };
  const matrix = { id: 12, path: 'a.txt', line: 10, side: 'RIGHT', body: 'as in m[0] [1]', user: { login: 'bob' }, in_reply_to_id: 11 };
  const lost = { id: 13, path: 'gone.txt', line: 3, side: 'RIGHT', body: 'why?', user: { login: 'ada' } };
  gh.list([{ ...first, diff_hunk: hunk }, matrix], [lost]);
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({ added: [4, 5], gone: [5], replies: 1, lost: [] });
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({ added: [], known: 2, replies: 0 });
  expect((await list(herd)).slice(3)).toMatchObject([
    {
      body: 'ada: ten what?',
      suggestion: 'ten apples',
      replies: [{ body: 'bob: as in m[0] [1]' }],
      source: 'github:11',
      place: { placement: 'exact', range: { start: 11, end: 11 } },
    },
    { body: 'ada: why?', place: { placement: 'gone', path: 'gone.txt' } },
  ]);
  gh.list([{ ...first, diff_hunk: hunk }, matrix, { ...matrix, id: 14, body: 'or pears' }], [lost]);
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({ added: [], known: 2, replies: 1 });
  expect((await list(herd))[3]!.replies.map(({ body }) => body)).toEqual(['bob: as in m[0] [1]', 'bob: or pears']);
  // The pull request is one of the repository that the branch's own was forked from.
  expect(gh.asked().slice(0, 2)).toEqual([
    'pr view --json number,url,headRefOid',
    'api --hostname github.com --paginate repos/up/stream/pulls/7/comments?per_page=100',
  ]);
  // Outdated ones are found by their hunk, or listed with the code that they were about; a file's stands on the file.
  const old = { side: 'RIGHT', line: null, start_line: null, position: null, user: { login: 'ada' } };
  const outdated = {
    ...old,
    id: 20,
    path: 'a.txt',
    original_line: 9,
    original_start_line: 8,
    body: 'these two',
    diff_hunk: hunk.split('\n-')[0],
  };
  const vanished = {
    ...old,
    id: 21,
    path: 'a.txt',
    original_line: 3,
    body: 'this',
    diff_hunk: '@@ -1,3 +1,3 @@\n line 1\n line 2\n+no such line',
  };
  const file = { ...old, id: 22, path: 'a.txt', subject_type: 'file', body: 'a better name?', original_line: 1, diff_hunk: hunk };
  const over = { ...first, id: 23, start_line: 30, start_side: 'LEFT', body: 'from the old to the new', diff_hunk: hunk };
  gh.list([outdated, vanished, file, over, { ...first, id: 24, body: 'done with' }]);
  gh.resolve(24, 99);
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({
    added: [6, 7, 8, 9],
    gone: [7],
    resolved: 1,
    lost: [],
  });
  expect((await list(herd)).slice(5)).toMatchObject([
    { body: 'ada: these two', place: { placement: 'exact', range: { start: 9, end: 10 } } },
    { body: 'ada: this', place: { placement: 'gone', path: 'a.txt' }, anchor: { lines: ['no such line'] } },
    { body: 'ada: a better name?', anchor: { path: 'a.txt', range: null } },
    { body: 'ada: from the old to the new', place: { placement: 'exact', range: { start: 11, end: 11 } } },
  ]);
  gh.refuse('graphql', 'gh: Your token has not been granted the required scopes');
  expect(await herd.run(['review', 'pull', '1'], { env: gh.env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Which threads are resolved is not known: gh: Your token'),
  });
  expect(await list(herd)).toHaveLength(10);
  gh.refuse('comments', 'gh: API rate limit exceeded for user ID 1. (HTTP 403)');
  expect(await herd.run(['review', 'pull', '1'], { env: gh.env })).toMatchObject({
    code: 1,
    stderr: 'herd: gh: API rate limit exceeded for user ID 1. (HTTP 403)\n',
  });
  gh.refuse('pr view', 'no pull requests found for branch "work"');
  expect((await herd.run(['review', 'pull', '1'], { env: gh.env })).stderr).toBe(
    'herd: gh: no pull requests found for branch "work"\n      Name one: --pr NUMBER\n',
  );
});

test('comments are posted on lines where the pull request shows them, else in the text, and are known there from then on', async () => {
  await using herd = new Driver();
  const repository = await reviewed(herd);
  git(repository, 'commit', '-qam', 'ten');
  const gh = scriptGh(herd, head(repository));
  // Written since, and not pushed: the pull request has the code where it was.
  writeFileSync(join(repository, 'a.txt'), `${['above', 'above', ...LINES.with(9, 'ten')].join('\n')}\n`);
  const url = 'https://github.com/up/stream/pull/7#r1';
  expect(await herd.json(['review', 'push', '1'], { env: gh.env })).toEqual({ pull: 7, url, onLines: 1, inText: 2 });
  expect(gh.posted()).toMatchObject([
    {
      event: 'COMMENT',
      body: expect.stringContaining('unchanged, but look'),
      comments: [
        {
          ...{ path: 'a.txt', line: 11, side: 'RIGHT', start_line: 10, start_side: 'RIGHT' },
          body: expect.stringContaining('```suggestion\nTEN\nline 11\n```'),
        },
      ],
    },
  ]);
  expect((await list(herd)).map(({ source }) => source)).toEqual(['github:100', 'github:review-1', 'github:review-1']);
  expect(await herd.run(['review', 'push', '1'], { env: gh.env })).toMatchObject({
    code: 1,
    stderr: 'herd: There are no open comments to post.\n',
  });
  const own = { id: 100, path: 'a.txt', line: 11, start_line: 10, side: 'RIGHT', body: 'spell it', user: { login: 'me' } };
  gh.list([own, { ...own, id: 101, body: 'no', user: { login: 'ada' }, in_reply_to_id: 100 }]);
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({ added: [], known: 1, replies: 1 });
  expect((await list(herd))[0]!.replies.map(({ body }) => body)).toEqual(['in capitals', 'ada: no']);

  // GitHub sees that line of the diff otherwise: the words are posted all the same.
  await herd.ok(['comment', 'add', '1', 'a.txt:12', 'once more']);
  gh.refuse('--input', 'gh: Unprocessable Entity (HTTP 422)');
  expect(await herd.json(['review', 'push', '1'], { env: gh.env })).toMatchObject({ onLines: 0, inText: 1 });
  expect(gh.posted()[1]).toMatchObject({ comments: [], body: expect.stringContaining('once more') });
});

test('without gh it says so', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  const ran = await herd.run(['review', 'pull', '1', '--pr', '3'], { env: { PATH: '/nowhere' } });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('gh is not installed') });
});
