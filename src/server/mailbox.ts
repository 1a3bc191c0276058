// The file mailbox of each worktree, for agents whose sandbox reaches files only: comments lie in `herd/comments.json` of its private git
// directory, answers are taken from `herd/inbox/*.json`. What lies there is hostile: it may answer comments of its own workspace, no more.
import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comment } from '../model/review/comment.ts';
import { type Letter, readLetters } from '../model/review/letter.ts';
import { StoreError } from '../store/store-error.ts';
import { privateFolder, readPrivate, writePrivate } from './private-folder.ts';

/** Bytes of one file in the inbox. */
const LETTER_LIMIT = 256 * 1024;
/** Files looked at in one go, and answers kept for the agent to read. */
const FILES = 100;
/** ms for several changes at once, so that a sent round is one writing. */
const SOON = 50;
/** ms a file that is no JSON yet is waited for: it may be half written. */
const HALF_WRITTEN = 2_000;
/** ms until a letter that could not be taken now is tried again. */
const TRY_AGAIN = 2_000;

export interface MailboxOptions {
  /** Private git directory of a workspace's worktree; null when it has none. */
  gitDir(workspace: number): Promise<string | null>;
  comments(workspace: number): (Comment & { excerpt: string[] })[];
  /** Does what a letter says; rejects with one sentence, with StoreError where nothing can be kept now. */
  take(workspace: number, letter: Letter): Promise<void>;
  now(): number;
  log(text: string, workspace: number): void;
}

interface Box {
  gitDir: string | null;
  watcher: FSWatcher | null;
  timer: NodeJS.Timeout | null;
  /** Work on this box, one after the other. */
  line: Promise<void>;
  answers: { file: string; at: number; error: string | null }[];
  written: string;
}

export class Mailboxes {
  readonly #o: MailboxOptions;
  readonly #boxes = new Map<number, Box>();
  #closed = false;

  constructor(options: MailboxOptions) {
    this.#o = options;
  }

  /** Comments of a workspace may have changed, or its worktree. A box is made with the first comment. */
  touch(workspace: number): void {
    if (this.#closed || (!this.#boxes.has(workspace) && this.#o.comments(workspace).length === 0)) return;
    const box = this.#box(workspace);
    box.timer ??= setTimeout(() => {
      box.timer = null;
      this.#run(workspace, box);
    }, SOON);
  }

  forget(workspace: number): void {
    const box = this.#boxes.get(workspace);
    if (box?.timer) clearTimeout(box.timer);
    box?.watcher?.close();
    this.#boxes.delete(workspace);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const lines = [...this.#boxes.values()].map(({ line }) => line);
    for (const id of [...this.#boxes.keys()]) this.forget(id);
    await Promise.all(lines);
  }

  #box(workspace: number): Box {
    const known = this.#boxes.get(workspace);
    if (known) return known;
    const box: Box = { gitDir: null, watcher: null, timer: null, line: Promise.resolve(), answers: [], written: '' };
    this.#boxes.set(workspace, box);
    return box;
  }

  #run(workspace: number, box: Box): void {
    box.line = box.line
      .then(() => this.#exchange(workspace, box))
      .catch((error: Error) => this.#o.log(`the file mailbox cannot be used: ${error.message}`, workspace));
  }

  async #exchange(workspace: number, box: Box): Promise<void> {
    box.gitDir ??= await this.#o.gitDir(workspace);
    const { gitDir } = box;
    if (gitDir === null || this.#closed) return;
    const folder = await privateFolder(gitDir);
    const inbox = await privateFolder(gitDir, 'inbox');
    this.#observe(workspace, box, inbox);
    const taken = await this.#collect(workspace, box, inbox);
    if (taken) await writePrivate(folder, 'answers.json', `${JSON.stringify({ answers: box.answers }, null, 1)}\n`);
    const text = `${JSON.stringify({ comments: this.#o.comments(workspace) }, null, 1)}\n`;
    if (text === box.written) return;
    await writePrivate(folder, 'comments.json', text);
    box.written = text;
  }

  #observe(workspace: number, box: Box, inbox: string): void {
    if (box.watcher || this.#closed || !this.#boxes.has(workspace)) return;
    try {
      box.watcher = watch(inbox, { persistent: false }, () => this.touch(workspace));
      box.watcher.on('error', () => {
        box.watcher?.close();
        box.watcher = null;
      });
    } catch {
      // Without a watch to be had letters are found with the next change of the worktree.
    }
  }

  /** Takes the letters there are, by name; whether there were any. */
  async #collect(workspace: number, box: Box, inbox: string): Promise<boolean> {
    const names = (await readdir(inbox)).filter((name) => /^[\w-][\w.-]{0,99}\.json$/.test(name)).sort();
    let taken = false;
    for (const name of names.slice(0, FILES)) {
      // What is not begun is the next server's.
      if (this.#closed) break;
      const path = join(inbox, name);
      const done = await this.#takeFile(workspace, path);
      if (done === 'later') {
        this.#runLater(workspace, box);
        continue;
      }
      await rm(path, { force: true, recursive: true });
      box.answers = [...box.answers, { file: name, at: this.#o.now(), error: done.error }].slice(-FILES);
      taken = true;
    }
    return taken;
  }

  #runLater(workspace: number, box: Box): void {
    if (this.#closed) return;
    box.timer ??= setTimeout(() => {
      box.timer = null;
      this.#run(workspace, box);
    }, TRY_AGAIN);
  }

  /** What became of a file; 'later': it stays where it is, for it may be half written, or nothing can be kept now. */
  async #takeFile(workspace: number, path: string): Promise<{ error: string | null } | 'later'> {
    const text = await readPrivate(path, LETTER_LIMIT);
    if (text === null) return { error: `it is no regular file of at most ${LETTER_LIMIT} bytes` };
    const letters = readLetters(text);
    if (typeof letters === 'string') {
      const { mtimeMs } = await lstat(path);
      return letters === 'it is not JSON' && this.#o.now() - mtimeMs < HALF_WRITTEN ? 'later' : { error: letters };
    }
    for (const letter of letters) {
      try {
        await this.#o.take(workspace, letter);
      } catch (error) {
        return error instanceof StoreError ? 'later' : { error: (error as Error).message };
      }
    }
    return { error: null };
  }
}
