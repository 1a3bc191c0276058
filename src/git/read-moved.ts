// Lines moved across all files of a scope: one reading of its patch without context, untracked files beside it. Asked for when somebody looks,
// after the lines themselves; bounded by the change, not by the repository.

import { join } from 'node:path';
import type { ChangedFile, Hunk, MovedIn } from '../model/review/changeset.ts';
import { addedDiff, readFile } from './added-file.ts';
import { type Comparison, DIFF_FLAGS, diffArgs, whitespaceFlags } from './comparison.ts';
import { MOVED_LIMIT, markMoved, movedIn } from './moved.ts';
import { parsePatch } from './patch-parse.ts';

/** Bytes of the whole patch, and of an untracked file, that are looked at. */
const BYTE_LIMIT = 8 * 1024 * 1024;

interface Part {
  path: string;
  hunks: Hunk[];
}

/** Nothing for a change that is larger than is worth it, or that is in one file only: that one's diff says it itself. */
export async function readMoved(c: Comparison, files: readonly ChangedFile[], ignoreWhitespace: boolean): Promise<MovedIn[]> {
  const lines = files.reduce((sum, { added, removed }) => sum + (added ?? 0) + (removed ?? 0), 0);
  if (files.length < 2 || lines > MOVED_LIMIT) return [];
  const white = whitespaceFlags(ignoreWhitespace);
  const run = ['diff', '-p', '--unified=0', ...DIFF_FLAGS, ...white, ...diffArgs(c), '--'];
  const known = files.some(({ status }) => status !== 'untracked');
  const patch = known
    ? (await c.look.run(run, { limit: BYTE_LIMIT, overflow: 'cut', action: 'Looking for moved lines' })).stdout
    : Buffer.alloc(0);
  const parts = [...sections(patch), ...files.flatMap((file) => (file.status === 'untracked' || file.loose ? untracked(c, file) : []))];
  markMoved(...parts.map(({ hunks }) => hunks));
  return movedIn(parts);
}

function sections(patch: Buffer): Part[] {
  // Lines of content begin with a sign: this head is git's own.
  return patch
    .toString('latin1')
    .split(/^(?=diff --git )/m)
    .flatMap((text) => {
      const path = pathOf(text);
      return path === null ? [] : [{ path, hunks: parsePatch(Buffer.from(text, 'latin1')).hunks }];
    });
}

/** The new name in a section's head, the old one of a deleted file; null where there are no lines. Latin-1 in, text out. */
function pathOf(section: string): string | null {
  const [head = ''] = section.split(/^@@ /m, 1);
  const names = /^--- (.*)\n\+\+\+ (.*)$/m.exec(head);
  if (!names) return null;
  const [, old = '', now = ''] = names;
  const name = unquote((now === '/dev/null' ? old : now).replace(/\t$/, ''));
  return Buffer.from(name, 'latin1').toString().slice(2);
}

const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** git's C quoting taken back. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}

function untracked(c: Comparison, { path, binary, added }: ChangedFile): Part[] {
  if (binary || added === null) return [];
  try {
    return [{ path, hunks: addedDiff(readFile(join(c.look.cwd, path), BYTE_LIMIT).bytes, MOVED_LIMIT).hunks }];
  } catch {
    return [];
  }
}
