// Keeps work that is about to be discarded: a commit whose tree is the working tree with untracked files, whose parents are HEAD and, when it
// can be written, the index. A ref below refs/herd/ holds it in the user's repository. Content is stored as it lies there, without filters.

import { join } from 'node:path';
import { copyIndex, indexFile } from './copy-index.ts';
import type { Look } from './run.ts';
import { withOwnIndex } from './scratch.ts';
import { splitZero } from './status.ts';
import { isPopulated, submodules } from './submodule-state.ts';

/** Saves everything below `look.cwd`, also what submodules and repositories inside hold, to `ref`. */
export async function saveWorktree(look: Look, ref: string, message: string): Promise<void> {
  await withOwnIndex(look, async (view, index) => {
    await copyIndex(await indexFile(look), index);
    const head = await look.run(['rev-parse', '-q', '--verify', 'HEAD'], { codes: [0, 1, 128] });
    const parents = head.code === 0 ? ['-p', head.stdout.toString().trim()] : [];
    const staged = await view.run(['write-tree'], { codes: [0, 128] });
    if (staged.code === 0)
      parents.push('-p', await view.text(['commit-tree', staged.stdout.toString().trim(), ...parents, '-m', `${message}: index`]));
    const listed = await view.run(['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard'], {
      action: 'Saving the work',
    });
    const paths = [...new Set(splitZero(listed.stdout))].filter((p) => !p.endsWith('/'));
    await view.run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
      input: paths.map((p) => `${p}\0`).join(''),
      action: 'Saving the work',
    });
    const tree = await view.text(['write-tree'], { action: 'Saving the work' });
    const commit = await view.text(['commit-tree', tree, ...parents, '-m', message], { action: 'Saving the work' });
    await look.run(['update-ref', '--create-reflog', '-m', message, ref, commit], { action: 'Saving the work' });
    await saveInner(look, ref, message);
  });
}

/** Repositories inside: their work is saved in them, then brought over, because their objects go with the folder. */
async function saveInner(look: Look, ref: string, message: string): Promise<void> {
  for (const path of await innerRepositories(look)) {
    const full = join(look.cwd, path);
    const inner = await look.at(full);
    const name = `${ref}-inner/${path
      .replace(/[^A-Za-z0-9._/-]/g, '-')
      .replace(/\/+$/, '')
      .replace(/\.(lock)?(\/|$)/g, '-$2')}`;
    await saveWorktree(inner, name, `${message} (${path})`);
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--upload-pack=git-upload-pack'];
    await look.run([...fetch, '--', full, `+${name}:${name}`], {
      env: { GIT_ALLOW_PROTOCOL: 'file' },
      action: `Saving the work in ${path}`,
    });
  }
}

/** Checked-out submodules and untracked nested repositories, relative to the worktree. */
export async function innerRepositories(look: Look): Promise<string[]> {
  const out: string[] = [];
  for (const { path } of await submodules(look)) if (await isPopulated(join(look.cwd, path))) out.push(path);
  const others = await look.run(['ls-files', '-z', '--others', '--exclude-standard', '--directory']);
  for (const path of splitZero(others.stdout)) {
    if (path.endsWith('/') && (await isPopulated(join(look.cwd, path)))) out.push(path.slice(0, -1));
  }
  return out;
}
