// Files as they were when a change was told: an event that comes later, of the same write, tells nothing new. Reads no file.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a change that are remembered: more are no lone write, and their late events are part of what goes on. */
const MOST = 16;
/** ms. A file system's clock may stand still for up to 10: what was changed so shortly before may change on without a trace. */
const TOO_YOUNG = 20;

export class ToldFiles {
  readonly #root: string;
  readonly #versions = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The files, by their paths below the root, are being told: whoever reads them from now on reads what is there now, or newer. */
  tell(files: readonly string[]): void {
    this.#versions.clear();
    if (files.length > MOST) return;
    for (const file of files) {
      const now = this.#version(file);
      if (now) this.#versions.set(file, now);
    }
  }

  /** The file is what it was when it was told. */
  has(file: string): boolean {
    const told = this.#versions.get(file);
    return told !== undefined && told === this.#version(file);
  }

  /** Null for what is no file, or too young for its times to say whether it changes again. */
  #version(file: string): string | null {
    try {
      const stat = lstatSync(join(this.#root, file), { bigint: true, throwIfNoEntry: false });
      if (!stat?.isFile() || Date.now() - Number(stat.ctimeMs) < TOO_YOUNG) return null;
      return `${stat.ino} ${stat.size} ${stat.mode} ${stat.mtimeNs} ${stat.ctimeNs}`;
    } catch {
      return null;
    }
  }
}
