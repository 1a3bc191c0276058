// Fills a registered worktree with files, as `git worktree add` would have: the user's filters, then the post-checkout hook. A missing large
// file program (LFS) leaves pointers and a sentence instead of a failure.

import type { Runner } from './run.ts';
import { userGit } from './user-git.ts';

/** ms; creation runs in the background, but a filter that hangs for an hour hangs for ever. */
const FILL_LIMIT = 3_600_000;

/** Rejects with GitError when the files cannot be written; notes otherwise. */
export async function fillWorktree(runner: Runner, path: string, skipFilters: boolean): Promise<string[]> {
  const notes: string[] = [];
  const reset = ['reset', '--hard', '--quiet', '--no-recurse-submodules'];
  if (skipFilters) {
    await (await runner.look(path)).run(reset, { timeout: FILL_LIMIT, action: 'Filling the worktree' });
    notes.push('Content filters were skipped: large files are pointers.');
  } else {
    const filled = await runner.asUser(path, reset, { timeout: FILL_LIMIT, codes: [0, 1, 128], action: 'Filling the worktree' });
    if (filled.code !== 0) {
      // Whatever went wrong, filters are the only programs in it; a second failure is the real one.
      await (await runner.look(path)).run(reset, { timeout: FILL_LIMIT, action: 'Filling the worktree' });
      notes.push(await filterNote(filled.stderr));
    } else if (await hasPointers(runner, path)) {
      notes.push('Git LFS is not set up: its files are pointers.');
    }
  }
  await postCheckout(runner, path, notes);
  return notes;
}

function filterNote(stderr: string): string {
  const name = /(?:external filter|filter) '?([^'\n]{1,80})'? failed/.exec(stderr)?.[1] ?? (/lfs/i.test(stderr) ? 'git-lfs' : null);
  return `The content filter ${name ?? 'of the repository'} failed: the files it would make are pointers.`;
}

/** Attributes ask for LFS, but no filter is configured. */
async function hasPointers(runner: Runner, path: string): Promise<boolean> {
  const look = await runner.look(path);
  const configured = await look.run(['config', '--get-regexp', '^filter\\.lfs\\.(smudge|process)$', '.'], { codes: [0, 1] });
  if (configured.code === 0) return false;
  const asked = await look.run(['grep', '-q', '-F', 'filter=lfs', 'HEAD', '--', '.gitattributes'], { codes: [0, 1, 128] });
  return asked.code === 0;
}

/** With the arguments git gives it for a new worktree. A hook that fails is told, the worktree stays. */
async function postCheckout(runner: Runner, path: string, notes: string[]): Promise<void> {
  const look = await runner.look(path);
  const head = await look.text(['rev-parse', 'HEAD']);
  try {
    await userGit(
      runner,
      path,
      ['hook', 'run', '--ignore-missing', 'post-checkout', '--', '0'.repeat(head.length), head, '1'],
      'The post-checkout hook',
    );
  } catch (error) {
    // `git hook` came with 2.36; an older git makes worktrees without this hook.
    if (!/not a git command/.test(String((error as { detail?: { said?: string } }).detail?.said)))
      notes.push('The post-checkout hook failed.');
  }
}
