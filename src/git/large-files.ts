// Files that Git LFS keeps elsewhere: git stores a pointer, the folder holds the content. Filters are off when herd looks, so content against
// pointer would count as a change; here the content's hash is compared with the one the pointer names.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Attributes } from './attributes.ts';
import { readBlobs } from './blobs.ts';
import { entryAt } from './entry.ts';
import type { Look } from './run.ts';

/** Bytes of a pointer, as the LFS specification caps it. */
const POINTER_LIMIT = 1024;
/** Files looked at per reading. */
const FILE_LIMIT = 500;

/** Hashes by path and version of the file, kept by the owner of a worktree's readings. */
export type HashCache = Map<string, { version: string; sha256: string }>;

/** The content a pointer stands for; null when the bytes are no pointer. Pure. */
export function parsePointer(bytes: Buffer): { sha256: string; size: number } | null {
  if (bytes.length > POINTER_LIMIT) return null;
  const match =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[a-z0-9.-]+ [^\n]*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d+)\n$/.exec(
      bytes.toString(),
    );
  return match ? { sha256: match[1]!, size: Number(match[2]) } : null;
}

/** Of the modified paths (with their object in the index) those whose content is just what their pointer names. */
export async function unchangedLargeFiles(
  look: Look,
  modified: readonly { path: string; oid: string }[],
  attributes: Attributes,
  cache: HashCache,
): Promise<Set<string>> {
  const out = new Set<string>();
  const asked = modified.filter(({ path }) => attributes.get(path)?.filter === 'lfs').slice(0, FILE_LIMIT);
  if (asked.length === 0) return out;
  const blobs = await readBlobs(
    look,
    asked.map((m) => m.oid),
  );
  for (const [i, { path }] of asked.entries()) {
    const pointer = blobs[i] ? parsePointer(blobs[i]) : null;
    if (pointer && (await matches(join(look.cwd, path), pointer, cache))) out.add(path);
  }
  return out;
}

async function matches(full: string, pointer: { sha256: string; size: number }, cache: HashCache): Promise<boolean> {
  const stat = entryAt(full);
  if (!stat?.isFile() || stat.size !== pointer.size) return false;
  const version = `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
  const known = cache.get(full);
  if (known?.version === version) return known.sha256 === pointer.sha256;
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(full)) hash.update(chunk as Buffer);
  } catch {
    return false;
  }
  const sha256 = hash.digest('hex');
  cache.set(full, { version, sha256 });
  return sha256 === pointer.sha256;
}
