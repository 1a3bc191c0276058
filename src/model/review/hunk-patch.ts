// A file diff, or some hunks or lines of it, as a patch that `git apply` takes. Pure. Text is written back as it was decoded: not for files
// whose notes name an encoding.

import type { ChangedFile, DiffLine, FileDiff } from './changeset.ts';

/** What stands above the hunks of a patch; `whole`: all of the file's hunks are in it. */
export function patchHead(file: ChangedFile, whole: boolean): string {
  const { isNew, gone } = ends(file, whole);
  const old = quoteName(`a/${file.oldPath ?? file.path}`);
  const now = quoteName(`b/${file.path}`);
  const head = [`diff --git ${isNew ? quoteName(`a/${file.path}`) : old} ${now}`];
  if (isNew) head.push(`new file mode ${file.newMode ?? '100644'}`);
  else if (gone) head.push(`deleted file mode ${file.oldMode ?? '100644'}`);
  head.push(`--- ${isNew ? '/dev/null' : withTab(old)}`, `+++ ${gone ? '/dev/null' : withTab(now)}`);
  return `${head.join('\n')}\n`;
}

/** A patch makes its file, or removes it. */
function ends({ status }: ChangedFile, whole: boolean): { isNew: boolean; gone: boolean } {
  return { isNew: status === 'untracked' || status === 'added', gone: status === 'deleted' && whole };
}

/** The chosen hunks, all without `hunks`. Both sides' numbers are those of the whole diff: they tell where the lines stand in either file. */
export function hunkPatch(diff: FileDiff, hunks?: readonly number[]): string {
  const whole = hunks === undefined || hunks.length === diff.hunks.length;
  const { isNew, gone } = ends(diff.file, whole);
  const bodies = diff.hunks.flatMap((hunk, i) => {
    if (hunks && !hunks.includes(i)) return [];
    const oldLines = hunk.lines.filter((l) => l.kind !== 'added').length;
    const newLines = hunk.lines.filter((l) => l.kind !== 'removed').length;
    const [oldStart, newStart] = [isNew ? 0 : hunk.oldStart, gone ? 0 : hunk.newStart];
    const counts = `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@${hunk.section ? ` ${hunk.section}` : ''}`;
    return [counts, ...hunk.lines.map(lineText)];
  });
  return `${patchHead(diff.file, whole)}${bodies.join('\n')}\n`;
}

function side(start: number, count: number): string {
  return count === 1 ? String(start) : `${start},${count}`;
}

const MARK = { context: ' ', added: '+', removed: '-' } as const;
const END = { crlf: '\r', cr: '\r' } as const;

function lineText(line: DiffLine): string {
  const text = `${MARK[line.kind]}${line.text}${line.eol ? END[line.eol] : ''}`;
  return line.noNewline ? `${text}\n\\ No newline at end of file` : text;
}

/** git ends a name with a space in it by a tab, so that a time behind it can be told from it. */
function withTab(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

/** git's C quoting for names with control characters, quotes or backslashes. */
export function quoteName(path: string): string {
  if (!/["\\\x00-\x1f\x7f]/.test(path)) return path;
  const names: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
  const quoted = path.replace(/["\\\x00-\x1f\x7f]/g, (ch) => names[ch] ?? `\\${ch.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${quoted}"`;
}
