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
  const differs = action === 'stage' ? unstaged : await diffOf(look, path, ['--cached']);
  if (/^new file mode/m.test(differs.head) && !seen.isNew) throw renamed(path);
  const lines = seen.hunks.flatMap((hunk, h) =>
    changedLines(hunk).flatMap((line): Wanted[] => {
      const chosen = seen.exact === null || seen.exact(h, line.index);
      if (action === 'stage') return [{ ...line, chosen }];
      // Not in the index: nothing of it can be taken out again.
      if (seen.exact && line.mark === '+' && unstaged.hunks.some(({ now }) => now.count > 0 && meet(line.now, linesOf(now)))) return [];
      return [{ ...line, now: toIndex(line.now, unstaged.hunks), chosen }];
    }),
  );
  const touched = differs.hunks.filter((hunk) => lines.some(({ now, chosen }) => chosen && meet(now, linesOf(hunk.now))));
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
  const { stdout } = await look.run(['diff', ...more, ...flags, '--', path]);
  return parsePatchText(stdout.toString('latin1'));
}

interface Wanted extends ChangedLine {
  chosen: boolean;
}

/** Of each hunk the added lines that stand where chosen ones do, and the removed lines with the text of chosen ones. */
function chooseExactly(hunks: readonly TextHunk[], lines: readonly Wanted[], reverse: boolean): TextHunk[] {
  const added = new Set(lines.flatMap(({ mark, now, chosen }) => (mark === '+' && chosen ? [now[0]] : [])));
  const removed = lines.filter(({ mark, chosen }) => mark === '-' && chosen).map(({ text }) => text);
  const out = hunks.flatMap((hunk) => {
    const kept = new Set<number>();
    for (const { index, mark, text, now } of changedLines(hunk)) {
      const at = mark === '-' ? removed.indexOf(text) : -1;
      if (at >= 0) removed.splice(at, 1);
      if (at >= 0 || (mark === '+' && added.has(now[0]))) kept.add(index);
    }
    return kept.size === 0 ? [] : [chooseLines(hunk, (index) => kept.has(index), reverse)];
  });
  // Their lines are others in the index: taken alone they would stand beside what they are to replace.
  if (removed.length > 0 && out.length > 0)
    throw new GitError(
      'does-not-apply',
      'These lines alone do not fit the index.',
      'Act on the whole hunk: a part of it is there already.',
    );
  return out;
}

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

/** Lines of the worktree as lines of the index; a hunk that they meet counts whole. */
function toIndex([first, last]: Lines, unstaged: readonly TextHunk[]): Lines {
  let [from, to] = [first, last];
  let [fromBy, toBy] = [0, 0];
  for (const { old, now } of unstaged) {
    const [start, end] = linesOf(now);
    const by = old.count - now.count;
    if (end <= from) fromBy += by;
    else if (start < from) from = start;
    if (end <= to) toBy += by;
    else if (start < to) {
      toBy += by;
      to = end;
    }
  }
  return [from + fromBy, Math.max(from + fromBy, to + toBy)];
}
