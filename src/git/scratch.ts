// Private folders for what git reads from files for the length of one call: an index of its own, two texts to compare. Each is named by the
// process that made it, so that what a killed one left behind can be told from what is in use.
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Look } from './run.ts';

/** Who commits that herd makes by itself are by. */
export const HERD_AUTHOR = {
  GIT_AUTHOR_NAME: 'herd',
  GIT_AUTHOR_EMAIL: 'herd@localhost',
  GIT_COMMITTER_NAME: 'herd',
  GIT_COMMITTER_EMAIL: 'herd@localhost',
};

const NAME = /^herd-git-(\d+)-/;
/** ms after which the folder of a process that is not there is removed: one that shares the folder but not the process ids is done by then. */
const LEFT_FOR = 3_600_000;

/** Runs `act` with an empty folder that only this user may enter; it goes away afterwards. */
export async function withScratch<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `herd-git-${process.pid}-`));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `act` with a view that has an index of its own, not there yet, and herd as author; `index` is its path. */
export function withOwnIndex<T>(look: Look, act: (view: Look, index: string) => Promise<T>): Promise<T> {
  return withScratch((folder) => {
    const index = join(folder, 'index');
    return act(look.with({ GIT_INDEX_FILE: index, ...HERD_AUTHOR }), index);
  });
}

/** Removes what processes that were killed have left. `now`: ms since the epoch. Never rejects. */
export async function sweepScratch(now: number, dir = tmpdir()): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(dir, name);
    const stat = await lstat(path).catch(() => null);
    if (!stat?.isDirectory() || stat.uid !== process.getuid?.() || now - stat.mtimeMs < LEFT_FOR) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
