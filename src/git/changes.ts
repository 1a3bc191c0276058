// The changes of one worktree: one scan at a time, equal questions joined, the last good answer kept. A failed scan never turns into "no changes".

import { dropOldest } from '../model/drop-oldest.ts';
import type { ChangedFile, Changeset, CommitFacts, FileDiff, Hunk, MovedIn, Scope } from '../model/review/changeset.ts';
import { hunkPatch, patchHead, quoteName } from '../model/review/hunk-patch.ts';
import { addedPatchBody, readFile } from './added-file.ts';
import type { Changes, ChangesQuery, FileQuery, SeenHunks } from './api.ts';
import { CONTEXT, type Comparison, compare, DIFF_FLAGS, diffArgs, isSince, type MergeBases, whitespaceFlags } from './comparison.ts';
import { Contents } from './contents.ts';
import { Outlines } from './diff-outline.ts';
import { type FileDiffOptions, readFileDiff, readPatchBytes, sideBytes } from './file-diff.ts';
import { folderNotes } from './file-notes.ts';
import { Lines } from './gate.ts';
import { cleanText, GitError } from './git-error.ts';
import { movedOn, tooLarge } from './hunks.ts';
import { operationOf } from './operation.ts';
import { joinPatch, splitPatch } from './patch-hunks.ts';
import { parsePatch } from './patch-parse.ts';
import { EXACT, exactly } from './pathspec.ts';
import { readMoved } from './read-moved.ts';
import type { Look, Runner } from './run.ts';
import { sameListing, scan, shareFiles } from './scan.ts';
import { splitZero } from './status.ts';

/** Readings kept: commits walked through one by one leave many behind. */
const READINGS = 8;
/** Bytes of a whole scope's patch as text. */
const PATCH_LIMIT = 64 * 1024 * 1024;
/** Lines of diffs kept for whoever asks next, and for who asked for their beginning: some 5 MB. */
const LINES_KEPT = 20_000;
/** ms that a diff stays of which a part was asked for. */
const PARTED_FOR = 5000;
/** Characters of a part: each may take six bytes as JSON, and a frame holds 8 MiB. */
const PART_CHARS = 1024 * 1024;
/** Sides kept as split lines for opening gaps one after the other. */
const SIDES_KEPT = 4;

export interface ChangesParts {
  runner: Runner;
  worktree: string;
  now: () => number;
  /** View with the private index brought up to the present state of the worktree. */
  snapshotView: (look: Look, dir: string) => Promise<Look>;
}

const keyOf = (q: ChangesQuery) => JSON.stringify([q.scope, q.base?.name, q.base?.commit, q.ignoreWhitespace ?? false, q.snapshot?.commit]);

interface Reading {
  changeset: Changeset;
  comparison: Comparison;
}

/** A file among the others of its listing. */
interface Listed {
  file: ChangedFile;
  files: readonly ChangedFile[];
  comparison: Comparison;
  generation: number;
}

export class WorktreeChanges implements Changes {
  readonly worktree: string;
  readonly #parts: ChangesParts;
  readonly #contents: Contents;
  readonly #lines = new Lines();
  readonly #readings = new Map<string, Reading>();
  readonly #waiting = new Map<string, Promise<Changeset>>();
  /** Diffs read last, by query, listing and path; the newest at the end. */
  readonly #diffs = new Map<string, FileDiff>();
  readonly #outlines = new Outlines();
  /** Lines moved in the listing they were asked for last: every client that opens it asks, and the whole patch is read for them. */
  #moved: { key: string; moved: Promise<MovedIn[]> } | null = null;
  readonly #mergeBases: MergeBases = new Map();
  #parted: { key: string; diff: FileDiff } | null = null;
  #partedTimer: NodeJS.Timeout | null = null;
  #sides: { key: string; lines: string[] }[] = [];
  #generation = 0;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    this.worktree = parts.worktree;
    this.#contents = new Contents(parts.worktree);
  }

  last(scope: Scope): Changeset | null {
    const wanted = JSON.stringify(scope);
    let found: Changeset | null = null;
    for (const { changeset } of this.#readings.values()) {
      if (JSON.stringify(changeset.scope) === wanted && changeset.at >= (found?.at ?? 0)) found = changeset;
    }
    return found;
  }

  readChangeset(q: ChangesQuery): Promise<Changeset> {
    const key = keyOf(q);
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const mine = this.#lines.run('scan', () => {
      this.#waiting.delete(key);
      return this.#scan(key, q);
    });
    this.#waiting.set(key, mine);
    return mine;
  }

  async #scan(key: string, q: ChangesQuery): Promise<Changeset> {
    const before = this.#readings.get(key);
    try {
      const c = await this.#compare(q);
      const [found, subject] = await Promise.all([scan(c, this.#contents, q.ignoreWhitespace ?? false), subjectOf(c)]);
      const operation = c.now.kind === 'commit' ? null : operationOf(this.worktree);
      const fresh: Changeset = {
        scope: q.scope,
        base: c.base,
        branch: c.branch,
        head: c.head?.slice(0, 12) ?? null,
        files: before ? shareFiles(before.changeset.files, found.files) : found.files,
        added: found.added,
        removed: found.removed,
        generation: before?.changeset.generation ?? 0,
        at: this.#parts.now(),
        ...(subject === null ? {} : { subject }),
        ...(operation === null ? {} : { operation }),
        ...(found.notes.length > 0 ? { notes: found.notes } : {}),
      };
      if (before && sameListing(before.changeset, fresh)) fresh.files = before.changeset.files;
      else fresh.generation = this.#generation += 1;
      this.#readings.delete(key);
      this.#readings.set(key, { changeset: fresh, comparison: c });
      dropOldest(this.#readings, READINGS);
      return fresh;
    } catch (error) {
      if (!before) throw error;
      return { ...before.changeset, error: error instanceof GitError ? error.message : 'Reading the changes failed.' };
    }
  }

  async #compare(q: ChangesQuery): Promise<Comparison> {
    const look = await this.#parts.runner.look(this.worktree);
    return compare(look, q, this.#mergeBases, (dir) => this.#parts.snapshotView(look, dir));
  }

  async #reading(q: ChangesQuery): Promise<Reading> {
    const key = keyOf(q);
    if (!this.#readings.has(key)) await this.readChangeset(q);
    const reading = this.#readings.get(key);
    if (!reading) throw new GitError('not-found', 'The changes could not be read.');
    // Filter names are read anew: a config written since the listing must not run.
    const view = this.#parts.runner.lookLater(this.worktree);
    const snapshot = q.snapshot && isSince(q.scope);
    return { ...reading, comparison: { ...reading.comparison, look: snapshot ? reading.comparison.look : view } };
  }

  async readFileDiff(path: string, q: FileQuery): Promise<FileDiff> {
    const options = optionsOf(q);
    const keyFor = (generation?: number) => JSON.stringify([keyOf(q), generation, path, options]);
    const key = keyFor(this.#readings.get(keyOf(q))?.changeset.generation);
    const kept = this.#diffs.get(key) ?? (this.#parted?.key === key ? this.#parted.diff : undefined);
    const diff = kept ?? (await this.#readDiff(path, q, options, keyFor));
    if (q.rows === undefined) return diff;
    const revision = this.#outlines.revision(diff);
    const pieces = q.held === undefined ? null : this.#outlines.since(q.held, diff, { rows: q.rows, chars: PART_CHARS });
    if (pieces) return { ...diff, hunks: [], revision, pieces };
    const part = partOf(diff, q.after ?? 0, q.rows);
    this.#keepParted(part.part ? { key: keyFor(diff.generation), diff } : null);
    return { ...part, revision };
  }

  async patchOfHunks(path: string, q: FileQuery, { revision, hunks }: SeenHunks): Promise<Buffer> {
    const shown = await this.readFileDiff(path, { ...q, rows: undefined });
    const last = shown.hunks.length - 1;
    if (this.#outlines.revision(shown) !== revision || hunks.some((index) => index > last)) throw movedOn(path);
    if (!shown.truncated || !hunks.includes(last)) return this.#patchOf(shown, hunks, q);
    // Its end was not read to be shown.
    const whole = await this.readFileDiff(path, { ...q, rows: undefined, load: true });
    if (whole.truncated && last === whole.hunks.length - 1) throw tooLarge();
    if (!goesOn(shown.hunks[last]!, whole.hunks[last])) throw movedOn(path);
    return this.#patchOf(whole, hunks, q);
  }

  async #patchOf(diff: FileDiff, hunks: readonly number[], q: FileQuery): Promise<Buffer> {
    if (!diff.notes.some(({ kind }) => kind === 'encoding')) return Buffer.from(hunkPatch(diff, hunks));
    // Reading has lost bytes: they are read again, and must say the same.
    const { file, comparison } = await this.listed(diff.file.path, q);
    const { hunks: exact } = splitPatch(await readPatchBytes(comparison, file, optionsOf(q)));
    const chosen = hunks.map((index) => {
      const [hunk, shown] = [exact[index], diff.hunks[index]!];
      if (!hunk || !goesOn(shown, parsePatch(joinPatch([hunk])).hunks[0])) throw movedOn(file.path);
      return hunk;
    });
    return Buffer.concat([Buffer.from(patchHead(file, hunks.length === diff.hunks.length)), joinPatch(chosen)]);
  }

  async #readDiff(path: string, q: FileQuery, o: FileDiffOptions, keyFor: (generation: number) => string): Promise<FileDiff> {
    const { file, files, comparison, generation } = await this.listed(path, q);
    const read = await readFileDiff(comparison, file, generation, o, this.#contents);
    const diff = { ...read, notes: [...folderNotes(file, files), ...read.notes] };
    if (this.#mayKeep(diff, comparison)) this.#keepDiff(keyFor(generation), diff);
    return diff;
  }

  /** A file as it is listed, and what is compared there. Rejects with 'not-found'. */
  async listed(path: string, q: ChangesQuery): Promise<Listed> {
    const { changeset, comparison } = await this.#reading(q);
    const file = changeset.files.find((f) => f.path === path);
    if (!file) throw new GitError('not-found', `${cleanText(path, 200)} is not among the changes.`);
    return { file, files: changeset.files, comparison, generation: changeset.generation };
  }

  /** The listing of its generation can say no other than this diff. */
  #mayKeep({ file, hunks }: FileDiff, { now }: Comparison): boolean {
    if (file.submodule || file.status === 'unmerged' || now.kind === 'index' || lineCount(hunks) > LINES_KEPT) return false;
    // Written on since the listing: the next reading says otherwise.
    return now.kind === 'commit' || this.#contents.read(file.path).fingerprint === file.fingerprint;
  }

  /** Whoever asked for a part asks for the next one at once: until then, and not for ever. */
  #keepParted(parted: { key: string; diff: FileDiff } | null): void {
    if (this.#partedTimer) clearTimeout(this.#partedTimer);
    this.#parted = parted;
    this.#partedTimer = parted && setTimeout(() => this.#keepParted(null), PARTED_FOR).unref();
  }

  #keepDiff(key: string, diff: FileDiff): void {
    this.#diffs.set(key, diff);
    let lines = 0;
    for (const [old, { hunks }] of [...this.#diffs].reverse()) {
      lines += lineCount(hunks);
      if (lines > LINES_KEPT) this.#diffs.delete(old);
    }
  }

  async readLines(
    path: string,
    side: 'old' | 'new',
    from: number,
    to: number,
    q: ChangesQuery,
  ): Promise<{ lines: string[]; total: number }> {
    const { changeset, comparison } = await this.#reading(q);
    const file = changeset.files.find((f) => f.path === path) ?? { path, fingerprint: this.#contents.read(path).fingerprint };
    const key = JSON.stringify([path, side, side === 'old' ? comparison.old : file.fingerprint, keyOf(q)]);
    let known = this.#sides.find((s) => s.key === key);
    if (!known) {
      const bytes = await sideBytes(comparison, file, side);
      if (bytes === null) throw new GitError('not-found', `${cleanText(path, 200)} does not exist on the ${side} side.`);
      known = { key, lines: splitLines(bytes) };
      this.#sides = [known, ...this.#sides].slice(0, SIDES_KEPT);
    }
    return { lines: known.lines.slice(Math.max(0, from - 1), Math.max(0, to)), total: known.lines.length };
  }

  async patch(q: ChangesQuery, { path, binary = false }: { path?: string; binary?: boolean } = {}): Promise<string> {
    const { changeset, comparison: c } = await this.#reading(q);
    const files = path === undefined ? changeset.files : changeset.files.filter((f) => f.path === path);
    if (path !== undefined && files.length === 0) throw new GitError('not-found', `${cleanText(path, 200)} is not among the changes.`);
    const white = whitespaceFlags(q.ignoreWhitespace);
    const form = ['diff', '-p', ...DIFF_FLAGS, ...white, ...(binary ? ['--binary'] : [])];
    const names = path === undefined ? [] : files.flatMap((f) => [...(f.oldPath ? [f.oldPath] : []), f.path]);
    const known = files.some((f) => f.status !== 'untracked');
    const text = known
      ? (
          await c.look.run([...form, ...diffArgs(c), '--', ...exactly(...names)], {
            env: EXACT,
            limit: PATCH_LIMIT,
            action: 'Making the patch',
          })
        ).stdout.toString()
      : '';
    const fresh = files.filter((f) => (f.status === 'untracked' || f.loose) && !f.binary && f.added !== null);
    const made = fresh.map((f) => newFilePatch(this.worktree, f.path, f.newMode ?? '100644'));
    if (!binary) return text + made.join('');
    for (const { path: name } of files.filter((f) => f.status === 'untracked' && f.binary)) {
      const r = await c.look.run([...form, '--no-index', '--', '/dev/null', name], { limit: PATCH_LIMIT, codes: [0, 1] });
      made.push(r.stdout.toString());
    }
    return text + made.join('');
  }

  async moved(q: ChangesQuery): Promise<{ moved: MovedIn[]; generation: number }> {
    const { changeset, comparison } = await this.#reading(q);
    const { files, generation } = changeset;
    const key = JSON.stringify([keyOf(q), generation]);
    if (this.#moved?.key !== key) this.#moved = { key, moved: readMoved(comparison, files, q.ignoreWhitespace ?? false) };
    const asked = this.#moved;
    try {
      return { moved: await asked.moved, generation };
    } catch (error) {
      if (this.#moved === asked) this.#moved = null;
      throw error;
    }
  }

  async commits(q: ChangesQuery, limit = 200): Promise<CommitFacts[]> {
    const c = await this.#compare({ ...q, scope: 'base' });
    if (c.head === null || c.base === null) return [];
    const format = '%H%x00%h%x00%s%x00%an%x00%ct%x00%P%x00%B';
    const r = await c.look.run(['log', '-z', `--format=${format}`, `--max-count=${limit}`, `${c.old}..${c.head}`, '--'], {
      action: 'Listing the commits',
    });
    const words = splitZero(r.stdout);
    const out: CommitFacts[] = [];
    for (let i = 0; i + 6 < words.length; i += 7) {
      const [commit = '', short = '', subject = '', author = '', at = '', parents = '', message = ''] = words.slice(i, i + 7);
      out.push({
        commit,
        short,
        subject: cleanText(subject, 300),
        message: message
          .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
          .trimEnd()
          .slice(0, MESSAGE_LIMIT),
        author: cleanText(author, 100),
        at: Number(at) * 1000,
        merge: parents.includes(' '),
      });
    }
    return out;
  }

  fingerprint(path: string): Promise<string> {
    return Promise.resolve(this.#contents.read(path).fingerprint);
  }
}

async function subjectOf({ look, now }: Comparison): Promise<string | null> {
  return now.kind === 'commit' ? cleanText(await look.text(['show', '--no-patch', '--format=%s', now.commit]), 300) : null;
}

function lineCount(hunks: FileDiff['hunks']): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
}

/** At most `rows` lines behind the `after` first ones, and at least one; a hunk may be cut at either end and keeps its head then. */
function partOf(diff: FileDiff, after: number, rows: number): FileDiff {
  const hunks: FileDiff['hunks'] = [];
  let skip = after;
  let left = rows;
  let chars = PART_CHARS;
  for (const hunk of diff.hunks) {
    if (left <= 0 || chars <= 0) break;
    const from = Math.min(skip, hunk.lines.length);
    skip -= from;
    let to = from;
    for (; to < hunk.lines.length && left > 0 && chars > 0; to++) {
      left -= 1;
      // A line's own fields are some hundred characters.
      chars -= hunk.lines[to]!.text.length + 100;
    }
    if (to > from) hunks.push(from === 0 && to === hunk.lines.length ? hunk : { ...hunk, lines: hunk.lines.slice(from, to) });
  }
  const more = after + lineCount(hunks) < lineCount(diff.hunks);
  return after === 0 && !more ? diff : { ...diff, hunks, ...(more ? { part: true } : {}) };
}

function optionsOf(q: FileQuery): FileDiffOptions {
  return {
    context: Math.max(0, Math.floor(q.context ?? CONTEXT)),
    ignoreWhitespace: q.ignoreWhitespace ?? false,
    load: q.load ?? false,
  };
}

/** What was read of a hunk is how it begins. */
function goesOn({ oldStart, newStart, lines }: Hunk, whole: Hunk | undefined): boolean {
  if (whole?.oldStart !== oldStart || whole.newStart !== newStart) return false;
  return lines.every(({ kind, text, eol }, i) => {
    const line = whole.lines[i];
    return line?.kind === kind && line.text === text && line.eol === eol;
  });
}

/** Characters of a commit's message. */
const MESSAGE_LIMIT = 8_000;

/** Lines without their ends; a byte order mark is not text. */
function splitLines(bytes: Buffer): string[] {
  const text = bytes.toString().replace(/^\ufeff/, '');
  const lines = text.split('\n').map((l) => (l.endsWith('\r') ? l.slice(0, -1) : l));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** As `git diff` would print an added file; '' when it went away meanwhile. */
function newFilePatch(worktree: string, path: string, mode: string): string {
  try {
    const { bytes } = readFile(`${worktree}/${path}`, PATCH_LIMIT);
    const [a, b] = [quoteName(`a/${path}`), quoteName(`b/${path}`)];
    const head = `diff --git ${a} ${b}\nnew file mode ${mode}\n`;
    return bytes.length === 0
      ? head
      : `${head}--- /dev/null\n+++ ${b}${path.includes(' ') ? '\t' : ''}\n${addedPatchBody(bytes).toString()}`;
  } catch {
    return '';
  }
}
