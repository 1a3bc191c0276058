// Makes the throw-away repository of `herd demo`.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './scripts.ts';

/** Makes the repository anew at `folder` with one commit on main; the folder above is the demo's own and is emptied. Throws git's first line when git fails. */
export async function makeRepository(folder: string): Promise<void> {
  await rm(dirname(folder), { recursive: true, force: true });
  for (const [path, text] of Object.entries(REPOSITORY)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = (...args: string[]): Promise<unknown> =>
    promisify(execFile)('git', ['-c', 'user.name=herd demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false', ...args], {
      cwd: folder,
    });
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-qm', 'A small shop');
}
