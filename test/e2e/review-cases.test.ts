// Faults that other tools had with many worktrees, end to end (cases C36 and C37): git that takes its time while agents commit, and diffs
// that show the work of others.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Changeset } from '../../src/model/review/changeset.ts';
import type { Workspace } from '../../src/model/workspace.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { makeProgram, makeRepository } from '../support/repository.ts';

const WORKTREES = 8;
/** git processes of one server at once, as it is set up. */
const CAP = 4;

/** git that notes when a status begins and ends, and lets it stand until the gate is open. */
function gatedGit(root: string): { bin: string; running(): number; most(): number; locks(): string; open(): void; started(): number } {
  const [bin, log, gate] = [join(root, 'slowbin'), join(root, 'log'), join(root, 'gate')];
  mkdirSync(bin);
  writeFileSync(log, '');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const status = `echo "start locks=$GIT_OPTIONAL_LOCKS $*" >> "${log}"; while [ ! -e "${gate}" ]; do sleep 0.05; done; "${real}" "$@"; code=$?; echo end >> "${log}"; exit $code`;
  makeProgram(bin, 'git', `case " $* " in *" status "*) ${status};; esac\nexec "${real}" "$@"`);
  const lines = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  const counts = () => {
    let [now, most] = [0, 0];
    for (const line of lines()) {
      now += line === 'end' ? -1 : 1;
      most = Math.max(most, now);
    }
    return { now, most };
  };
  return {
    bin,
    running: () => counts().now,
    most: () => counts().most,
    started: () => lines().filter((line) => line !== 'end').length,
    locks: () =>
      lines()
        .filter((line) => line !== 'end' && !line.startsWith('start locks=0 '))
        .join('\n'),
    open: () => writeFileSync(gate, ''),
  };
}

test('C36: git that stands still piles nothing up, takes no lock, and keeps nobody from opening workspaces', async () => {
  using repository = makeRepository();
  repository.put('a.txt', 'a\n');
  repository.commit('a');
  const trees = Array.from({ length: WORKTREES }, (_, i) => {
    const path = join(repository.root, `tree${i}`);
    repository.git('worktree', 'add', '-q', '-b', `b${i}`, path);
    return path;
  });
  const slow = gatedGit(repository.root);
  const env = { PATH: `${slow.bin}:${process.env.PATH}` };
  await using herd = new Driver({ cwd: repository.dir });
  for (const path of trees) await herd.ok(['open', path], { env });
  await eventually(async () => slow.running() >= 1, 'a scan stands still');

  // The agents go on: writes and commits in every tree, while nothing of ours holds their index.
  for (let round = 0; round < 3; round++) {
    for (const path of trees) {
      writeFileSync(join(path, `new${round}.txt`), `${round}\n`);
      execFileSync('git', ['add', '-A'], { cwd: path, env: { ...process.env, ...repository.env } });
      execFileSync('git', ['commit', '-qm', `round ${round}`], { cwd: path, env: { ...process.env, ...repository.env } });
    }
  }
  expect(slow.most()).toBeLessThanOrEqual(CAP);
  expect(slow.started()).toBeLessThanOrEqual(WORKTREES);
  expect(slow.locks()).toBe('');
  const waiting = await herd.json<{ workspaces: Workspace[] }>(['ls'], { env });
  expect(waiting.workspaces.map(({ diff }) => diff.at)).toEqual(Array(WORKTREES).fill(null));

  slow.open();
  await eventually(
    async () => (await herd.json<{ workspaces: Workspace[] }>(['ls'], { env })).workspaces.every(({ diff }) => diff.files === 3),
    'every tree shows its three files',
  );
  expect(slow.most()).toBeLessThanOrEqual(CAP);
});

test('C36: a reading that fails is said, with the last one standing', async () => {
  using repository = makeRepository();
  repository.git('checkout', '-q', '-b', 'work');
  repository.put('a.txt', 'changed\n');
  await using herd = new Driver({ cwd: repository.dir });
  await herd.ok(['open', repository.dir]);
  const read = () => herd.json<Changeset>(['diff', '1']);
  await eventually(async () => (await read()).files.length === 1, 'the change is there');
  const index = join(repository.dir, '.git/index');
  const good = readFileSync(index);
  writeFileSync(index, 'broken');
  const bad = await eventually(async () => {
    const seen = await read();
    return seen.error ? seen : null;
  }, 'the failure is said');
  expect([bad.files.length, bad.error]).toEqual([1, expect.stringMatching(/failed/)]);
  writeFileSync(index, good);
  await eventually(async () => (await read()).error === undefined, 'it is over');
});

test('C37: five tasks from the branch one is on; merged work of one never shows in another; a moved base is marked', async () => {
  using repository = makeRepository();
  repository.git('checkout', '-q', '-b', 'dev-env');
  for (let i = 0; i < 50; i++) repository.put(`dev/${i}.txt`, `${i}\n`);
  repository.commit('fifty files ahead of main');
  const start = repository.git('rev-parse', 'HEAD');
  await using herd = new Driver({ cwd: repository.dir });
  const tasks = ['one', 'two', 'three', 'four', 'five'];
  for (const name of tasks) await herd.ok(['new', name, '--no-agent']);
  const { workspaces } = await herd.json<{ workspaces: Workspace[] }>(['ls']);
  expect(workspaces.map(({ base }) => base)).toEqual(Array(5).fill({ name: 'dev-env', commit: start }));

  const commit = (name: string) => {
    const { path } = workspaces.find((workspace) => workspace.name === name)!;
    writeFileSync(join(path, `${name}.txt`), `${name}\n`);
    repository.gitIn(path, 'add', '-A');
    repository.gitIn(path, 'commit', '-qm', name);
    writeFileSync(join(path, `${name}-untracked.txt`), `${name}\n`);
  };
  commit('one');
  commit('two');
  repository.git('merge', '-q', 'one');
  const shown = async () => (await herd.json<Changeset>(['diff', 'two'])).files.map(({ path }) => path).sort();
  const own = ['two-untracked.txt', 'two.txt'];
  await eventually(async () => JSON.stringify(await shown()) === JSON.stringify(own), 'only its own work');

  repository.git('checkout', '-q', 'main');
  repository.git('commit', '-q', '--allow-empty', '-m', 'main goes on');
  repository.git('checkout', '-q', 'dev-env');
  repository.git('rebase', '-q', 'main');
  const moved = await eventually(async () => {
    const seen = await herd.json<Changeset>(['diff', 'two']);
    return seen.base?.moved ? seen : null;
  }, 'the moved base is marked');
  expect(moved.files.map(({ path }) => path).sort()).toEqual(own);
  expect(existsSync(join(repository.dir, 'one.txt'))).toBe(true);
});
