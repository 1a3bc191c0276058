// What the present files hold: size, identity, line count, binary or not. Read once per version of a file (size, times, inode), a few at
// a time so that a thousand files never hold up the server; never follows a link, never opens what is no regular file.

import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { entryAt } from './entry.ts';
import type { HashCache } from './large-files.ts';
import { LastParsed } from './last-parsed.ts';
import { LastPatch } from './last-patch.ts';
import { LongPatches } from './long-patches.ts';
import { type CountCache, parseRawDiff } from './raw-diff.ts';
import { splitStatus } from './status.ts';

/** Bytes; a larger file is not read for listing: its identity is size and time, its lines are unknown. */
const READ_LIMIT = 4 * 1024 * 1024;
/** Bytes looked at for a NUL, as git does. */
const SNIFF = 8000;
/** ms of reading before other work of the process gets its turn. */
const SLICE = 4;

/** Bytes of memory that is read into again and again: most files of source fit. */
const ROOM = 64 * 1024;

/** Entries remembered beyond twice what was asked for; then all are forgotten, which costs one slower scan. */
const SPARE = 5000;

export interface Content {
  kind: 'file' | 'symlink' | 'folder' | 'missing' | 'other' | 'unreadable';
  /** git's mode: 100644, 100755, 120000. */
  mode: string;
  size: number;
  /** Content and mode, or size and time for a large file. */
  fingerprint: string;
  binary: boolean;
  /** Lines, a last one without newline included; null when binary or not read. */
  lines: number | null;
  /** Git's object id (SHA-1 repositories), null when not read. */
  oid: string | null;
}

/** What tells that a file was not written since; null for one that is not there. */
type Version = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino' | 'mode'> | null;

interface Known {
  version: Version;
  content: Content;
}

const NONE = { binary: false, lines: null, oid: null } as const;

export class Contents {
  readonly #root: string;
  /** Of large files kept elsewhere, see large-files.ts. */
  readonly hashes: HashCache = new Map();
  /** Lines of changes, see count-lines.ts. */
  readonly counts: CountCache = new Map();
  /** Of long files, see long-patches.ts. */
  readonly patches = new LongPatches((path) => this.read(path));
  readonly lastPatch = new LastPatch((path) => this.read(path).fingerprint);
  readonly statuses = new LastParsed(splitStatus);
  readonly raws = new LastParsed(parseRawDiff);
  /** Paths whose attributes the last reading asked for: the next one asks for them without waiting for the names. */
  attributed: readonly string[] = [];
  /** Paths that commits changed, between the two that were asked for last. */
  committed: { between: string; paths: ReadonlySet<string> } | null = null;
  readonly #known = new Map<string, Known>();
  #room: Buffer | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  /** Present contents of the paths. */
  async readAll(paths: readonly string[]): Promise<Map<string, Content>> {
    const out = new Map<string, Content>();
    if (this.#known.size > 2 * paths.length + SPARE) this.#known.clear();
    let started = performance.now();
    for (const path of paths) {
      const entry = this.#read(path);
      this.#known.set(path, entry);
      out.set(path, entry.content);
      if (performance.now() - started < SLICE) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      started = performance.now();
    }
    return out;
  }

  read(path: string): Content {
    const entry = this.#read(path);
    this.#known.set(path, entry);
    return entry.content;
  }

  #read(path: string): Known {
    const full = `${this.#root}/${path}`;
    const stat = entryAt(full);
    const known = this.#known.get(path);
    if (known && isSame(known.version, stat)) return known;
    if (!stat) return { version: null, content: { kind: 'missing', mode: '000000', size: 0, fingerprint: 'missing', ...NONE } };
    const { size, mtimeMs, ctimeMs, ino, mode } = stat;
    return { version: { size, mtimeMs, ctimeMs, ino, mode }, content: describe(full, stat, (bytes) => this.#roomFor(bytes)) };
  }

  /** Memory to read into, until the next file is read. */
  #roomFor(bytes: number): Buffer {
    if (bytes > ROOM) return Buffer.allocUnsafe(bytes);
    this.#room ??= Buffer.allocUnsafeSlow(ROOM);
    return this.#room;
  }
}

function isSame(a: Version, b: Version): boolean {
  if (!a || !b) return a === b;
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino && a.mode === b.mode;
}

function describe(full: string, stat: Stats, roomFor: (bytes: number) => Buffer): Content {
  try {
    if (stat.isSymbolicLink()) return ofBytes('symlink', '120000', readlinkSync(full, { encoding: 'buffer' }));
    if (stat.isDirectory()) return { kind: 'folder', mode: '040000', size: 0, fingerprint: `folder:${stat.mtimeMs}`, ...NONE };
    if (!stat.isFile()) return { kind: 'other', mode: '000000', size: 0, fingerprint: `other:${stat.ino}`, ...NONE };
    const mode = fileMode(stat);
    if (stat.size > READ_LIMIT) {
      const head = readHead(full, SNIFF, roomFor(SNIFF));
      return {
        kind: 'file',
        mode,
        size: stat.size,
        fingerprint: `${mode}:${stat.size}:${stat.mtimeMs}`,
        binary: head.includes(0),
        lines: null,
        oid: null,
      };
    }
    return ofBytes('file', mode, readHead(full, stat.size, roomFor(stat.size)));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', mode: '000000', size: 0, fingerprint: 'missing', ...NONE };
    return { kind: 'unreadable', mode: '000000', size: stat.size, fingerprint: `unreadable:${stat.size}:${stat.mtimeMs}`, ...NONE };
  }
}

/** The first `size` bytes of the file, in `buffer`. */
function readHead(full: string, size: number, buffer: Buffer): Buffer {
  const fd = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    let at = 0;
    while (at < size) {
      const n = readSync(fd, buffer, at, size - at, null);
      if (n === 0) break;
      at += n;
    }
    return buffer.subarray(0, at);
  } finally {
    closeSync(fd);
  }
}

function ofBytes(kind: 'file' | 'symlink', mode: string, bytes: Buffer): Content {
  const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const binary = kind === 'file' && isBinary(bytes);
  return { kind, mode, size: bytes.length, fingerprint: `${mode}:${oid}`, binary, lines: binary ? null : countLines(bytes), oid };
}

/** As git tells binary files: by a NUL near the beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFF).includes(0);
}

/** Mode of a regular file in a tree. */
export function fileMode({ mode }: Stats): '100755' | '100644' {
  return mode & 0o100 ? '100755' : '100644';
}

/** Lines, a last one without its end included. */
export function countLines(bytes: Uint8Array): number {
  let n = 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) n += 1;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? n + 1 : n;
}
