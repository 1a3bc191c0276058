// What is thrown away is in a ref first, refs/herd/undo/<time>, and undo puts the newest of a worktree back as long as nobody wrote its files
// since. The ref's message says which files of which worktree it is about and what they were afterwards.

import { readlinkSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFile } from './added-file.ts';
import { Contents, fileMode } from './contents.ts';
import { entryAt } from './entry.ts';
import { cleanText, GitError } from './git-error.ts';
import type { Look, Runner } from './run.ts';
import { HERD_AUTHOR, withOwnIndex } from './scratch.ts';
import { splitZero } from './status.ts';
import { refuseOutside } from './within.ts';

/** Bytes of a file that can be saved. */
const FILE_LIMIT = 256 * 1024 * 1024;
const FOLDER = 'refs/herd/undo';
/** What is under way before anything is thrown away: where it fails, nothing is. */
const SAVING = 'Saving the file first';
interface Note {
  worktree: string;
  /** Fingerprints after the act: what undo must find. */
  files: { path: string; after: string }[];
}

/** Runs `act`, which writes `paths` of the worktree, once they are in a ref; returns the ref. Rejects with 'moved-on' a path behind a link. */
export async function withUndo(
  look: Look,
  worktree: string,
  paths: readonly string[],
  now: () => number,
  act: () => Promise<void>,
): Promise<string> {
  for (const path of paths) refuseOutside(worktree, path);
  const tree = await saveFiles(look, paths);
  const saved = await look.text(['commit-tree', tree, '-m', 'before'], { env: HERD_AUTHOR, action: SAVING });
  const ref = `${FOLDER}/${new Date(now()).toISOString().replace(/[:.]/g, '-')}-${saved.slice(0, 8)}`;
  await look.run(['update-ref', ref, saved], { action: SAVING });
  await act();
  const contents = new Contents(worktree);
  const note: Note = { worktree, files: paths.map((path) => ({ path, after: contents.read(path).fingerprint })) };
  const input = `herd: discarded\n\n${JSON.stringify(note)}\n`;
  await look.run(['update-ref', ref, await look.text(['commit-tree', tree, '-F', '-'], { input, env: HERD_AUTHOR })]);
  return ref;
}

/** A tree of the files as they lie there; of one that is not there, nothing. */
function saveFiles(look: Look, paths: readonly string[]): Promise<string> {
  return withOwnIndex(look, async (view) => {
    for (const path of paths) {
      const full = join(look.cwd, path);
      const stat = entryAt(full);
      if (!stat || stat.isDirectory()) continue;
      const { bytes, cut } = stat.isSymbolicLink()
        ? { bytes: readlinkSync(full, { encoding: 'buffer' }), cut: false }
        : readFile(full, FILE_LIMIT);
      if (cut) throw new GitError('output-too-large', `${cleanText(path, 200)} is too large to be saved first.`, 'Use git in a terminal.');
      const blob = await view.text(['hash-object', '-w', '--no-filters', '--stdin'], { input: bytes, action: SAVING });
      const mode = stat.isSymbolicLink() ? '120000' : fileMode(stat);
      await view.run(['update-index', '--add', '-z', '--index-info'], { input: `${mode} ${blob}\t${path}\0` });
    }
    return view.text(['write-tree'], { action: SAVING });
  });
}

/** Puts back what the newest discard in this worktree took; its paths. Rejects with 'not-found', 'moved-on'. */
export async function undo(runner: Runner, worktree: string): Promise<string[]> {
  const look = await runner.look(worktree);
  const listed = await look.text(['for-each-ref', '--sort=-refname', '--format=%(refname) %(contents:body)', FOLDER]);
  for (const line of listed.split('\n')) {
    const [ref = '', body = ''] = line.split(/ (.*)/s);
    const note = parseNote(body);
    if (note?.worktree !== worktree) continue;
    await putBack(look, worktree, ref, note);
    return note.files.map(({ path }) => path);
  }
  throw new GitError('not-found', 'There is nothing to bring back.');
}

async function putBack(look: Look, worktree: string, ref: string, { files }: Note): Promise<void> {
  for (const { path } of files) refuseOutside(worktree, path);
  const contents = new Contents(worktree);
  const written = files.find(({ path, after }) => contents.read(path).fingerprint !== after);
  if (written) {
    const said = `${cleanText(written.path, 200)} has changed since: undo would overwrite that.`;
    throw new GitError('moved-on', said, `The old text is in ${ref}.`);
  }
  const entries = new Map(
    splitZero((await look.run(['ls-tree', '-r', '-z', ref])).stdout).map((entry) => {
      const [, mode = '', blob = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      return [path, { mode, blob }];
    }),
  );
  for (const { path } of files) await writeEntry(look, join(worktree, path), entries.get(path));
  await look.run(['update-ref', '-d', ref]);
}

async function writeEntry(look: Look, full: string, entry: { mode: string; blob: string } | undefined): Promise<void> {
  await rm(full, { force: true });
  if (!entry) return;
  const bytes = (await look.run(['cat-file', 'blob', entry.blob], { limit: FILE_LIMIT })).stdout;
  await mkdir(dirname(full), { recursive: true });
  if (entry.mode === '120000') return symlink(bytes, full);
  await writeFile(full, bytes);
  if (entry.mode === '100755') await chmod(full, 0o755);
}

function parseNote(text: string): Note | null {
  try {
    const { worktree, files } = JSON.parse(text) as { worktree?: unknown; files?: unknown };
    const safe =
      typeof worktree === 'string' &&
      Array.isArray(files) &&
      files.every(
        ({ path, after }) =>
          typeof path === 'string' && typeof after === 'string' && !path.startsWith('/') && !path.split('/').includes('..'),
      );
    return safe ? { worktree, files: files as Note['files'] } : null;
  } catch {
    return null;
  }
}
