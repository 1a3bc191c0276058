// Worktrees made for people: many at once, names, submodules, odd paths and repositories, and what is left when one cannot be made.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { branchesOf, openGit, refusal } from '../../test/support/git-room.ts';
import { makeProgram, makeRepository } from '../../test/support/repository.ts';
import { createGit } from './git.ts';

describe('C27 many at once', () => {
  test('40 of 40, no stray branch, folder or setting', async () => {
    using f = makeRepository();
    f.git('remote', 'add', 'origin', f.dir);
    f.git('update-ref', 'refs/remotes/origin/main', 'main');
    const config = readFileSync(join(f.dir, '.git/config'), 'utf8');
    const git = openGit(f);
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) => git.addWorktree({ from: f.dir, branch: `task-${i}`, base: 'origin/main' })),
    );
    expect(new Set(made.map((m) => m.path)).size).toBe(40);
    expect(branchesOf(f)).toHaveLength(41);
    expect(made.every((m) => existsSync(join(m.path, 'README.md')))).toBe(true);
    expect(readFileSync(join(f.dir, '.git/config'), 'utf8')).toBe(config);
  });

  test('also while another process holds config.lock', async () => {
    using f = makeRepository();
    writeFileSync(join(f.dir, '.git/config.lock'), '');
    const git = openGit(f);
    const made = await Promise.all(Array.from({ length: 4 }, (_, i) => git.addWorktree({ from: f.dir, branch: `task-${i}` })));
    expect(made.map((m) => m.branch)).toEqual(['task-0', 'task-1', 'task-2', 'task-3']);
  });
});

describe('C28 names in use', () => {
  test('(a) checked out elsewhere: says where', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const first = await git.addWorktree({ from: f.dir, branch: 'work' });
    const error = await refusal(git.addWorktree({ from: f.dir, branch: 'work' }));
    expect([error.code, error.message, error.detail.path]).toEqual(['branch-in-use', `work is checked out in ${first.path}.`, first.path]);
  });

  test('(b) a folder that nobody registered is left alone', async () => {
    using f = makeRepository();
    mkdirSync(join(f.root, 'repo.worktrees/work'), { recursive: true });
    writeFileSync(join(f.root, 'repo.worktrees/work/mine.txt'), 'mine');
    const made = await openGit(f).addWorktree({ from: f.dir, branch: 'work' });
    expect([made.path, made.branch]).toEqual([join(f.root, 'repo.worktrees/work-2'), 'work']);
    expect(readFileSync(join(f.root, 'repo.worktrees/work/mine.txt'), 'utf8')).toBe('mine');
    expect(made.notes).toHaveLength(1);
  });

  test('(c) a registration whose folder is gone does not stand in the way', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const first = await git.addWorktree({ from: f.dir, branch: 'work' });
    rmSync(first.path, { recursive: true });
    const again = await git.addWorktree({ from: f.dir, branch: 'work' });
    expect([again.path, again.created]).toEqual([first.path, false]);
  });

  test.each([
    ['feat/a', 'feat', 'ref-conflict'],
    ['feat', 'feat/a', 'ref-conflict'],
    ['Feat', 'feat', 'case-conflict'],
  ])('(d, e) %s beside %s is refused early', async (wanted, there, code) => {
    using f = makeRepository();
    f.git('branch', there);
    const error = await refusal(openGit(f).addWorktree({ from: f.dir, branch: wanted }));
    expect(error.code).toBe(code);
    expect(branchesOf(f)).toEqual([there, 'main'].sort());
    expect(readdirSync(join(f.root, 'repo.worktrees'))).toEqual([]);
  });

  test('(f) two at the same instant get distinct names', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const [a, b] = await Promise.all([git.addWorktree({ from: f.dir, branch: 'work' }), git.addWorktree({ from: f.dir, branch: 'work' })]);
    expect([a.branch, b.branch].sort()).toEqual(['work', 'work-2']);
    expect(a.path).not.toBe(b.path);
  });

  test.each(['-x', '--upload-pack=touch', 'a..b', 'a b', '@{-1}', 'x.lock', 'HEAD', 'a\x1bb', ''])(
    'the name %j is refused',
    async (name) => {
      using f = makeRepository();
      expect((await refusal(openGit(f).addWorktree({ from: f.dir, branch: name }))).code).toBe('bad-name');
    },
  );

  test.each(['feat/$(id)', ';id', "it's", 'ünï/コード'])('the name %j is only a name', async (name) => {
    using f = makeRepository();
    const made = await openGit(f).addWorktree({ from: f.dir, branch: name });
    expect([made.branch, existsSync(join(made.path, 'README.md'))]).toEqual([name, true]);
  });
});

describe('C30 submodules and large files', () => {
  test('a submodule is filled from the local copy, and a clean tree goes without force', async () => {
    using f = makeRepository();
    const sub = join(f.root, 'sub');
    f.gitIn(f.root, 'init', '-q', '-b', 'main', sub);
    writeFileSync(join(sub, 's.txt'), 's\n');
    f.gitIn(sub, 'add', '-A');
    f.gitIn(sub, 'commit', '-qm', 's');
    f.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub, 'vendor/sub');
    f.git('config', 'submodule.vendor/sub.url', 'https://nowhere.invalid/sub');
    f.git('config', '-f', '.gitmodules', 'submodule.vendor/sub.url', 'https://nowhere.invalid/sub');
    f.commit('sub');
    rmSync(sub, { recursive: true });
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'work' });
    expect(made.notes).toEqual([]);
    expect(existsSync(join(made.path, 'vendor/sub/s.txt'))).toBe(true);
    const removed = await git.removeWorktree(made.path);
    expect([removed.savedRef, existsSync(made.path)]).toEqual([null, false]);
  });

  test('without git-lfs the tree is made with pointers and a warning', async () => {
    using f = makeRepository();
    f.put('.gitattributes', '*.big filter=lfs\n');
    f.put('a.big', 'version https://git-lfs.github.com/spec/v1\n');
    f.commit('lfs');
    expect((await openGit(f).addWorktree({ from: f.dir, branch: 'one' })).notes).toEqual([
      'Git LFS is not set up: its files are pointers.',
    ]);
    f.git('config', 'filter.lfs.smudge', 'no-such-git-lfs smudge');
    f.git('config', 'filter.lfs.required', 'true');
    const made = await openGit(f).addWorktree({ from: f.dir, branch: 'two' });
    expect(made.notes).toHaveLength(1);
    expect(made.notes[0]).toMatch(/filter .* failed/);
    expect(readFileSync(join(made.path, 'a.big'), 'utf8')).toMatch(/^version/);
  });

  test('large files filled from their pointers are no changes, neither to the listing nor to removal', async () => {
    using f = makeRepository();
    const content = 'large content\n';
    const hash = createHash('sha256').update(content).digest('hex');
    f.put('.gitattributes', '*.big filter=lfs\n');
    f.put('a.big', `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize ${content.length}\n`);
    f.commit('lfs');
    f.git('config', 'filter.lfs.smudge', `printf '${content.replace('\n', '\\n')}'`);
    f.git('config', 'filter.lfs.clean', `git show HEAD:a.big`);
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'work' });
    expect(readFileSync(join(made.path, 'a.big'), 'utf8')).toBe(content);
    writeFileSync(join(made.path, 'a.big'), content);
    expect((await git.changes(made.path).readChangeset({ scope: 'base' })).files).toEqual([]);
    expect((await git.inspectWorktree(made.path)).text).toBe('');
    writeFileSync(join(made.path, 'a.big'), 'other content\n');
    expect((await git.changes(made.path).readChangeset({ scope: 'base' })).files.map((x) => x.path)).toEqual(['a.big']);
    writeFileSync(join(made.path, 'a.big'), content);
    await git.removeWorktree(made.path);
  });

  test("the user's hook and filter run for a new worktree, and can be skipped", async () => {
    using f = makeRepository();
    f.put('.gitattributes', '*.up filter=up\n');
    f.put('a.up', 'text\n');
    f.commit('attributes');
    f.git('config', 'filter.up.smudge', 'tr a-z A-Z');
    makeProgram(join(f.dir, '.git/hooks'), 'post-checkout', `echo "$1 $3" > "${f.root}/hooked"`);
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'one' });
    expect(readFileSync(join(made.path, 'a.up'), 'utf8')).toBe('TEXT\n');
    expect(readFileSync(join(f.root, 'hooked'), 'utf8')).toBe(`${'0'.repeat(40)} 1\n`);
    const bare = await git.addWorktree({ from: f.dir, branch: 'two', skipFilters: true });
    expect(readFileSync(join(bare.path, 'a.up'), 'utf8')).toBe('text\n');
  });
});

describe('C31 odd paths', () => {
  test.each(['Repo With Space', 'Site da Jô', 'プロジェクト', `a'b"c$d`, '-dash', 'new\nline'])('%j', async (name) => {
    using f = makeRepository({ name });
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'feat/ünï x'.replace(' ', '_') });
    expect(made.path.startsWith(`${f.dir}.worktrees/`)).toBe(true);
    writeFileSync(join(made.path, 'new.txt'), 'x\n');
    const seen = await git.changes(made.path).readChangeset({ scope: 'base' });
    expect(seen.files.map((x) => x.path)).toEqual(['new.txt']);
    expect((await git.listWorktrees(made.path)).map((w) => w.path)).toEqual([f.dir, made.path]);
    await git.removeWorktree(made.path, { discard: true });
    expect(existsSync(made.path)).toBe(false);
  });

  test('a root that cannot be written is one error before any git step, or the fallback', async () => {
    using f = makeRepository();
    const blocked = join(f.root, 'file');
    writeFileSync(blocked, '');
    const git = openGit(f);
    const error = await refusal(git.addWorktree({ from: f.dir, branch: 'work', root: join(blocked, 'trees') }));
    expect([error.code, branchesOf(f)]).toEqual(['root-unwritable', ['main']]);
    writeFileSync(`${f.dir}.worktrees`, '');
    const made = await git.addWorktree({ from: f.dir, branch: 'work', fallbackRoot: join(f.root, 'state') });
    expect(made.path).toBe(join(f.root, 'state/work'));
  });
});

describe('C33 bare, detached, unborn', () => {
  test('a folder around .bare: found, listed, and new worktrees stand beside the others', async () => {
    using f = makeRepository();
    const root = join(f.root, 'layout');
    mkdirSync(root);
    f.gitIn(f.root, 'clone', '-q', '--bare', f.dir, join(root, '.bare'));
    writeFileSync(join(root, '.git'), 'gitdir: ./.bare\n');
    f.gitIn(root, 'worktree', 'add', '-q', 'main');
    const git = openGit(f);
    const found = await git.findRepository(root);
    expect([found.bare, found.main, found.branch, found.worktree]).toEqual([true, root, 'main', null]);
    const made = await git.addWorktree({ from: root, branch: 'work' });
    expect(made.path).toBe(join(root, 'work'));
    expect((await git.findRepository(made.path)).commonDir).toBe(found.commonDir);
    await git.removeWorktree(made.path);
    expect((await git.listWorktrees(root)).map((w) => w.branch)).toEqual([null, 'main']);
  });

  test('a bare repository itself', async () => {
    using f = makeRepository();
    const bare = join(f.root, 'x.git');
    f.gitIn(f.root, 'clone', '-q', '--bare', f.dir, bare);
    const git = openGit(f);
    expect(await git.findRepository(bare)).toMatchObject({ bare: true, main: bare, commonDir: bare });
    const made = await git.addWorktree({ from: bare, branch: 'work' });
    await git.removeWorktree(made.path);
    expect(existsSync(made.path)).toBe(false);
  });

  test('detached beside branches that look like its mark: runs, and removing touches none of them', async () => {
    using f = makeRepository();
    for (const name of ['(detached)', 'HEAD-like', 'detached']) f.git('branch', name);
    const path = join(f.root, 'd');
    f.git('worktree', 'add', '-q', '--detach', path);
    const git = openGit(f);
    expect(await git.findRepository(path)).toMatchObject({ branch: null, head: f.git('rev-parse', 'HEAD') });
    expect((await git.changes(path).readChangeset({ scope: 'base' })).branch).toBeNull();
    const made = await git.addWorktree({ from: path, branch: 'from-detached' });
    expect(made.base.why).toBe('the commit you are on');
    await git.removeWorktree(made.path);
    await git.removeWorktree(path);
    expect(branchesOf(f)).toEqual(['(detached)', 'HEAD-like', 'detached', 'main']);
  });

  test('unborn: one clear refusal', async () => {
    using f = makeRepository({ unborn: true });
    const git = openGit(f);
    expect(await git.findRepository(f.dir)).toMatchObject({ branch: 'main', head: null });
    const error = await refusal(git.addWorktree({ from: f.dir, branch: 'work' }));
    expect(error.code).toBe('no-commit');
  });

  test('outside a repository, and in a folder that is not there', async () => {
    using f = makeRepository();
    const git = openGit(f);
    expect((await refusal(git.findRepository(f.root))).code).toBe('not-a-repository');
    expect((await refusal(git.findRepository(join(f.root, 'nowhere')))).code).toBe('not-found');
  });

  test('a folder of another user is named with the way out', async () => {
    using f = makeRepository();
    const git = openGit(f, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' });
    await git.findRepository(f.dir);
    const program = makeProgram(f.root, 'git-foreign', 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"');
    const foreign = createGit({ snapshotDir: f.root, env: f.env, now: () => 0, program });
    const error = await refusal(foreign.findRepository(f.dir));
    expect([error.code, error.hint]).toEqual(['unsafe-owner', `If you trust it: git config --global --add safe.directory '${f.dir}'`]);
  });
});

test('a creation that fails half-way leaves nothing', async () => {
  using f = makeRepository();
  f.put('big.txt', 'x\n');
  f.commit('big');
  const blob = f.git('rev-parse', 'HEAD:big.txt');
  const object = join(f.dir, '.git/objects', blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o644);
  rmSync(object);
  const error = await refusal(openGit(f).addWorktree({ from: f.dir, branch: 'work' }));
  expect(error.code).toMatch(/git-failed|unknown-revision/);
  expect([branchesOf(f), readdirSync(join(f.root, 'repo.worktrees')), f.git('worktree', 'list').split('\n')]).toEqual([
    ['main'],
    [],
    [expect.any(String)],
  ]);
});

test('an index.lock held by the agent stops no reading, and none of ours stops the agent', async () => {
  using f = makeRepository();
  f.put('README.md', 'changed\n');
  writeFileSync(join(f.dir, '.git/index.lock'), '');
  expect((await openGit(f).changes(f.dir).readChangeset({ scope: 'base' })).files).toHaveLength(1);
  rmSync(join(f.dir, '.git/index.lock'));
  const holder = spawn('git', ['commit', '-qam', 'agent'], { cwd: f.dir, env: f.env });
  const [code] = await once(holder, 'exit');
  expect(code).toBe(0);
});

test('worktrees are listed also while another git registers one', async () => {
  using f = makeRepository();
  f.git('worktree', 'add', '-q', join(f.root, 'other'));
  const file = join(f.dir, '.git/worktrees/other/commondir');
  const whole = readFileSync(file);
  writeFileSync(file, '');
  const listed = openGit(f).listWorktrees(f.dir);
  setTimeout(() => writeFileSync(file, whole), 150);
  expect((await listed).map(({ branch }) => branch)).toEqual(['main', 'other']);
});
