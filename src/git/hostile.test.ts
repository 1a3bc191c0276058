import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeProgram, makeRepository } from '../../test/support/repository.ts';
import { applySeries, writePatch } from '../batch/landing/tree.ts';
import type { Git } from './api.ts';
import { createGit } from './git.ts';
import { Runner } from './run.ts';

const HOOKS = [
  'post-checkout',
  'pre-commit',
  'commit-msg',
  'post-commit',
  'post-index-change',
  'reference-transaction',
  'post-merge',
  'pre-push',
  'pre-auto-gc',
];

/** A repository whose configuration names a program wherever git would run one; each writes its name to `fired`. */
function makeHostile(): { f: Fixture; fired: () => string[]; clear: () => void } {
  const f = makeRepository();
  const mark = join(f.root, 'fired');
  const program = (name: string, filter = false) =>
    makeProgram(f.root, `p.${name}`, `echo ${name} >> "${mark}"\n${filter ? 'cat "$@"' : 'exit 0'}`);
  const sub = join(f.root, 'sub');
  f.gitIn(f.root, 'init', '-q', '-b', 'main', sub);
  writeFileSync(join(sub, 's.evil'), 's\n');
  f.gitIn(sub, 'add', '-A');
  f.gitIn(sub, 'commit', '-qm', 's');
  f.put('f.txt', 'a\n');
  f.put('g.bin', 'b\n');
  f.put('.gitattributes', '*.txt diff=evil filter=evil\n*.bin diff=tc\n*.odd filter=dotted.name\n');
  f.put('h.odd', 'h\n');
  f.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub, 'vendor');
  f.commit('one');
  f.git('checkout', '-q', '-b', 'work');
  f.put('f.txt', 'a\nc\n');
  f.commit('two');
  for (const path of ['f.txt', 'g.bin', 'h.odd', 'new.txt']) f.put(path, 'a\nd\n');
  f.put('vendor/s.evil', 'changed\n');
  const inner = join(f.dir, 'vendor');
  f.gitIn(inner, 'config', 'core.fsmonitor', program('sub.fsmonitor'));
  f.gitIn(inner, 'config', 'filter.inner.clean', program('sub.clean', true));
  f.put('vendor/.gitattributes', '*.evil filter=inner\n');
  const settings: [string, string][] = [
    ['core.fsmonitor', program('fsmonitor')],
    ['diff.evil.command', program('diff.command')],
    ['diff.external', program('diff.external')],
    ['diff.tc.textconv', program('textconv', true)],
    ['filter.evil.clean', program('filter.clean', true)],
    ['filter.evil.smudge', program('filter.smudge', true)],
    ['filter.evil.required', 'true'],
    ['filter.dotted.name.process', program('filter.process')],
    ['core.pager', program('pager', true)],
    ['core.editor', program('editor')],
    ['core.sshCommand', program('ssh')],
    ['gpg.program', program('gpg')],
    ['log.showSignature', 'true'],
    ['commit.gpgSign', 'true'],
    ['credential.helper', `!${program('credential')}`],
    ['core.askPass', program('askpass')],
    ['core.alternateRefsCommand', program('altrefs')],
    ['interactive.diffFilter', program('difffilter', true)],
    ['remote.origin.url', `ext::${program('ext')}`],
    ['diff.submodule', 'diff'],
    ['status.submoduleSummary', 'true'],
    ['submodule.recurse', 'true'],
    ['diff.noprefix', 'true'],
    ['color.ui', 'always'],
  ];
  for (const [key, value] of settings) f.git('config', key, value);
  for (const hook of HOOKS) makeProgram(join(f.dir, '.git/hooks'), hook, `echo hook.${hook} >> "${mark}"`);
  const clear = () => writeFileSync(mark, '');
  clear();
  return { f, clear, fired: () => [...new Set(readFileSync(mark, 'utf8').split('\n').filter(Boolean))].sort() };
}

const open = (f: Fixture): Git =>
  createGit({
    snapshotDir: join(f.root, 'snapshots'),
    env: { ...f.env, GIT_EXTERNAL_DIFF: '/bin/false', GIT_PAGER: '/bin/false' },
    now: () => 0,
  });

test('the repository does run programs when git is used without care', () => {
  const { f, fired } = makeHostile();
  using _ = f;
  f.tryGit(f.dir, 'status');
  f.tryGit(f.dir, '--no-pager', 'diff', '--', 'g.bin');
  expect(fired()).toEqual(expect.arrayContaining(['filter.clean', 'fsmonitor', 'sub.fsmonitor']));
});

const LOOKS: [string, (git: Git, f: Fixture) => Promise<unknown>][] = [
  ['finding', (git, f) => git.findRepository(f.dir)],
  ['choosing a base', (git, f) => git.defaultBase(f.dir)],
  ['listing worktrees', (git, f) => git.listWorktrees(f.dir)],
  ['inspecting', (git, f) => git.inspectWorktree(f.dir)],
  [
    'listing all scopes',
    (git, f) =>
      Promise.all(
        (['base', 'uncommitted', 'staged', { commit: 'HEAD' }] as const).map((scope) => git.changes(f.dir).readChangeset({ scope })),
      ),
  ],
  [
    'reading every file',
    async (git, f) => {
      const { files } = await git.changes(f.dir).readChangeset({ scope: 'base' });
      expect(files.map((x) => x.path)).toEqual(['f.txt', 'g.bin', 'h.odd', 'new.txt', 'vendor']);
      for (const { path } of files) await git.changes(f.dir).readFileDiff(path, { scope: 'base' });
      await git.changes(f.dir).readLines('f.txt', 'old', 1, 9, { scope: 'base' });
    },
  ],
  ['making a patch', (git, f) => git.changes(f.dir).patch({ scope: 'base' })],
  ['listing commits', (git, f) => git.changes(f.dir).commits({ scope: 'base' })],
  [
    'taking and comparing pictures',
    async (git, f) => {
      const snapshot = await git.snapshots(f.dir, 1).take('turn');
      f.put('f.txt', 'later\n');
      await git.changes(f.dir).readChangeset({ scope: 'turn', snapshot });
      await git.changes(f.dir).readFileDiff('f.txt', { scope: 'turn', snapshot });
    },
  ],
  [
    'watching',
    async (git, f) => {
      const watch = git.watch(f.dir, () => {});
      await watch.ready;
      await watch.close();
    },
  ],
  [
    'staging and discarding a hunk',
    async (git, f) => {
      const changes = git.changes(f.dir);
      const fingerprint = await changes.fingerprint('g.bin');
      const patch = await changes.patch({ scope: 'uncommitted' }, { path: 'g.bin' });
      await git.applyHunk(f.dir, { path: 'g.bin', patch, action: 'stage', fingerprint });
      await git.applyHunk(f.dir, { path: 'g.bin', patch, action: 'discard', fingerprint });
      await git.undo(f.dir);
    },
  ],
];

test.each(LOOKS)('%s runs nothing that the repository names', async (_name, look) => {
  const { f, fired } = makeHostile();
  using _ = f;
  const git = open(f);
  await look(git, f);
  await git.dispose();
  expect(fired()).toEqual([]);
});

test('a bare repository planted in a tracked folder is no way in', async () => {
  using f = makeRepository();
  const planted = join(f.dir, 'planted');
  for (const d of ['objects', 'refs/heads']) mkdirSync(join(planted, d), { recursive: true });
  const program = makeProgram(f.root, 'p', `echo planted > "${f.root}/fired"`);
  writeFileSync(join(planted, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(planted, 'config'), `[core]\n repositoryformatversion=0\n bare=false\n worktree=.\n fsmonitor=${program}\n`);
  const git = open(f);
  await git.findRepository(planted).catch(() => {});
  await git
    .changes(planted)
    .readChangeset({ scope: 'base' })
    .catch(() => {});
  expect(existsSync(join(f.root, 'fired'))).toBe(false);
});

test('names and texts with control bytes come out whole as names and clean as sentences', async () => {
  using f = makeRepository();
  const name = 'a\x1b]2;pwn\x07\nb';
  f.put(name, 'x\n');
  const git = open(f);
  const { files } = await git.changes(f.dir).readChangeset({ scope: 'base' });
  expect(files.map((x) => x.path)).toEqual([name]);
  const error = await git
    .changes(f.dir)
    .readFileDiff('\x1b[2Jno', { scope: 'base' })
    .catch((e: Error) => e.message);
  expect(error).toBe(' [2Jno is not among the changes.');
});

test('lines of a path that leads out of the worktree, or into git’s own folder, are not read', async () => {
  using f = makeRepository();
  f.put('sub/own.txt', 'own\n');
  mkdirSync(join(f.root, 'outside'));
  writeFileSync(join(f.root, 'outside', 'secret.txt'), 'secret\n');
  symlinkSync(join(f.root, 'outside'), join(f.dir, 'folder'));
  symlinkSync(join(f.root, 'outside', 'secret.txt'), join(f.dir, 'file'));
  symlinkSync('sub', join(f.dir, 'inner'));
  const changes = open(f).changes(f.dir);
  const read = async (path: string) => (await changes.readLines(path, 'new', 1, 9, { scope: 'base' })).lines;
  expect(await read('sub/own.txt')).toEqual(['own']);
  // A link is the text that it holds, as it is for git.
  expect(await read('file')).toEqual([join(f.root, 'outside', 'secret.txt')]);
  for (const path of [
    'folder/secret.txt',
    'inner/own.txt',
    '../outside/secret.txt',
    'sub/../../outside/secret.txt',
    '.git/config',
    'sub/../.GIT/config',
  ])
    await expect(read(path)).rejects.toThrow('does not exist on the new side');
});

/** A repository that lacks its objects and names a program to fetch them with: git runs it as soon as it misses one. */
function plantLazy(f: Fixture, path: string, settings: (evil: string) => [string, string][]): { fired: () => boolean } {
  const evil = makeProgram(f.root, 'p.fetch', `echo fetched > "${f.root}/fired"\nexit 1`);
  const planted = join(f.dir, path);
  f.gitIn(f.root, 'init', '-q', '-b', 'main', planted);
  writeFileSync(join(planted, 'a'), 'a\n');
  f.gitIn(planted, 'add', 'a');
  f.gitIn(planted, 'commit', '-qm', 'a');
  for (const [key, value] of [
    ['core.repositoryformatversion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ...settings(evil),
  ] as const)
    f.gitIn(planted, 'config', key, value);
  for (const folder of readdirSync(join(planted, '.git/objects')).filter((name) => name.length === 2))
    rmSync(join(planted, '.git/objects', folder), { recursive: true });
  return { fired: () => existsSync(join(f.root, 'fired')) };
}

const LAZY: [string, (evil: string) => [string, string][]][] = [
  [
    'an upload-pack',
    (evil) => [
      ['remote.origin.url', '/'],
      ['remote.origin.uploadpack', evil],
    ],
  ],
  [
    'an address',
    (evil) => [
      ['remote.origin.url', `ext::${evil}`],
      ['protocol.ext.allow', 'always'],
    ],
  ],
  [
    'a helper',
    () => [
      ['remote.origin.url', '/'],
      ['remote.origin.vcs', 'x/evil'],
      ['protocol.x/evil.allow', 'always'],
    ],
  ],
];

test.each(LAZY)('a repository inside whose missing objects come by %s of its own has nothing run', async (_name, settings) => {
  using f = makeRepository();
  const { fired } = plantLazy(f, 'vendor', settings);
  mkdirSync(join(f.dir, 'vendor/git-remote-x'));
  makeProgram(join(f.dir, 'vendor/git-remote-x'), 'evil', `echo helped > "${f.root}/fired"\nexit 1`);
  f.put('.gitmodules', '[submodule "vendor"]\n\tpath = vendor\n\turl = ./vendor\n');
  f.tryGit(join(f.dir, 'vendor'), 'status');
  expect(fired()).toBe(true);
  rmSync(join(f.root, 'fired'));
  const git = open(f);
  await git.changes(f.dir).readChangeset({ scope: 'uncommitted' });
  await git.changes(f.dir).readFileDiff('vendor/', { scope: 'uncommitted' });
  await git.inspectWorktree(f.dir).catch(() => {});
  expect(fired()).toBe(false);
});

test('patches are put together by git’s own merge, not by a driver that the repository names', async () => {
  using f = makeRepository();
  const numbered = (change: Record<number, string>) => Array.from({ length: 5 }, (_, i) => `${change[i + 1] ?? i + 1}\n`).join('');
  f.put('a.txt', numbered({}));
  const base = f.commit('base');
  f.put('a.txt', numbered({ 4: 'four' }));
  const ours = f.commit('ours');
  f.git('checkout', '-q', base);
  f.put('a.txt', numbered({ 5: 'five' }));
  const theirs = f.commit('theirs');
  f.git('config', 'merge.evil.driver', makeProgram(f.root, 'p.merge', `echo merged > "${f.root}/fired"\nexit 0`));
  writeFileSync(join(f.dir, '.git/info/attributes'), '* merge=evil\n');
  const look = await new Runner({ cap: 1, program: 'git', env: f.env }).look(f.dir);
  const file = join(f.root, 'theirs.patch');
  await writePatch(look, base, theirs, file);
  const applied = await applySeries(look, ours, [{ task: 'theirs', file, message: 'theirs' }]);
  expect(applied).toEqual({ commit: ours, applied: [], refused: [{ task: 'theirs', why: 'does not fit at a.txt' }] });
  expect(existsSync(join(f.root, 'fired'))).toBe(false);
});
