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

/** A `gh` that notes what it was asked and answers from files. */
function scriptGh(herd: Driver, comments: unknown): { env: Record<string, string>; asked(): string[]; posted(): unknown } {
  const bin = join(herd.dir, 'ghbin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'comments.json'), JSON.stringify(comments));
  const script = [
    '#!/bin/sh',
    `echo "$*" >> ${bin}/asked`,
    'case "$*" in',
    '  "pr view"*) echo 7 ;;',
    `  *--input*) cat > ${bin}/posted; echo '{"id":1,"html_url":"https://github.com/o/r/pull/7#r1"}' ;;`,
    `  *comments*) cat ${bin}/comments.json ;;`,
    '  *) echo "unknown command" >&2; exit 1 ;;',
    'esac',
  ].join('\n');
  writeFileSync(join(bin, 'gh'), `${script}\n`);
  chmodSync(join(bin, 'gh'), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH}` },
    asked: () => readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n'),
    posted: () => JSON.parse(readFileSync(join(bin, 'posted'), 'utf8')),
  };
}

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

test('JSON goes out and comes in again, once', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  const review = await herd.json<ReviewDocument>(['review', 'export', '1']);
  expect(review).toMatchObject({ version: 1, branch: 'work', files: 1, comments: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  const file = join(herd.dir, 'review.json');
  writeFileSync(file, JSON.stringify(review));
  expect(await herd.json(['review', 'import', file, '1'])).toMatchObject({ added: [4, 5, 6], known: 0, lost: [] });
  expect(await herd.json(['review', 'import', file, '1'])).toMatchObject({ added: [], known: 3 });
  const { comments } = await herd.json<{ comments: Comment[] }>(['comment', 'list', '1']);
  expect(comments[3]).toMatchObject({ body: 'spell it', suggestion: 'TEN\nline 11', replies: [{ body: 'in capitals' }] });
  writeFileSync(file, JSON.stringify({ comments: [{ id: 1, body: 'x', anchor: { path: '../../etc/passwd', side: 'new', range: null } }] }));
  expect(await herd.run(['review', 'import', file, '1'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no place') });
});

test('a pull request: on lines where it shows them, else in the text; its comments come in once', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  const gh = scriptGh(herd, [
    { id: 11, path: 'a.txt', line: 10, side: 'RIGHT', body: 'ten what?\n\n```suggestion\nten apples\n```', user: { login: 'ada' } },
    { id: 12, path: 'a.txt', line: 10, side: 'RIGHT', body: 'apples', user: { login: 'bob' }, in_reply_to_id: 11 },
    { id: 13, path: 'gone.txt', line: 3, side: 'RIGHT', body: 'why?', user: { login: 'ada' } },
  ]);
  const pushed = await herd.json(['review', 'push', '1'], { env: gh.env });
  expect(pushed).toEqual({ pull: 7, url: 'https://github.com/o/r/pull/7#r1', onLines: 1, inText: 2 });
  expect(gh.posted()).toMatchObject({
    event: 'COMMENT',
    body: expect.stringContaining('**a.txt:30**\n\nunchanged, but look'),
    comments: [
      {
        path: 'a.txt',
        line: 11,
        side: 'RIGHT',
        start_line: 10,
        start_side: 'RIGHT',
        body: expect.stringContaining('```suggestion\nTEN\nline 11\n```'),
      },
    ],
  });
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({ added: [4], lost: [{ path: 'gone.txt' }] });
  expect(await herd.json(['review', 'pull', '1'], { env: gh.env })).toMatchObject({ added: [], known: 1 });
  const { comments } = await herd.json<{ comments: Comment[] }>(['comment', 'list', '1']);
  expect(comments.at(-1)).toMatchObject({
    body: 'ada: ten what?',
    suggestion: 'ten apples',
    replies: [{ body: 'bob: apples' }],
    source: 'github:11',
  });
  expect(gh.asked()[0]).toBe('pr view --json number --jq .number');
});

test('without gh it says so', async () => {
  await using herd = new Driver();
  await reviewed(herd);
  const ran = await herd.run(['review', 'pull', '1', '--pr', '3'], { env: { PATH: '/nowhere' } });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('gh is not installed') });
});
