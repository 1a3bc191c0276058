// Pictures that clients on other hosts bring: written piece by piece below the session's state folder, where its programs can read them.
// What is old or too much is removed when the next one comes; nothing else is ever written or removed here.
import { randomBytes } from 'node:crypto';
import { appendFile, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Params } from '../wire/requests.ts';
import type { ClientLink } from './clients.ts';
import { Refusal } from './refusal.ts';

const MIB = 1024 * 1024;
/** Largest picture, bytes: agents take 5 to 20 MB. */
const PICTURE_MAX = 20 * MIB;
/** Bytes of all pictures that are kept, the newest: they are read once, when they are pasted. */
const KEPT_BYTES = 100 * MIB;
/** ms after which a picture is removed: a conversation may look at it again for a while. */
const KEPT_TIME = 7 * 24 * 3600 * 1000;

interface Coming {
  part: string;
  name: string;
  size: number;
  have: number;
  /** Its client may go: all of it is there, or nothing. */
  settle(): void;
}

export class Pictures {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #coming = new Map<string, Coming>();

  /** `now`: ms since 1970. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /**
   * A client is about to paste the path of a picture it has. Null when that very file is here too; else a name under which its bytes are to
   * come, as long as the client is there. Throws Refusal when it is too large or cannot be kept.
   */
  async begin({ path, size, modified, inode }: Params<'picture.begin'>, client: ClientLink): Promise<string | null> {
    const own = await stat(path).catch(() => null);
    if (own?.isFile() && own.size === size && own.ino === inode && Math.floor(own.mtimeMs) === modified) return null;
    if (size > PICTURE_MAX)
      throw new Refusal(
        'too-large',
        `The picture has ${Math.ceil(size / MIB)} MiB: at most ${PICTURE_MAX / MIB} MiB are brought to the program's host.`,
        'Make it smaller, or copy it there yourself and paste its path there.',
      );
    const id = randomBytes(8).toString('hex');
    const part = join(this.#folder, `${id}.part`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await this.#tidy(size);
      await (await open(part, 'wx', 0o600)).close();
    } catch (error) {
      throw unsaved(error);
    }
    const coming: Coming = { part, name: `${id}-${safeName(path)}`, size, have: 0, settle: () => {} };
    this.#coming.set(id, coming);
    coming.settle = client.onEnd(() => void this.#drop(id));
    return id;
  }

  /** The next bytes of a picture; its path once all are there, null before. Throws Refusal. */
  async part(id: string, bytes: Uint8Array): Promise<string | null> {
    const coming = this.#coming.get(id);
    if (!coming || coming.have + bytes.length > coming.size) {
      await this.#drop(id);
      throw new Refusal('not-found', 'No such picture is on its way.');
    }
    coming.have += bytes.length;
    try {
      await appendFile(coming.part, bytes);
      if (coming.have < coming.size) return null;
      const path = join(this.#folder, coming.name);
      await rename(coming.part, path);
      coming.settle();
      this.#coming.delete(id);
      return path;
    } catch (error) {
      await this.#drop(id);
      throw unsaved(error);
    }
  }

  async #drop(id: string): Promise<void> {
    const coming = this.#coming.get(id);
    if (!coming) return;
    coming.settle();
    this.#coming.delete(id);
    await rm(coming.part, { force: true }).catch(() => {});
  }

  /** Removes what is old, and the oldest of what leaves no room for `size` bytes more. */
  async #tidy(size: number): Promise<void> {
    const files = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const { mtimeMs, size } = await lstat(path);
      files.push({ path, size, age: this.#now() - mtimeMs });
    }
    let kept = size;
    for (const { path, size, age } of files.sort((a, b) => a.age - b.age)) {
      kept += size;
      const isComing = [...this.#coming.values()].some(({ part }) => part === path);
      if (!isComing && (kept > KEPT_BYTES || age > KEPT_TIME)) await rm(path, { force: true });
    }
  }
}

/** A file name that needs no quotes anywhere, with the ending of the path. */
function safeName(path: string): string {
  return basename(path)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(-64);
}

function unsaved(error: unknown): Refusal {
  return new Refusal('not-saved', `The picture could not be kept on the program's host: ${(error as Error).message}`);
}
