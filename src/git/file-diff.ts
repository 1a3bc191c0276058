// One file's lines, read when asked for. The limit is on the change, not on the file: a one-line change in a huge file is shown, a huge change
// is shown from its start with the rest on request. One git process at most for text; none for an untracked file.

import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../model/counted.ts';
import type { ChangedFile, FileDiff, FileNote } from '../model/review/changeset.ts';
import { addedDiff, addedPatchBody, readFile } from './added-file.ts';
import { CONTEXT, type Comparison, DIFF_FLAGS, diffArgs, whitespaceFlags } from './comparison.ts';
import { type Contents, isBinary } from './contents.ts';
import { entryAt } from './entry.ts';
import { conflictNote, fileNotes, sizeText } from './file-notes.ts';
import { cleanText } from './git-error.ts';
import { markMoved } from './moved.ts';
import { type ParsedPatch, parsePatch } from './patch-parse.ts';
import { EXACT, exactly } from './pathspec.ts';
import { parseStatus } from './status.ts';
import { utf16Hunks } from './utf16.ts';
import { isWithin } from './within.ts';

/** Rows of a change sent without `load`: beyond any screen, and a frame of about 2 MB. */
const ROW_LIMIT = 20_000;
/** Bytes of a patch or an untracked file read without `load`. */
const BYTE_LIMIT = 8 * 1024 * 1024;
/** The same with `load`: what one process may hold for one file. */
const LOAD_LIMIT = 256 * 1024 * 1024;
/** Bytes of a binary looked into for UTF-16. */
const UTF16_LIMIT = 2 * 1024 * 1024;

export interface FileDiffOptions {
  context: number;
  ignoreWhitespace: boolean;
  load: boolean;
}

interface Part {
  parsed: ParsedPatch;
  notes: FileNote[];
}

const NO_LINES: ParsedPatch = { hunks: [], binary: false, invalidUtf8: false, bom: { old: false, new: false }, truncated: false };

export async function readFileDiff(
  c: Comparison,
  file: ChangedFile,
  generation: number,
  o: FileDiffOptions,
  contents: Contents,
): Promise<FileDiff> {
  const { parsed, notes } = await readPart(c, file, o, contents);
  const tooLarge: FileNote[] = parsed.truncated ? [{ kind: 'too-large', text: truncatedText(file) }] : [];
  markMoved(parsed.hunks);
  const total = c.now.kind === 'worktree' ? contents.read(file.path).lines : null;
  return {
    file,
    hunks: parsed.hunks,
    notes: [...notes, ...fileNotes(file, parsed), ...whitespaceNote(file, parsed, o), ...tooLarge],
    truncated: parsed.truncated,
    generation,
    ...(total === null ? {} : { total }),
  };
}

/** Whitespace is all that differs, and is not to be shown. */
function whitespaceNote(file: ChangedFile, parsed: ParsedPatch, o: FileDiffOptions): FileNote[] {
  const hidden = o.ignoreWhitespace && file.status === 'modified' && parsed.hunks.length === 0 && !parsed.binary && !file.submodule;
  const sameMode = file.oldMode === file.newMode;
  return hidden && sameMode ? [{ kind: 'whitespace', text: 'only whitespace has changed' }] : [];
}

function truncatedText(file: ChangedFile): string {
  const count = file.added === null ? sizeText(file.newSize ?? 0) : `${file.added} added and ${file.removed} removed lines`;
  return `${count}: only the beginning is shown`;
}

async function readPart(c: Comparison, file: ChangedFile, o: FileDiffOptions, contents: Contents): Promise<Part> {
  // Decoding has lost the name's own bytes.
  if (file.path.includes('\ufffd') && contents.read(file.path).kind === 'missing')
    return { parsed: NO_LINES, notes: [{ kind: 'unreadable', text: 'its name is not UTF-8: herd cannot open it' }] };
  if (file.submodule) return { parsed: NO_LINES, notes: [submoduleNote(file)] };
  if (file.status === 'untracked') return readUntracked(c, file, o);
  if (file.status === 'unmerged') return readConflict(c, file, o);
  const limits = {
    env: EXACT,
    limit: o.load ? LOAD_LIMIT : BYTE_LIMIT,
    overflow: 'cut' as const,
    action: `Reading ${cleanText(file.path, 100)}`,
  };
  const args = patchArgs(c, file, o);
  const plain =
    !(c.now.kind === 'worktree' && isLoose(file)) &&
    file.status === 'modified' &&
    !file.oldPath &&
    !o.ignoreWhitespace &&
    o.context === CONTEXT;
  const lines = o.load ? Number.POSITIVE_INFINITY : ROW_LIMIT;
  const last = plain ? contents.lastPatch.at(c, file.path) : null;
  const known = last ? parsePatch(last, lines) : plain && (await contents.patches.parsed(c, file.path, { lines, bytes: limits.limit }));
  if (known) return { parsed: known, notes: linkNotes(file) };
  const r = await c.look.run(args, limits);
  const parsed = parsePatch(r.stdout, lines);
  if (r.cut) parsed.truncated = true;
  if (parsed.binary) return (await readUtf16(c, file, o)) ?? { parsed, notes: [] };
  return { parsed, notes: linkNotes(file) };
}

/** What has git print the file's patch. */
function patchArgs(c: Comparison, file: ChangedFile, o: Omit<FileDiffOptions, 'load'>): string[] {
  const form = ['diff', '-p', `--unified=${o.context}`, ...DIFF_FLAGS, ...whitespaceFlags(o.ignoreWhitespace)];
  // A rename that git has not been told of, or a file taken out of the index: the old blob against the file.
  if (c.now.kind === 'worktree' && isLoose(file))
    return [...form, `${c.old}:${file.oldPath ?? file.path}`, '--', `:(top,literal)${file.path}`];
  return [...form, ...diffArgs(c), '--', ...exactly(...(file.oldPath ? [file.oldPath] : []), file.path)];
}

/** The file's patch as bytes: what reading it as text has lost is in them. Rejects with 'output-too-large'. */
export async function readPatchBytes(c: Comparison, file: ChangedFile, o: Omit<FileDiffOptions, 'load'>): Promise<Buffer> {
  if (file.status === 'untracked') return addedPatchBody(readFile(join(c.look.cwd, file.path), LOAD_LIMIT).bytes);
  return (await c.look.run(patchArgs(c, file, o), { env: EXACT, limit: LOAD_LIMIT, action: `Reading ${cleanText(file.path, 100)}` }))
    .stdout;
}

/** Known to the old side, but (under this name) not to the index. */
function isLoose(file: ChangedFile): boolean {
  return file.unstaged && file.loose === true;
}

function linkNotes(file: ChangedFile): FileNote[] {
  return file.newMode === '120000' && file.oldMode === '120000' ? [{ kind: 'symlink', text: 'symbolic link: its target changed' }] : [];
}

function submoduleNote(file: ChangedFile): FileNote {
  const { old, new: now, commits, dirty } = file.submodule!;
  const short = (id: string | null) => (id === null ? 'none' : id.slice(0, 8));
  const parts = old === now ? [] : [`${short(old)}..${short(now)}`];
  if (commits !== null && old !== now) parts.push(counted(commits, 'commit'));
  if (dirty) parts.push('with changes of its own');
  return { kind: 'submodule', text: `submodule ${parts.join(', ')}` };
}

async function readUntracked(c: Comparison, file: ChangedFile, o: FileDiffOptions): Promise<Part> {
  const full = join(c.look.cwd, file.path);
  try {
    const stat = lstatSync(full);
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(full, { encoding: 'buffer' });
      return {
        parsed: addedDiff(target, ROW_LIMIT),
        notes: [{ kind: 'symlink', text: `symbolic link to ${cleanText(target.toString(), 300)}` }],
      };
    }
    if (stat.isDirectory())
      return { parsed: NO_LINES, notes: [{ kind: 'nested-repository', text: 'a repository inside this one, not a submodule' }] };
    if (!stat.isFile()) return { parsed: NO_LINES, notes: [{ kind: 'unreadable', text: 'not a regular file' }] };
    const { bytes, cut } = readFile(full, o.load ? LOAD_LIMIT : BYTE_LIMIT);
    if (isBinary(bytes)) {
      const wide = cut ? null : utf16Hunks(Buffer.alloc(0), bytes, o.context);
      return wide ? wideText(wide) : { parsed: { ...NO_LINES, binary: true }, notes: [] };
    }
    const parsed = addedDiff(bytes, o.load ? Number.POSITIVE_INFINITY : ROW_LIMIT);
    if (cut) parsed.truncated = true;
    return { parsed, notes: [] };
  } catch (error) {
    const gone = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return { parsed: NO_LINES, notes: [{ kind: 'unreadable', text: gone ? 'the file is gone' : 'the file may not be read' }] };
  }
}

/** The old side against the file as it lies there with its conflict marks: both sides are in it. */
async function readConflict(c: Comparison, file: ChangedFile, o: FileDiffOptions): Promise<Part> {
  const status = await c.look.run(['status', '--porcelain=v2', '-z', '--untracked-files=no', '--', file.path]);
  const entry = parseStatus(status.stdout).find((e) => e.kind === 'unmerged');
  const notes = entry?.stages ? [conflictNote(entry.stages)] : [];
  const stat = entryAt(join(c.look.cwd, file.path));
  const old = await c.look.run(['cat-file', '-e', `${c.old}:${file.path}`], { codes: [0, 1, 128] });
  if (!stat?.isFile()) return { parsed: NO_LINES, notes };
  const { bytes, cut } = readFile(join(c.look.cwd, file.path), BYTE_LIMIT);
  if (isBinary(bytes))
    return { parsed: NO_LINES, notes: [...notes, { kind: 'binary', text: `binary, ${sizeText(stat.size)} in the worktree` }] };
  if (old.code !== 0) return { parsed: { ...addedDiff(bytes, ROW_LIMIT), truncated: cut }, notes };
  const r = await c.look.run(['diff', '-p', `--unified=${o.context}`, ...DIFF_FLAGS, `${c.old}:${file.path}`, '--', file.path], {
    limit: BYTE_LIMIT,
    overflow: 'cut',
  });
  return { parsed: parsePatch(r.stdout, o.load ? Number.POSITIVE_INFINITY : ROW_LIMIT), notes };
}

function wideText(wide: { hunks: ParsedPatch['hunks']; name: string }): Part {
  return { parsed: { ...NO_LINES, hunks: wide.hunks }, notes: [{ kind: 'encoding', text: `${wide.name}, decoded for reading` }] };
}

async function readUtf16(c: Comparison, file: ChangedFile, o: FileDiffOptions): Promise<Part | null> {
  if ((file.oldSize ?? 0) > UTF16_LIMIT || (file.newSize ?? 0) > UTF16_LIMIT) return null;
  const [old, now] = await Promise.all([sideBytes(c, file, 'old'), sideBytes(c, file, 'new')]);
  const wide = utf16Hunks(old ?? Buffer.alloc(0), now ?? Buffer.alloc(0), o.context);
  return wide ? wideText(wide) : null;
}

/** A side's bytes; null when the file is not on that side. At most 64 MiB. */
export async function sideBytes(c: Comparison, file: Pick<ChangedFile, 'path' | 'oldPath'>, side: 'old' | 'new'): Promise<Buffer | null> {
  if (side === 'new' && c.now.kind === 'worktree') {
    const full = join(c.look.cwd, file.path);
    const stat = entryAt(full);
    if (!stat || !isWithin(c.look.cwd, file.path)) return null;
    if (stat.isSymbolicLink()) return readlinkSync(full, { encoding: 'buffer' });
    return stat.isFile() ? readFile(full, 64 * 1024 * 1024).bytes : null;
  }
  const name = side === 'old' ? `${c.old}:${file.oldPath ?? file.path}` : `${c.now.kind === 'commit' ? c.now.commit : ''}:${file.path}`;
  const r = await c.look.run(['cat-file', 'blob', name], { codes: [0, 128] });
  return r.code === 0 ? r.stdout : null;
}
