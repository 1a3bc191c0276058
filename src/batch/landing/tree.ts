// Work with trees and commits that no checkout and no index of the user takes part in: a private index, plumbing only. Content is taken as
// it lies there; no filter and no hook of the repository runs.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { copyIndex } from '../../git/copy-index.ts';
import { gitDirOf } from '../../git/git-dir.ts';
import { GitError } from '../../git/git-error.ts';
import type { Look, Runner } from '../../git/run.ts';
import { withOwnIndex } from '../../git/scratch.ts';

export interface TakenPatch {
  /** Commit that holds the worktree's state, child of the base; null when nothing changed. */
  commit: string | null;
  /** Paths that differ, both sides of a rename. */
  touched: string[];
  added: number;
}

export interface PatchRequest {
  worktree: string;
  base: string;
  /** Ref that keeps the commit. */
  ref: string;
  file: string;
  message: string;
}

/** Everything in the worktree that is not ignored, against `base`: a commit kept by `ref`, and the patch in `file`. */
export async function takePatch(runner: Runner, o: PatchRequest): Promise<TakenPatch> {
  const look = await runner.look(o.worktree);
  return withOwnIndex(look, async (view, index) => {
    // With the worktree's own index unchanged files need not be read again.
    const own = gitDirOf(o.worktree);
    if (own !== null) await copyIndex(join(own, 'index'), index);
    await view.run(['add', '--all', '--', '.'], { action: 'Reading the changes' });
    const same = await view.run(['diff-index', '--cached', '--quiet', o.base, '--'], { codes: [0, 1], action: 'Comparing with the base' });
    if (same.code === 0) return { commit: null, touched: [], added: 0 };
    const tree = await view.text(['write-tree'], { action: 'Reading the changes' });
    const commit = await view.text(['commit-tree', tree, '-p', o.base, '-m', o.message]);
    await look.run(['update-ref', o.ref, commit]);
    await writePatch(look, o.base, commit, o.file);
    return { commit, ...(await touchedBy(look, o.base, commit)) };
  });
}

/** The difference of two commits as a patch that `git apply` takes: binary files, renames and modes included. */
export async function writePatch(look: Look, from: string, to: string, file: string): Promise<void> {
  await look.run(['diff', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '-M', `--output=${file}.new`, from, to], {
    action: 'Writing the patch',
  });
  await rename(`${file}.new`, file);
}

async function touchedBy(look: Look, from: string, to: string): Promise<{ touched: string[]; added: number }> {
  const stat = await look.run(['diff', '--no-ext-diff', '--no-textconv', '--numstat', '-z', '--no-renames', from, to]);
  const rows = stat.stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((row) => row.split('\t'));
  return { touched: rows.map((row) => row.slice(2).join('\t')), added: rows.reduce((sum, [added]) => sum + (Number(added) || 0), 0) };
}

export interface PatchToApply {
  task: string;
  file: string;
  message: string;
}

export interface Applied {
  /** Tip of the series. */
  commit: string;
  applied: { task: string; commit: string }[];
  /** Those that do not fit onto what was applied before them. */
  refused: { task: string; why: string }[];
}

/** Applies patches one after the other onto `base`, one commit each; one that does not fit is left out. Nothing is checked out. */
export async function applySeries(look: Look, base: string, patches: readonly PatchToApply[]): Promise<Applied> {
  return withOwnIndex(look, async (view) => {
    const result: Applied = { commit: base, applied: [], refused: [] };
    await view.run(['read-tree', base]);
    for (const { task, file, message } of patches) {
      const tried = await view.run(['apply', '--cached', '--3way', '--whitespace=nowarn', file], { codes: [0, 1, 128] });
      const tree = tried.code === 0 ? await view.run(['write-tree'], { codes: [0, 128] }) : tried;
      if (tree.code !== 0) {
        result.refused.push({ task, why: conflictText(tried.stderr) });
        await view.run(['read-tree', '--reset', result.commit]);
        continue;
      }
      result.commit = await view.text(['commit-tree', tree.stdout.toString().trim(), '-p', result.commit, '-m', message]);
      result.applied.push({ task, commit: result.commit });
    }
    return result;
  });
}

function conflictText(said: string): string {
  const files = [...said.matchAll(/^(?:error: patch failed: |U )(.+?)(?::\d+)?$/gm)].map((match) => match[1]!);
  return files.length > 0 ? `does not fit at ${[...new Set(files)].slice(0, 3).join(', ')}` : 'does not fit';
}

/** Full id of a commit; throws GitError when there is none. */
export async function commitId(look: Look, name: string): Promise<string> {
  const found = await look.run(['rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`], { codes: [0, 1, 128] });
  const id = found.stdout.toString().trim();
  if (found.code !== 0 || id === '')
    throw new GitError('unknown-revision', `There is no branch, tag or commit ${name}.`, 'See: git branch -a');
  return id;
}
