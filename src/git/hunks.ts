// Acts on a hunk through git: staged, unstaged or thrown away as a whole or not at all. Refused when the file is not what the person saw;
// what is thrown away is in a ref first (undo.ts).

import type { HunkRequest } from './api.ts';
import { Contents } from './contents.ts';
import { cleanText, errorFromStderr, GitError } from './git-error.ts';
import { chooseLines, type Lines, type PatchText, parsePatchText, printPatch } from './patch-text.ts';
import { EXACT, exactly } from './pathspec.ts';
import { headOfPart, renamed, restOfHunk } from './rest-of-hunk.ts';
import type { Look, Runner } from './run.ts';
import { splitZero } from './status.ts';
import { withUndo } from './undo.ts';
import { refuseReplaced } from './within.ts';

/** Bytes of a patch: git and this process hold it several times over. */
const PATCH_LIMIT = 64 * 1024 * 1024;

/** Rejects with 'moved-on', 'does-not-apply', 'not-text', 'in-conflict', 'busy'. `undoRef` is set for discard. */
export async function applyHunk(runner: Runner, worktree: string, r: HunkRequest, now: () => number): Promise<{ undoRef: string | null }> {
  if (Buffer.byteLength(r.patch) > PATCH_LIMIT) throw tooLarge();
  const look = await runner.look(worktree);
  const sides = await checkSeen(look, worktree, r);
  if (r.action !== 'discard') {
    await applyToIndex(look, r, r.action, sides);
    return { undoRef: null };
  }
  const { path } = r;
  refuseReplaced(worktree, path);
  const patch = chosenPatch(r, parsePatchText(Buffer.from(r.patch).toString('latin1')), true);
  await applyPatch(look, { path, patch }, ['--reverse', '--check']);
  const undoRef = await withUndo(look, worktree, [path], now, () => applyPatch(look, { path, patch }, ['--reverse']));
  return { undoRef };
}

/** Fingerprints of a file: in the index, null where it has none, and in the worktree. */
interface Sides {
  staged: string | null;
  present: string;
}

/** Refuses where the file, in the worktree or in the index, is not the one that was seen, and where it is still to be decided. */
async function checkSeen(look: Look, worktree: string, { path, fingerprint, action }: HunkRequest): Promise<Sides> {
  const name = cleanText(path, 200);
  const staged = await readIndex(look, path);
  const present = new Contents(worktree).read(path).fingerprint;
  if (staged === 'conflict' && action !== 'discard')
    throw new GitError('in-conflict', `${name} is in conflict.`, 'Resolve it, then stage it as a whole on its header.');
  if (fingerprint !== present && fingerprint !== staged) throw movedOn(path);
  return { staged, present };
}

/** Stages or unstages a hunk; one that is staged or committed in part as far as it is not. */
async function applyToIndex(look: Look, r: HunkRequest, action: 'stage' | 'unstage', { staged, present }: Sides): Promise<void> {
  const { path } = r;
  const patch = parsePatchText(Buffer.from(r.patch).toString('latin1'));
  const isNew = /^new file mode/m.test(patch.head);
  const nothing = `Nothing of this hunk is ${action === 'stage' ? 'left to stage' : 'staged'}.`;
  if (staged === null && action === 'unstage') throw new GitError('does-not-apply', nothing);
  if (staged === null && !isNew) throw renamed(path);
  if (staged === null) return applyPatch(look, { path, patch: chosenPatch(r, patch, false) }, ['--cached']);
  if (r.fingerprint === staged && r.fingerprint !== present) {
    // Seen in the index, where it is all staged.
    if (action === 'stage') throw new GitError('does-not-apply', nothing);
    return applyPatch(look, { path, patch: chosenPatch(r, patch, true) }, ['--cached', '--reverse']);
  }
  // Its lines must stand in the worktree as they were seen.
  await applyPatch(look, r, ['--reverse', '--check']);
  const { lines, ignoreWhitespace = false } = r;
  const chosen = lines && chosenOf(lines, patch);
  const exact = chosen ?? (ignoreWhitespace ? () => true : null);
  const rest = await restOfHunk(look, path, { isNew, hunks: patch.hunks, exact }, action);
  if (!rest) throw new GitError('does-not-apply', nothing);
  const how = action === 'stage' ? ['--cached'] : ['--cached', '--reverse'];
  await applyPatch(look, { path, patch: rest }, [...how, '--unidiff-zero']);
}

/** Whether line `line` of hunk `hunk` is among `lines`, which count through all hunks. */
function chosenOf(lines: readonly Lines[], { hunks }: PatchText): (hunk: number, line: number) => boolean {
  const starts = [0];
  for (const hunk of hunks) starts.push(starts.at(-1)! + hunk.lines.length);
  const chosen = new Uint8Array(starts.at(-1)!);
  for (const [from, to] of lines) chosen.fill(1, from, to);
  return (hunk, line) => chosen[starts[hunk]! + line] === 1;
}

/** The patch with the lines asked for only. */
function chosenPatch({ lines }: HunkRequest, patch: PatchText, reverse: boolean): Buffer {
  const chosen = lines && chosenOf(lines, patch);
  const hunks = chosen ? patch.hunks.map((hunk, h) => chooseLines(hunk, (line) => chosen(h, line), reverse)) : patch.hunks;
  // A new file made of some of its lines is new as well; one that keeps some is not.
  const head = chosen && (reverse || !/^new file mode/m.test(patch.head)) ? headOfPart(patch.head) : patch.head;
  return Buffer.from(printPatch({ head, hunks }, reverse), 'latin1');
}

/** `git apply`. Rejects with 'does-not-apply', or with what kept git from trying. */
export async function applyPatch(look: Look, { path, patch }: { path: string; patch: string | Buffer }, how: string[]): Promise<void> {
  const { code, stderr } = await look.run(['apply', '--whitespace=nowarn', ...how, '-'], { input: patch, codes: [0, 1, 128] });
  if (code === 0) return;
  if (/^fatal:/m.test(stderr)) throw errorFromStderr(`Writing ${cleanText(path, 100)}`, stderr, code);
  const said = { said: cleanText(stderr) };
  throw new GitError('does-not-apply', `That does not fit ${cleanText(path, 200)} as it is now.`, 'Refresh, then try again.', said);
}

/** The file is not what was seen of it. */
export function movedOn(path: string): GitError {
  return new GitError('moved-on', `${cleanText(path, 200)} has changed since you saw it.`, 'Look at the new diff and try again.');
}

/** What is refused for its size. */
export function tooLarge(): GitError {
  return new GitError('output-too-large', 'This hunk is too large to be taken apart.', 'Act on the whole file, on its header.');
}

/** Mode and object of a path in the index, as in a fingerprint; 'conflict' where stages wait for a decision, null where it has none. */
export async function readIndex(look: Look, path: string): Promise<string | null> {
  const entries = splitZero((await look.run(['ls-files', '-z', '--stage', '--', ...exactly(path)], { env: EXACT })).stdout);
  if (entries.some((entry) => /^\d+ [0-9a-f]+ [123]\t/.test(entry))) return 'conflict';
  const match = /^(\d+) ([0-9a-f]+) 0\t/.exec(entries[0] ?? '');
  return match ? `${match[1]}:${match[2]}` : null;
}
