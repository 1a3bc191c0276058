// Pictures of a worktree as commits in a private bare repository outside the user's: own index, own objects (the user's serve as alternates),
// own refs. The user's index, objects, refs and HEAD are only ever read; a ref of ours there would name objects that are not there.

import { lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotKind, Snapshots } from './api.ts';
import { copyIndex, indexFile } from './copy-index.ts';
import type { Lines } from './gate.ts';
import type { Look, Runner } from './run.ts';
import { HERD_AUTHOR } from './scratch.ts';
import { splitZero } from './status.ts';

/** Bytes of a file that is still pictured; larger ones keep their state in the user's index, or stay out when untracked. */
const FILE_LIMIT = 8 * 1024 * 1024;
/** Bytes of one picture's new files together. */
const PICTURE_LIMIT = 128 * 1024 * 1024;
/** Paths of one picture. */
const PATH_LIMIT = 20_000;
/** Pictures between two cleanings of objects that nothing points at. */
const CLEAN_EVERY = 50;

export interface SnapshotPlace {
  runner: Runner;
  lines: Lines;
  worktree: string;
  /** The private bare repository of this workspace. */
  dir: string;
}

/** The environment that makes git write into the private repository while it reads the user's settings and HEAD. */
async function privateEnvironment(look: Look, dir: string): Promise<Record<string, string>> {
  const objects = await look.text(['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
  return {
    GIT_INDEX_FILE: join(dir, 'index'),
    GIT_OBJECT_DIRECTORY: join(dir, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternate(objects),
  };
}

/** The list is split at ':'; a path with one is given in git's quotes. */
function quoteAlternate(path: string): string {
  return /[:"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;
}

async function prepare(look: Look, dir: string): Promise<void> {
  if (!(await stat(join(dir, 'HEAD')).catch(() => null))) {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const format = await look.text(['rev-parse', '--show-object-format']);
    await look.run(['init', '-q', '--bare', '--template=', `--object-format=${format}`, dir]);
    const objects = await look.text(['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
    await mkdir(join(dir, 'objects', 'info'), { recursive: true });
    await writeFile(join(dir, 'objects', 'info', 'alternates'), `${quoteAlternate(objects)}\n`);
  }
  // Nobody else writes here: a lock that is there was left by a death.
  await rm(join(dir, 'index.lock'), { force: true });
  if (!(await stat(join(dir, 'index')).catch(() => null))) await copyIndex(await indexFile(look), join(dir, 'index'));
}

/** A view whose index is the worktree as it is now, untracked files included. Call within the place's line. */
export async function refreshPrivateIndex(look: Look, dir: string): Promise<Look> {
  await prepare(look, dir);
  const view = look.with(await privateEnvironment(look, dir));
  const listed = await view.run(['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard'], {
    wide: true,
    action: 'Looking for changes',
  });
  const paths = await withinCaps(look.cwd, [...new Set(splitZero(listed.stdout))]);
  if (paths.length > 0) {
    await view.run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
      input: paths.map((p) => `${p}\0`).join(''),
      action: 'Taking a picture',
      codes: [0, 128],
    });
  }
  return view;
}

async function withinCaps(root: string, paths: string[]): Promise<string[]> {
  const out: string[] = [];
  let left = PICTURE_LIMIT;
  for (const path of paths.slice(0, PATH_LIMIT)) {
    if (path.endsWith('/')) continue;
    const facts = await lstat(join(root, path)).catch(() => null);
    if (facts?.isFile()) {
      if (facts.size > FILE_LIMIT || facts.size > left) continue;
      left -= facts.size;
    } else if (facts && !facts.isSymbolicLink() && !facts.isDirectory()) continue;
    out.push(path);
  }
  return out;
}

/** Pictures of rounds that are kept: older ones have long been dealt with. */
const ROUNDS_KEPT = 30;

async function forgetOldRounds(look: Look, dir: string): Promise<void> {
  const format = ['--sort=-version:refname', '--format=%(refname)', 'refs/herd/round-*'];
  const listed = await look.text(['--git-dir', dir, 'for-each-ref', ...format], { codes: [0, 128] });
  for (const ref of listed.split('\n').slice(ROUNDS_KEPT))
    await look.run(['--git-dir', dir, 'update-ref', '-d', ref], { codes: [0, 1, 128] });
}

/** Removes a private repository, when what is under way in it is done. Never rejects. */
export function removeSnapshots(lines: Lines, dir: string): Promise<void> {
  return lines.run(dir, () => rm(dir, { recursive: true, force: true }).catch(() => {}));
}

/** Pictures of one worktree's files, in a repository of their own that borrows the objects of the person's. */
export function openSnapshots(place: SnapshotPlace): Snapshots {
  const { runner, lines, worktree, dir } = place;
  let taken = 0;
  const waiting = new Map<SnapshotKind, ReturnType<Snapshots['take']>>();
  const at = async (look: Look, kind: SnapshotKind) => {
    if (!(await stat(join(dir, 'HEAD')).catch(() => null))) return null;
    const r = await look.run(['--git-dir', dir, 'rev-parse', '-q', '--verify', `refs/herd/${kind}`], { codes: [0, 1, 128] });
    return r.code === 0 ? { commit: r.stdout.toString().trim(), dir } : null;
  };
  const take = async (kind: SnapshotKind) => {
    const look = await runner.look(worktree);
    const view = await refreshPrivateIndex(look, dir);
    const tree = await view.text(['write-tree'], { action: 'Taking a picture' });
    const before = await at(look, kind);
    if (kind.startsWith('round-') && before) return before;
    if (before && (await look.text(['--git-dir', dir, 'rev-parse', `${before.commit}^{tree}`], { codes: [0, 128] })) === tree)
      return before;
    const commit = await look.text(['--git-dir', dir, 'commit-tree', tree, '-m', kind], { env: HERD_AUTHOR });
    await look.run(['--git-dir', dir, 'update-ref', `refs/herd/${kind}`, commit]);
    if (kind.startsWith('round-')) await forgetOldRounds(look, dir);
    taken += 1;
    // Only what refs point at is kept; the rest goes now and then.
    if (taken % CLEAN_EVERY === 0) await look.run(['--git-dir', dir, 'prune', '--expire=10.minutes.ago'], { codes: [0, 128] });
    return { commit, dir };
  };
  const beginTurn = async () => {
    const look = await runner.look(worktree);
    const rest = await at(look, 'rest');
    if (rest) await look.run(['--git-dir', dir, 'update-ref', 'refs/herd/turn', rest.commit]);
    else await take('turn');
  };
  return {
    take: (kind) => {
      // One that has not begun serves all who ask for it.
      const coming = waiting.get(kind);
      if (coming) return coming;
      const mine = lines.run(dir, () => {
        waiting.delete(kind);
        return take(kind);
      });
      waiting.set(kind, mine);
      return mine;
    },
    beginTurn: () => lines.run(dir, beginTurn),
    at: async (kind) => at(await runner.look(worktree), kind),
  };
}
