// Counts the lines of changes: git is asked only for those that it has not counted yet between the same two contents. A refresh after one
// write to a thousand changed files costs the counting of one.

import { hash } from 'node:crypto';
import { dropOldest } from '../model/drop-oldest.ts';
import { type Comparison, DIFF_FLAGS, diffArgs } from './comparison.ts';
import type { Content, Contents } from './contents.ts';
import { type Count, type Counted, parseCounts, type RawChange } from './raw-diff.ts';

/** Files counted by name; of more the whole change is counted, which takes no long command line. */
const BY_NAME = 200;
/** Old sides whose counts are kept: a few scopes are read in turn. */
const OLD_SIDES = 4;

/** By path. `present`: the files as they lie there; `white`: git's flags for whitespace. */
export async function countLines(
  c: Comparison,
  changes: readonly RawChange[],
  contents: Contents,
  present: ReadonlyMap<string, Content>,
  white: readonly string[],
): Promise<ReadonlyMap<string, Count>> {
  const { counts } = contents;
  const nowOf = (r: RawChange) => (c.now.kind === 'worktree' ? present.get(r.path)?.fingerprint : r.newOid);
  // Attributes decide what counts as binary: those of the old side, and every file of them that is another now.
  const isRules = (path: string) => path.endsWith('.gitattributes');
  const ruled = changes.filter(({ path }) => isRules(path)).map((r) => [r.path, nowOf(r)]);
  for (const [path, { fingerprint }] of present) if (isRules(path)) ruled.push([path, fingerprint]);
  const key = hash('sha256', JSON.stringify([c.old, white, ruled]), 'base64');
  const before = counts.get(key);
  const all = new Map<string, Count>();
  const fresh: RawChange[] = [];
  for (const change of changes) {
    const known = before?.get(change.path);
    if (known?.lasts && known.now === nowOf(change) && isSame(known.change, change)) all.set(change.path, known);
    else fresh.push(change);
  }
  const lines = fresh.length > 0 ? await ask(c, fresh, contents, white) : null;
  for (const change of fresh) {
    const now = nowOf(change);
    // Written on meanwhile: the count may be of either content.
    const lasts = hasContent(change) && (c.now.kind !== 'worktree' || contents.read(change.path).fingerprint === now);
    all.set(change.path, { lines: lines?.get(change.path), change, now, lasts });
  }
  counts.delete(key);
  counts.set(key, all);
  dropOldest(counts, OLD_SIDES);
  return all;
}

/** A submodule and a conflict have none that a count could be kept for. */
function hasContent({ letter, oldMode, newMode }: RawChange): boolean {
  return letter !== 'U' && oldMode !== '160000' && newMode !== '160000';
}

function isSame(a: RawChange, b: RawChange): boolean {
  return a.oldOid === b.oldOid && a.oldPath === b.oldPath && a.oldMode === b.oldMode && a.newMode === b.newMode;
}

async function ask(
  c: Comparison,
  fresh: readonly RawChange[],
  { patches, lastPatch }: Contents,
  white: readonly string[],
): Promise<ReadonlyMap<string, Counted>> {
  const only = fresh.length === 1 && white.length === 0 && fresh[0]!.letter === 'M' ? fresh[0]! : null;
  const counted = only && ((await patches.count(c, only.path)) ?? (await lastPatch.count(c, only.path)));
  if (only && counted) return new Map([[only.path, counted]]);
  const names = fresh.length > BY_NAME ? [] : fresh.flatMap((r) => (r.oldPath === undefined ? [r.path] : [r.oldPath, r.path]));
  const run = ['diff', '--numstat', '-z', ...DIFF_FLAGS, ...white, ...diffArgs(c), '--', ...names];
  return parseCounts((await c.look.run(run, { action: 'Counting lines', wide: true })).stdout);
}
