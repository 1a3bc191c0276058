// A file diff, or some hunks or lines of it, as a patch that `git apply` takes. Pure. Text is written back as it was decoded: not for files
// whose notes name an encoding.

import type { DiffLine, FileDiff, Hunk } from './changeset.ts';

/**
 * The chosen hunks (all without `hunks`). With `keep`, other removed lines become context and other added lines are left out: right for a
 * patch applied to the old side (stage); for one that is reversed (unstage, discard) set `reverse`, then it is the other way round.
 */
export function hunkPatch(diff: FileDiff, hunks?: readonly number[], keep?: (line: DiffLine) => boolean, reverse = false): string {
  const { file } = diff;
  const isNew = file.status === 'untracked' || file.status === 'added';
  const old = quoteName(`a/${file.oldPath ?? file.path}`);
  const now = quoteName(`b/${file.path}`);
  const whole = !keep && (hunks === undefined || hunks.length === diff.hunks.length);
  const gone = file.status === 'deleted' && whole;
  const head = [`diff --git ${isNew ? quoteName(`a/${file.path}`) : old} ${now}`];
  if (isNew) head.push(`new file mode ${file.newMode ?? '100644'}`);
  else if (gone) head.push(`deleted file mode ${file.oldMode ?? '100644'}`);
  head.push(`--- ${isNew ? '/dev/null' : withTab(old)}`, `+++ ${gone ? '/dev/null' : withTab(now)}`);
  let shift = 0;
  const bodies = diff.hunks.flatMap((hunk, i) => {
    if (hunks && !hunks.includes(i)) return [];
    const lines = keep ? chooseLines(hunk, keep, reverse) : hunk.lines;
    const oldLines = lines.filter((l) => l.kind !== 'added').length;
    const newLines = lines.filter((l) => l.kind !== 'removed').length;
    // The side that stays keeps its line numbers; the other is moved by what the chosen hunks before this one add or take.
    // A hunk alone keeps both: they tell where its lines stand on either side.
    const alone = hunks?.length === 1 && !keep;
    const oldStart = reverse && !alone ? hunk.newStart - shift : hunk.oldStart;
    const newStart = reverse || alone ? hunk.newStart : hunk.oldStart + shift;
    shift += newLines - oldLines;
    const counts = `@@ -${side(isNew ? 0 : oldStart, oldLines)} +${side(gone ? 0 : isNew ? 1 : newStart, newLines)} @@${hunk.section ? ` ${hunk.section}` : ''}`;
    return [counts, ...lines.map(lineText)];
  });
  return `${[...head, ...bodies].join('\n')}\n`;
}

function side(start: number, count: number): string {
  return count === 1 ? String(start) : `${start},${count}`;
}

function chooseLines(hunk: Hunk, keep: (line: DiffLine) => boolean, reverse: boolean): DiffLine[] {
  const stays = reverse ? 'added' : 'removed';
  return hunk.lines.flatMap((line): DiffLine[] => {
    if (line.kind === 'context' || keep(line)) return [line];
    return line.kind === stays ? [{ ...line, kind: 'context' }] : [];
  });
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
