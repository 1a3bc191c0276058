// What of a hunk, as it was seen against the worktree, is to be staged or unstaged: git says what differs from the index, and of that is taken
// what touches the lines that were seen. So a hunk that is staged or committed in part counts as far as it is not, and every line lands where
// it belongs, whatever other hunks there are. Reads only; bytes are kept as they are.

import { cleanText, GitError } from './git-error.ts';
import {
  type ChangedLine,
  changedLines,
  chooseLines,
  type Lines,
  linesOf,
  meet,
  type PatchText,
  parsePatchText,
  printPatch,
  type TextHunk,
} from './patch-text.ts';
import { EXACT, exactly } from './pathspec.ts';
import type { Look } from './run.ts';

/** `exact`: only the changed lines of `hunks` that `chosen` names, [hunk, line], not whatever differs there. */
export interface Seen {
  /** The file is not on the old side. */
  isNew: boolean;
  hunks: readonly TextHunk[];
  exact: ((hunk: number, line: number) => boolean) | null;
}

/**
 * A patch without context (`git apply --unidiff-zero`) of what differs between index and worktree (stage) or HEAD and index (unstage) where
 * `seen` has changed lines of the worktree; null where nothing does. Rejects with 'does-not-apply' when exactly those lines cannot be told.
 */
export async function restOfHunk(look: Look, path: string, seen: Seen, action: 'stage' | 'unstage'): Promise<Buffer | null> {
  const unstaged = await diffOf(look, path, []);
  const index = indexOf(unstaged.hunks);
  const differs = action === 'stage' ? unstaged : await diffOf(look, path, ['--cached']);
  if (/^new file mode/m.test(differs.head) && !seen.isNew) throw renamed(path);
  const lines = seen.hunks.flatMap((hunk, h) =>
    changedLines(hunk).flatMap((line): Wanted[] => {
      const chosen = seen.exact === null || seen.exact(h, line.index);
      if (action === 'stage') return [{ ...line, chosen }];
      // Not in the index: nothing of it can be taken out again.
      if (seen.exact && line.mark === '+' && hunksAt(unstaged.hunks, line.now).some(({ now }) => now.count > 0)) return [];
      return [{ ...line, now: index(line.now), chosen }];
    }),
  );
  const wanted = new Set(lines.flatMap(({ now, chosen }) => (chosen ? hunksAt(differs.hunks, now) : [])));
  const touched = differs.hunks.filter((hunk) => wanted.has(hunk));
  const chosen = seen.exact === null ? touched : chooseExactly(touched, lines, action === 'unstage');
  if (chosen.length === 0) return null;
  const whole = changesIn(chosen) === changesIn(differs.hunks);
  return Buffer.from(printPatch({ head: whole ? differs.head : headOfPart(differs.head), hunks: chosen }, action === 'unstage'), 'latin1');
}

function changesIn(hunks: readonly TextHunk[]): number {
  return hunks.reduce((sum, hunk) => sum + changedLines(hunk).length, 0);
}

async function diffOf(look: Look, path: string, more: string[]): Promise<PatchText> {
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules', '-U0'];
  const { stdout } = await look.run(['diff', ...more, ...flags, '--', ...exactly(path)], { env: EXACT });
  return parsePatchText(stdout.toString('latin1'));
}

interface Wanted extends ChangedLine {
  chosen: boolean;
}

/** Of each hunk the added lines that stand where chosen ones do, and the removed lines with the text of chosen ones. */
function chooseExactly(hunks: readonly TextHunk[], lines: readonly Wanted[], reverse: boolean): TextHunk[] {
  const added = new Set(lines.flatMap(({ mark, now, chosen }) => (mark === '+' && chosen ? [now[0]] : [])));
  const removed = new Map<string, number>();
  for (const { mark, text, chosen } of lines) if (mark === '-' && chosen) removed.set(text, (removed.get(text) ?? 0) + 1);
  const out = hunks.flatMap((hunk) => {
    const kept = new Set<number>();
    for (const { index, mark, text, now } of changedLines(hunk)) {
      const left = mark === '-' ? (removed.get(text) ?? 0) : 0;
      if (left > 0) removed.set(text, left - 1);
      if (left > 0 || (mark === '+' && added.has(now[0]))) kept.add(index);
    }
    return kept.size === 0 ? [] : [chooseLines(hunk, (index) => kept.has(index), reverse)];
  });
  // Their lines are others in the index: taken alone they would stand beside what they are to replace.
  if (out.length > 0 && [...removed.values()].some((left) => left > 0))
    throw new GitError(
      'does-not-apply',
      'These lines alone do not fit the index.',
      'Act on the whole hunk: a part of it is there already.',
    );
  return out;
}

/** The refusal of a part of a file that has another name on that side. */
export function renamed(path: string): GitError {
  const said = `${cleanText(path, 200)} has another name there.`;
  return new GitError('does-not-apply', said, 'Act on the whole file, on its header.');
}

/** What makes or removes a file makes or removes all of it: of a part it is a change. */
export function headOfPart(head: string): string {
  const [old, now] = [/^--- ("?)a\/(.*)$/m.exec(head), /^\+\+\+ ("?)b\/(.*)$/m.exec(head)];
  const [, quote = '', name = ''] = old ?? now ?? [];
  if (!/^(deleted|new) file mode/m.test(head)) return head;
  return head
    .replace(/^((deleted|new) file mode|index ).*\n/gm, '')
    .replace(/^--- .*$/m, `--- ${quote}a/${name}`)
    .replace(/^\+\+\+ .*$/m, `+++ ${quote}b/${name}`);
}

/** The hunks whose new side shares a line or an edge with the lines; hunks stand in order and apart. */
function hunksAt(hunks: readonly TextHunk[], lines: Lines): TextHunk[] {
  const out: TextHunk[] = [];
  for (let i = firstEnding(hunks, lines[0]); i < hunks.length && linesOf(hunks[i]!.now)[0] <= lines[1]; i++)
    if (meet(lines, linesOf(hunks[i]!.now))) out.push(hunks[i]!);
  return out;
}

/** Index of the first hunk whose new side ends at the line or behind it. */
function firstEnding(hunks: readonly TextHunk[], line: number): number {
  let [low, high] = [0, hunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (linesOf(hunks[middle]!.now)[1] < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells lines of the worktree as lines of the index; a hunk that they meet counts whole. */
function indexOf(unstaged: readonly TextHunk[]): (lines: Lines) => Lines {
  const shifts = [0];
  for (const { old, now } of unstaged) shifts.push(shifts.at(-1)! + old.count - now.count);
  return ([from, to]) => {
    const [first, last] = [firstEnding(unstaged, from + 1), firstEnding(unstaged, to + 1)];
    const [above, below] = [unstaged[first], unstaged[last]];
    const start = above ? Math.min(from, linesOf(above.now)[0]) : from;
    const within = below !== undefined && linesOf(below.now)[0] < to;
    const end = within ? linesOf(below.now)[1] + shifts[last + 1]! : to + shifts[last]!;
    return [start + shifts[first]!, Math.max(start + shifts[first]!, end)];
  };
}
