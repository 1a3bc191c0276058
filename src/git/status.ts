// Reads `git status --porcelain=v2 -z`. Pure: bytes in, entries out; a name is decoded as UTF-8 and kept by its bytes where that fails.

/** One tracked entry: X is HEAD against index, Y index against working tree; '.' is "same". */
export interface StatusEntry {
  kind: 'tracked' | 'unmerged' | 'untracked';
  path: string;
  oldPath?: string;
  x: string;
  y: string;
  /** Three characters behind 'S' for a submodule: C commit changed, M modified content, U untracked files. */
  submodule: string | null;
  /** Object in the index; null for untracked. */
  oid: string | null;
  /** Unmerged: objects of base, ours, theirs; null where a stage is missing. */
  stages?: [string | null, string | null, string | null];
}

const ZERO = /^0+$/;

/** Entries of `git status --porcelain=v2 -z`, in its order; records of other kinds are passed over (git-status(1)). */
export function parseStatus(bytes: Buffer): StatusEntry[] {
  const records = splitZero(bytes);
  const out: StatusEntry[] = [];
  for (let i = 0; i < records.length; i += 1) {
    const r = records[i]!;
    switch (r[0]) {
      case '1': {
        const f = fields(r, 8);
        out.push({ kind: 'tracked', path: f[8]!, x: f[1]![0]!, y: f[1]![1]!, submodule: submodule(f[2]!), oid: f[7]! });
        break;
      }
      case '2': {
        const f = fields(r, 9);
        i += 1;
        out.push({
          kind: 'tracked',
          path: f[9]!,
          oldPath: records[i] ?? '',
          x: f[1]![0]!,
          y: f[1]![1]!,
          submodule: submodule(f[2]!),
          oid: f[7]!,
        });
        break;
      }
      case 'u': {
        const f = fields(r, 10);
        const stage = (oid: string) => (ZERO.test(oid) ? null : oid);
        out.push({
          kind: 'unmerged',
          path: f[10]!,
          x: f[1]![0]!,
          y: f[1]![1]!,
          submodule: submodule(f[2]!),
          oid: null,
          stages: [stage(f[7]!), stage(f[8]!), stage(f[9]!)],
        });
        break;
      }
      case '?':
        out.push({ kind: 'untracked', path: r.slice(2), x: '?', y: '?', submodule: null, oid: null });
        break;
    }
  }
  return out;
}

/** What a reading asks of it: the tracked by path, in git's order. */
export interface Statuses {
  tracked: ReadonlyMap<string, StatusEntry>;
  untracked: readonly string[];
}

/** The same, tracked files by path and untracked ones as a list. */
export function splitStatus(bytes: Buffer): Statuses {
  const tracked = new Map<string, StatusEntry>();
  const untracked: string[] = [];
  for (const entry of parseStatus(bytes)) {
    if (entry.kind === 'untracked') untracked.push(entry.path);
    else tracked.set(entry.path, entry);
  }
  return { tracked, untracked };
}

/** Splits at the first `count` spaces; the rest, spaces and all, is the last field. */
function fields(record: string, count: number): string[] {
  const out: string[] = [];
  let at = 0;
  for (let n = 0; n < count; n += 1) {
    const space = record.indexOf(' ', at);
    out.push(record.slice(at, space));
    at = space + 1;
  }
  out.push(record.slice(at));
  return out;
}

const submodule = (field: string): string | null => (field[0] === 'S' ? field.slice(1) : null);

/** NUL-ended records as strings. A file name that is no UTF-8 gets replacement characters: it is listed, git cannot be asked for it by that name. */
export function splitZero(bytes: Buffer): string[] {
  const out: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, from)) {
    out.push(bytes.toString('utf8', from, at));
    from = at + 1;
  }
  if (from < bytes.length) out.push(bytes.toString('utf8', from));
  return out;
}
