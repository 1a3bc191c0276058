// A file moved without telling git is a deletion and an untracked file; seen together they are a rename. Equal content first (free, the ids
// are known), then likeness of lines for few and small files. Bounded: never more than 40 blobs are read.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFile } from '../model/review/changeset.ts';
import { readBlobs } from './blobs.ts';
import { type Content, countLines } from './contents.ts';
import type { Look } from './run.ts';

/** Candidates a side for the comparison by lines. */
const CANDIDATES = 40;
/** Bytes of a file compared by lines. */
const SIZE_LIMIT = 256 * 1024;
/** Percent, as git's own default. */
const LIKENESS = 50;

type OldIds = ReadonlyMap<string, string | null>;

/** The list with found pairs put together; other entries are the same objects. */
export async function foldUntrackedRenames(
  look: Look,
  files: ChangedFile[],
  present: ReadonlyMap<string, Content>,
  oldIds: OldIds,
): Promise<ChangedFile[]> {
  const gone = files.filter((f) => f.status === 'deleted' && oldIds.get(f.path) && f.oldMode !== '160000' && f.oldMode !== '120000');
  const fresh = files.filter((f) => f.status === 'untracked' && present.get(f.path)?.kind === 'file' && (f.newSize ?? 0) > 0);
  if (gone.length === 0 || fresh.length === 0) return files;
  const pairs = new Map<ChangedFile, ChangedFile>();
  const taken = new Set<ChangedFile>();
  const byId = new Map(gone.map((f) => [oldIds.get(f.path)!, f]));
  for (const f of fresh) {
    const from = byId.get(present.get(f.path)?.oid ?? '');
    if (!from || taken.has(from)) continue;
    taken.add(from);
    pairs.set(f, moved(from, f, 100, 0, 0));
  }
  await pairByLines(
    look,
    gone.filter((f) => !taken.has(f)),
    fresh.filter((f) => !pairs.has(f)),
    oldIds,
    taken,
    pairs,
  );
  return files.filter((f) => !taken.has(f)).map((f) => pairs.get(f) ?? f);
}

function moved(from: ChangedFile, to: ChangedFile, similarity: number, added: number, removed: number): ChangedFile {
  return {
    ...to,
    status: 'renamed',
    oldPath: from.path,
    similarity,
    added,
    removed,
    ...(from.oldMode === undefined ? {} : { oldMode: from.oldMode }),
    committed: from.committed,
    staged: from.staged,
    unstaged: true,
    loose: true,
  };
}

async function pairByLines(
  look: Look,
  gone: ChangedFile[],
  fresh: ChangedFile[],
  oldIds: OldIds,
  taken: Set<ChangedFile>,
  pairs: Map<ChangedFile, ChangedFile>,
): Promise<void> {
  const small = fresh.filter((f) => (f.newSize ?? 0) <= SIZE_LIMIT && !f.binary);
  if (gone.length === 0 || small.length === 0 || gone.length > CANDIDATES || small.length > CANDIDATES) return;
  const old = await readBlobs(
    look,
    gone.map((f) => oldIds.get(f.path)!),
  );
  for (const to of small) {
    const bytes = readOrNull(join(look.cwd, to.path));
    if (!bytes) continue;
    let best: { from: ChangedFile; similarity: number; same: number; total: number } | null = null;
    gone.forEach((from, i) => {
      const was = old[i];
      if (!was || taken.has(from) || was.length > SIZE_LIMIT) return;
      const { similarity, same } = likeness(was, bytes);
      if (similarity >= LIKENESS && similarity > (best?.similarity ?? 0)) best = { from, similarity, same, total: countLines(was) };
    });
    const found = best as { from: ChangedFile; similarity: number; same: number; total: number } | null;
    if (!found) continue;
    taken.add(found.from);
    pairs.set(to, moved(found.from, to, found.similarity, (to.added ?? 0) - found.same, found.total - found.same));
  }
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** Share of bytes in lines common to both, percent of the larger side; and how many lines those are. */
export function likeness(a: Buffer, b: Buffer): { similarity: number; same: number } {
  const lines = new Map<string, number>();
  for (const line of a.toString('latin1').split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1);
  let bytes = 0;
  let same = 0;
  for (const line of b.toString('latin1').split('\n')) {
    const left = lines.get(line) ?? 0;
    if (left === 0) continue;
    lines.set(line, left - 1);
    bytes += line.length + 1;
    same += 1;
  }
  const larger = Math.max(a.length, b.length) + 1;
  // A text that ends in a newline has one empty string too many.
  const ended = a.at(-1) === 10 && b.at(-1) === 10 ? 1 : 0;
  return { similarity: Math.min(100, Math.floor((bytes * 100) / larger)), same: Math.max(0, same - ended) };
}
