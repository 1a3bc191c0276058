// The patch of the one file whose lines were counted last: whoever looks at the worktree asks for those lines next.

import { CONTEXT, type Comparison, DIFF_FLAGS, diffArgs, fileKey } from './comparison.ts';
import { changedLines, splitPatch } from './patch-hunks.ts';

/** Bytes of a patch that is kept, one per worktree; a longer one is cut off and what it took is lost. */
const MOST = 256 * 1024;

export class LastPatch {
  readonly #fingerprintOf: (path: string) => string;
  #kept: { key: string; fingerprint: string; patch: Buffer } | null = null;

  /** `fingerprintOf`: of the file as it lies there. */
  constructor(fingerprintOf: (path: string) => string) {
    this.#fingerprintOf = fingerprintOf;
  }

  /** Lines added to and removed from a modified file of the worktree; null for what is no text, or too much. */
  async count(c: Comparison, path: string): Promise<{ added: number; removed: number } | null> {
    if (c.now.kind !== 'worktree') return null;
    const fingerprint = this.#fingerprintOf(path);
    const args = ['diff', '-p', `--unified=${CONTEXT}`, ...DIFF_FLAGS, ...diffArgs(c), '--', path];
    const r = await c.look.run(args, { limit: MOST, overflow: 'cut', action: 'Counting lines' });
    const { hunks, whole } = splitPatch(r.stdout);
    if (r.cut || !whole || hunks.length === 0) return null;
    this.#kept = { key: fileKey(c, path), fingerprint, patch: r.stdout };
    return changedLines(hunks);
  }

  /** Another reading begins: attributes, which no fingerprint tells of, may have changed. */
  forget(): void {
    this.#kept = null;
  }

  /** The patch that was counted, while the file is what it was. */
  at(c: Comparison, path: string): Buffer | null {
    const { key, fingerprint, patch } = this.#kept ?? {};
    return patch && c.now.kind === 'worktree' && key === fileKey(c, path) && fingerprint === this.#fingerprintOf(path) ? patch : null;
  }
}
