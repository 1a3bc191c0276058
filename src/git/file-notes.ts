// What lines alone do not show, in words: line ends, a missing last newline, modes, type changes, encodings. Pure.

import { counted } from '../model/counted.ts';
import type { ChangedFile, DiffLine, FileNote, Hunk } from '../model/review/changeset.ts';
import type { ParsedPatch } from './patch-parse.ts';

const EOL_NAME = { lf: 'LF', crlf: 'CRLF', cr: 'CR' } as const;

/** What the lines of a file's diff do not show. */
export function fileNotes(file: ChangedFile, parsed: ParsedPatch): FileNote[] {
  return [
    ...modeNotes(file),
    ...(parsed.binary || (file.binary && parsed.hunks.length === 0) ? [binaryNote(file)] : []),
    ...eolNotes(parsed.hunks),
    ...(file.newMode === '120000' || file.oldMode === '120000' ? [] : finalNewlineNotes(parsed.hunks)),
    ...encodingNotes(parsed),
    ...(isEmpty(file, parsed) ? [{ kind: 'empty', text: 'empty file' } as const] : []),
  ];
}

function isEmpty(file: ChangedFile, parsed: ParsedPatch): boolean {
  return (
    parsed.hunks.length === 0 &&
    !file.binary &&
    !file.submodule &&
    file.added === 0 &&
    ['added', 'untracked', 'deleted'].includes(file.status)
  );
}

/** What a file has to do with a folder of its name, or of that of a folder it is in, among the changes. */
export function folderNotes({ path, status }: ChangedFile, files: readonly ChangedFile[]): FileNote[] {
  const note = (text: string): FileNote[] => [{ kind: 'type-change', text }];
  const gone = status === 'deleted';
  if (files.some((other) => other.path.startsWith(`${path}/`) && (other.status === 'deleted') !== gone))
    return note(gone ? 'the file became a folder' : 'the folder became a file');
  const above = files.find((other) => path.startsWith(`${other.path}/`) && (other.status === 'deleted') !== gone);
  return above ? note(`${above.path} was a ${gone ? 'folder' : 'file'}`) : [];
}

function kindOf(mode: string): string {
  if (mode === '120000') return 'symbolic link';
  if (mode === '160000') return 'submodule';
  return mode === '000000' ? 'nothing' : 'file';
}

function modeNotes(file: ChangedFile): FileNote[] {
  const { oldMode, newMode } = file;
  if (!oldMode || !newMode || oldMode === newMode || /^0+$/.test(oldMode) || /^0+$/.test(newMode)) return [];
  if (kindOf(oldMode) !== kindOf(newMode)) return [{ kind: 'type-change', text: `${kindOf(oldMode)} became a ${kindOf(newMode)}` }];
  return [{ kind: 'mode', text: `mode ${oldMode} to ${newMode}` }];
}

/** That a file is binary, with its sizes. */
export function binaryNote(file: ChangedFile): FileNote {
  const size = (n: number | undefined) => (n === undefined ? '?' : sizeText(n));
  if (file.status === 'untracked' || file.status === 'added') return { kind: 'binary', text: `binary, ${size(file.newSize)}` };
  if (file.status === 'deleted') return { kind: 'binary', text: `binary, was ${size(file.oldSize)}` };
  return { kind: 'binary', text: `binary, ${size(file.oldSize)} to ${size(file.newSize)}` };
}

/** '12 KiB': a number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const unit = bytes < 1024 * 1024 ? 'KiB' : 'MiB';
  const n = bytes / (unit === 'KiB' ? 1024 : 1024 * 1024);
  return `${n < 10 ? n.toFixed(1) : Math.round(n)} ${unit}`;
}

type End = 'lf' | 'crlf' | 'cr';
const endOf = (line: DiffLine): End | null => (line.noNewline && line.eol === undefined ? null : (line.eol ?? 'lf'));

/** Pairs removed with added lines of equal text inside each run of changes and compares their ends. */
function eolNotes(hunks: readonly Hunk[]): FileNote[] {
  if (!hunks.some(({ lines }) => lines.some((line) => line.eol))) return [];
  const kinds = new Set<string>();
  let pairs = 0;
  let changed = 0;
  for (const { removed, added } of runs(hunks)) {
    changed += Math.max(removed.length, added.length);
    const count = Math.min(removed.length, added.length);
    for (let i = 0; i < count; i += 1) {
      const [was, now] = [removed[i]!, added[i]!];
      const [a, b] = [endOf(was), endOf(now)];
      if (was.text !== now.text || a === null || b === null || a === b) continue;
      pairs += 1;
      kinds.add(`${EOL_NAME[a]} to ${EOL_NAME[b]}`);
    }
  }
  if (pairs === 0) return [];
  const how = kinds.size === 1 ? [...kinds][0] : 'mixed';
  return [
    {
      kind: 'eol',
      text: pairs === changed && kinds.size === 1 ? `line endings ${how}` : `line endings changed on ${counted(pairs, 'line')} (${how})`,
    },
  ];
}

/** Maximal runs of changed lines. */
export function* runs(hunks: readonly Hunk[]): Generator<{ removed: DiffLine[]; added: DiffLine[] }> {
  for (const hunk of hunks) {
    let removed: DiffLine[] = [];
    let added: DiffLine[] = [];
    for (const line of hunk.lines) {
      if (line.kind === 'removed') removed.push(line);
      else if (line.kind === 'added') added.push(line);
      else if (removed.length + added.length > 0) {
        yield { removed, added };
        removed = [];
        added = [];
      }
    }
    if (removed.length + added.length > 0) yield { removed, added };
  }
}

function finalNewlineNotes(hunks: readonly Hunk[]): FileNote[] {
  const last = hunks.at(-1)?.lines ?? [];
  const old = last.some((l) => l.noNewline && l.kind !== 'added');
  const now = last.some((l) => l.noNewline && l.kind !== 'removed');
  const hasOld = last.some((l) => l.kind !== 'added');
  const hasNew = last.some((l) => l.kind !== 'removed');
  if (!old && !now) return [];
  if (old && now) return [{ kind: 'final-newline', text: 'no newline at end of file' }];
  if (!hasOld || !hasNew) return [{ kind: 'final-newline', text: 'no newline at end of file' }];
  return [{ kind: 'final-newline', text: old ? 'newline added at end of file' : 'newline removed at end of file' }];
}

function encodingNotes(parsed: ParsedPatch): FileNote[] {
  const notes: FileNote[] = [];
  if (parsed.invalidUtf8) notes.push({ kind: 'encoding', text: 'not UTF-8: some bytes are shown as replacement characters' });
  const { old, new: now } = parsed.bom;
  if (old && now) notes.push({ kind: 'encoding', text: 'UTF-8 with byte order mark' });
  else if (now) notes.push({ kind: 'encoding', text: 'byte order mark added' });
  else if (old) notes.push({ kind: 'encoding', text: 'byte order mark removed' });
  return notes;
}

/** What each side did in a conflict, from the stages that exist. */
export function conflictNote(stages: readonly [string | null, string | null, string | null]): FileNote {
  const [base, ours, theirs] = stages;
  const text =
    ours && theirs
      ? base
        ? 'conflict: changed on both sides'
        : 'conflict: added on both sides'
      : ours
        ? base
          ? 'conflict: changed here, deleted there'
          : 'conflict: added here only'
        : theirs
          ? base
            ? 'conflict: deleted here, changed there'
            : 'conflict: added there only'
          : 'conflict: deleted on both sides';
  return { kind: 'conflict', text };
}
