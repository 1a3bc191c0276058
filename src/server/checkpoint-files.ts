// Checkpoints of screens on disk: a file is there whole or not at all, and one that was damaged later is not taken for good. The names
// carry terminal and checkpoint id, so an old and a new one stand side by side until the holder has taken the new one.
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** First bytes of a file: format and its version, then u32le CRC of the rest. */
const MAGIC = Buffer.from('herdckp1');
const HEADER = MAGIC.length + 4;

export class CheckpointFiles {
  readonly #dir: string;

  /** `dir` exists and is private. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Resolves when the checkpoint would survive a crash of the machine. `id` is a short word without dots and slashes. */
  async store(terminal: number, id: string, vt: Uint8Array): Promise<void> {
    const path = this.#path(terminal, id);
    const header = Buffer.alloc(HEADER);
    MAGIC.copy(header);
    header.writeUInt32LE(crc32(vt), MAGIC.length);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writev([header, vt]);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }

  /** The VT bytes of a checkpoint; null when it is not there or damaged. */
  async load(terminal: number, id: string): Promise<Uint8Array | null> {
    if (!/^[\w-]{1,40}$/.test(id)) return null;
    const bytes = await readFile(this.#path(terminal, id)).catch(() => null);
    if (!bytes || bytes.length < HEADER || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
    const vt = bytes.subarray(HEADER);
    return crc32(vt) === bytes.readUInt32LE(MAGIC.length) ? vt : null;
  }

  /** Removes a terminal's checkpoints but the one with id `keep`. */
  async prune(terminal: number, keep: string | null): Promise<void> {
    const mine = new RegExp(`^${terminal}\\.[\\w-]+\\.checkpoint(\\.new)?$`);
    const names = (await readdir(this.#dir)).filter((name) => mine.test(name) && name !== `${terminal}.${keep}.checkpoint`);
    await Promise.all(names.map((name) => rm(join(this.#dir, name), { force: true })));
  }

  #path(terminal: number, id: string): string {
    return join(this.#dir, `${terminal}.${id}.checkpoint`);
  }
}
