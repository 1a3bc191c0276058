// One reading of a worktree: a handful of git processes whatever the number of files, everything else counted in this process.

import { isDeepStrictEqual } from 'node:util';
import type { ChangedFile, Changeset, FileStatus } from '../model/review/changeset.ts';
import { type Attributes, readAttributes } from './attributes.ts';
import { type Comparison, DIFF_FLAGS, diffArgs, whitespaceFlags } from './comparison.ts';
import type { Content, Contents } from './contents.ts';
import { countLines } from './count-lines.ts';
import { isLockFile } from './generated.ts';
import { unchangedLargeFiles } from './large-files.ts';
import type { Counted, RawChange } from './raw-diff.ts';
import { foldUntrackedRenames } from './renames.ts';
import { type StatusEntry, type Statuses, splitZero } from './status.ts';
import { dirtySubmodules, readSubmodule } from './submodule-state.ts';

/** Untracked files listed; a worktree that forgot to ignore its dependencies must not bring a hundred thousand rows. */
const UNTRACKED_LIMIT = 10_000;
/** Bytes of status: about 200,000 names. */
const STATUS_LIMIT = 32 * 1024 * 1024;

const STATUS_OF: Record<string, FileStatus> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
  U: 'unmerged',
};

export interface Scan {
  files: ChangedFile[];
  added: number;
  removed: number;
  notes: string[];
}

/**
 * The files of a comparison with their counts, and what the worktree stands on. Reads only what changed since `contents` last saw it.
 * Rejects with GitError.
 */
export async function scan(c: Comparison, contents: Contents, ignoreWhitespace: boolean): Promise<Scan> {
  const white = whitespaceFlags(ignoreWhitespace);
  contents.lastPatch.forget();
  const [status, raw, committed, dirty, known] = await Promise.all([
    readStatus(c, contents),
    c.look.run(['diff', '--raw', '-z', '--abbrev=64', ...DIFF_FLAGS, ...white, ...diffArgs(c), '--'], {
      action: 'Reading the changes',
      wide: true,
    }),
    committedPaths(c, contents),
    c.now.kind === 'commit' ? [] : dirtySubmodules(c.look),
    readAttributes(c.look, contents.attributed),
  ]);
  const { tracked: entries } = status;
  const untracked = c.untracked ? status.untracked : [];
  const raws = contents.raws.read(raw.stdout);
  const asked = new Set(contents.attributed);
  const named = new Set(entries.keys());
  for (const { path } of raws) named.add(path);
  contents.attributed = [...named, ...untracked];
  const fresh = contents.attributed.filter((path) => !asked.has(path));
  const attributes = fresh.length === 0 ? known : new Map([...known, ...(await readAttributes(c.look, fresh))]);
  const pointers =
    c.now.kind === 'worktree'
      ? await unchangedLargeFiles(c.look, modified(entries.values()), attributes, contents.hashes)
      : new Set<string>();
  const onlyFilled = (r: RawChange) => pointers.has(r.path) && entries.get(r.path)?.x === '.' && !committed.has(r.path);
  const changes = raws.filter((r) => !onlyFilled(r));
  const paths = changes.map((r) => r.path);
  const listed = new Set(paths);
  // Removed from the index only: the file is still there, against its old content.
  const back = new Set(untracked.filter((path) => listed.has(path)));
  const present = c.now.kind === 'worktree' ? await contents.readAll([...paths, ...untracked]) : new Map<string, Content>();
  const counts = await countLines(c, changes, contents, present, white);
  const entryOf = (path: string) => {
    const entry = entries.get(path);
    return entry && pointers.has(path) ? { ...entry, y: '.' } : entry;
  };
  const files = [
    ...changes.map((r) => tracked(c, r, counts.get(r.path)?.lines, entryOf(r.path), committed, present.get(r.path))),
    ...untracked.filter((path) => !listed.has(path)).map((path) => newFile(path, present.get(path))),
  ];
  // A conflict may leave the very text of the base in the file: still to be decided.
  for (const e of entries.values()) if (e.kind === 'unmerged' && !listed.has(e.path)) files.push(conflicted(e, contents));
  for (const f of files) {
    if (!back.has(f.path)) continue;
    Object.assign(f, { status: 'modified', newMode: present.get(f.path)?.mode ?? f.oldMode, unstaged: true, loose: true });
    if (back.size <= COUNTED_BACK) await countBack(c, f);
  }
  const folded = await foldUntrackedRenames(c.look, files, present, new Map(changes.map((r) => [r.path, r.oldOid])));
  await addSubmodules(c, folded, changes, dirty);
  addGenerated(folded, attributes);
  await addOldSizes(c, folded);
  folded.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files: folded, ...totals(folded), notes: status.notes };
}

/** Tracked files whose content is not what the index has, with their object there. */
export function modified(entries: Iterable<StatusEntry>): { path: string; oid: string }[] {
  const found: { path: string; oid: string }[] = [];
  for (const { kind, y, path, oid } of entries) if (kind === 'tracked' && y === 'M' && oid !== null) found.push({ path, oid });
  return found;
}

/** Files taken out of the index whose lines are counted, a git process each; more of them keep the counts of a deletion. */
const COUNTED_BACK = 50;

async function countBack(c: Comparison, file: ChangedFile): Promise<void> {
  const r = await c.look.run(['diff', '--numstat', ...DIFF_FLAGS, `${c.old}:${file.path}`, '--', file.path], { codes: [0, 128] });
  const [, added, removed] = /^(\d+|-)\t(\d+|-)\t/.exec(r.stdout.toString()) ?? [];
  // A binary one is told as such already.
  if (r.code === 0 && added !== '-') Object.assign(file, { added: Number(added ?? 0), removed: Number(removed ?? 0) });
}

function totals(files: readonly ChangedFile[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const f of files) {
    added += f.added ?? 0;
    removed += f.removed ?? 0;
  }
  return { added, removed };
}

async function readStatus(c: Comparison, contents: Contents): Promise<Statuses & { notes: string[] }> {
  if (c.now.kind === 'commit') return { tracked: new Map(), untracked: [], notes: [] };
  const args = (how: string) => ['status', '--porcelain=v2', '-z', '--no-renames', `--untracked-files=${how}`, '--ignore-submodules=dirty'];
  const notes: string[] = [];
  let result = await c.look.run(args(c.untracked ? 'all' : 'no'), {
    action: 'Reading the status',
    limit: STATUS_LIMIT,
    overflow: 'cut',
    wide: true,
  });
  if (result.cut) {
    notes.push('folders of untracked files are left out');
    result = await c.look.run(args('no'), { action: 'Reading the status', wide: true });
  }
  const { tracked, untracked } = contents.statuses.read(result.stdout);
  if (untracked.length > UNTRACKED_LIMIT) notes.push(`${UNTRACKED_LIMIT} of ${untracked.length} untracked files are listed`);
  return { tracked, untracked: untracked.slice(0, UNTRACKED_LIMIT), notes };
}

/** Paths that commits since the base changed: always the same between the same two. */
async function committedPaths(c: Comparison, contents: Contents): Promise<ReadonlySet<string>> {
  if (c.now.kind === 'commit' || c.head === null || c.head === c.old) return new Set();
  const between = `${c.old} ${c.head}`;
  if (contents.committed?.between === between) return contents.committed.paths;
  const r = await c.look.run(['diff', '--name-only', '-z', ...DIFF_FLAGS, '--no-renames', c.old, c.head, '--']);
  contents.committed = { between, paths: new Set(splitZero(r.stdout)) };
  return contents.committed.paths;
}

function tracked(
  c: Comparison,
  r: RawChange,
  lines: Counted | undefined,
  entry: StatusEntry | undefined,
  committed: ReadonlySet<string>,
  content: Content | undefined,
): ChangedFile {
  const file: ChangedFile = {
    path: r.path,
    status: entry?.kind === 'unmerged' ? 'unmerged' : (STATUS_OF[r.letter] ?? 'modified'),
    added: lines ? lines.added : 0,
    removed: lines ? lines.removed : 0,
    oldMode: r.oldMode,
    newMode: content && content.kind !== 'missing' && r.newMode === '000000' && r.letter === 'U' ? content.mode : r.newMode,
    committed: c.now.kind === 'commit' || committed.has(r.path) || (r.oldPath !== undefined && committed.has(r.oldPath)),
    staged: entry !== undefined && entry.kind !== 'unmerged' && entry.x !== '.',
    unstaged: entry !== undefined && entry.y !== '.',
    fingerprint: content && r.newMode !== '160000' ? content.fingerprint : `${r.newMode}:${r.newOid ?? 'none'}`,
  };
  if (r.oldPath !== undefined) file.oldPath = r.oldPath;
  if (r.similarity !== undefined) file.similarity = r.similarity;
  if (lines?.added === null) {
    file.binary = true;
    if (content) file.newSize = content.size;
  }
  return file;
}

function conflicted(e: StatusEntry, contents: Contents): ChangedFile {
  return {
    path: e.path,
    status: 'unmerged',
    added: 0,
    removed: 0,
    committed: false,
    staged: false,
    unstaged: true,
    fingerprint: contents.read(e.path).fingerprint,
  };
}

function newFile(path: string, content: Content | undefined): ChangedFile {
  const lines = content?.lines ?? null;
  return {
    path,
    status: 'untracked',
    added: lines,
    removed: lines === null ? null : 0,
    newMode: content?.mode ?? '100644',
    committed: false,
    staged: false,
    unstaged: true,
    newSize: content?.size ?? 0,
    fingerprint: content?.fingerprint ?? 'missing',
    ...(content?.binary ? { binary: true } : {}),
  };
}

async function addSubmodules(c: Comparison, files: ChangedFile[], changes: RawChange[], dirty: readonly string[]): Promise<void> {
  const byPath = new Map(changes.map((r) => [r.path, r]));
  for (const file of files) {
    const r = byPath.get(file.path);
    if (!r || (r.oldMode !== '160000' && r.newMode !== '160000')) continue;
    file.submodule = await readSubmodule(c.look, file.path, r, dirty.includes(file.path));
    file.fingerprint = `160000:${file.submodule.new}:${file.submodule.dirty}`;
  }
  const listed = new Set(files.map((f) => f.path));
  for (const path of c.now.kind === 'worktree' ? dirty : []) {
    if (listed.has(path)) continue;
    files.push({
      path,
      status: 'modified',
      added: 0,
      removed: 0,
      oldMode: '160000',
      newMode: '160000',
      committed: false,
      staged: false,
      unstaged: true,
      submodule: { old: null, new: null, commits: 0, dirty: true },
      fingerprint: '160000:dirty',
    });
  }
}

/** Sizes of binary files' old sides, in one process. */
async function addOldSizes(c: Comparison, files: readonly ChangedFile[]): Promise<void> {
  const binary = files.filter((f) => f.binary && f.status !== 'untracked' && f.status !== 'added' && !/\n/.test(f.oldPath ?? f.path));
  if (binary.length > 0) {
    const sizes = await blobSizes(
      c,
      c.old,
      binary.map((f) => f.oldPath ?? f.path),
    );
    binary.forEach((f, i) => {
      if (sizes[i] !== null) f.oldSize = sizes[i];
    });
  }
  const stored = files.filter((f) => f.binary && f.newSize === undefined && f.status !== 'deleted' && !/\n/.test(f.path));
  if (stored.length === 0 || c.now.kind === 'worktree') return;
  const sizes = await blobSizes(
    c,
    c.now.kind === 'commit' ? c.now.commit : '',
    stored.map((f) => f.path),
  );
  stored.forEach((f, i) => {
    if (sizes[i] !== null) f.newSize = sizes[i];
  });
}

async function blobSizes(c: Comparison, tree: string, paths: string[]): Promise<(number | undefined)[]> {
  const r = await c.look.run(['cat-file', '--batch-check=%(objectsize)'], { input: paths.map((p) => `${tree}:${p}\n`).join('') });
  return r.stdout
    .toString()
    .split('\n')
    .map((line) => (/^\d+$/.test(line) ? Number(line) : undefined));
}

function addGenerated(files: readonly ChangedFile[], attributes: Attributes): void {
  for (const file of files) {
    // An attribute decides over the name: "-linguist-generated" unfolds a lock file.
    const value = attributes.get(file.path)?.['linguist-generated'];
    if (value === undefined ? isLockFile(file.path) : value === 'set' || value === 'true') file.generated = true;
  }
}

/** Same listing, with the same objects for its files: nothing for anybody to redraw. */
export function sameListing(a: Changeset, b: Changeset): boolean {
  const facts = ({ at: _at, generation: _generation, error: _error, files: _files, ...rest }: Changeset) => JSON.stringify(rest);
  return a.files.length === b.files.length && a.files.every((file, i) => file === b.files[i]) && facts(a) === facts(b);
}

/** The files of a reading, those that read as they did before as the same objects: few are others, and all live until the next. By path, both. */
export function shareFiles(before: readonly ChangedFile[], files: readonly ChangedFile[]): ChangedFile[] {
  let at = 0;
  return files.map((file) => {
    while (at < before.length && before[at]!.path < file.path) at++;
    const old = before[at];
    return old && says(old, file) && says(file, old) ? old : file;
  });
}

/** All that `b` says is the same in `a`. */
function says(a: ChangedFile, b: ChangedFile): boolean {
  for (const key in b) {
    const [one, other] = [a[key as keyof ChangedFile], b[key as keyof ChangedFile]];
    if (one !== other && (typeof other !== 'object' || !isDeepStrictEqual(one, other))) return false;
  }
  return true;
}
