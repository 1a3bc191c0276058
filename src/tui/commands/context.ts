// What a command may touch: the store, the server's requests, the diff pane, and a few acts on the outer terminal. Commands hold nothing.
import type { ClientPlace, Method, Params, Result } from '../../wire/requests.ts';
import type { Keymap } from '../input/keymap.ts';
import type { CommandId } from '../input/keymap-table.ts';
import type { Layout } from '../layout.ts';
import { type ClientState, type ClientStore, type Notice, noticeOf } from '../store/state.ts';

/** The diff pane as commands see it. */
export interface DiffPort {
  run(command: CommandId): void;
  /** Shows a line of a file, unfolded and in the middle; the card of a comment there, if one is given. */
  reveal(path: string | null, side: 'old' | 'new', line: number | null, card?: number): void;
  search(text: string): void;
  /** A line of the file the cursor is in, new side; nothing for what is no line number. */
  goToLine(line: number): void;
  /** Another base for a workspace's diff. Rejects when there is no such commit. */
  changeBase(workspace: number, base: string): Promise<void>;
  filterFiles(text: string): void;
}

/** Looking at a terminal's text with a cursor. */
export interface CopyPort {
  enter(terminal: number, at: 'cursor' | 'page-up'): void;
  run(command: CommandId): void;
  find(pattern: string, back: boolean): void;
}

export interface CommandContext {
  store: ClientStore;
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  now(): number;
  place: ClientPlace;
  keymap: Keymap;
  layout(): Layout;
  diff: DiffPort;
  copy: CopyPort;
  /** Puts text on the person's clipboard and says `said`, or that it is too much. */
  copyText(text: string, said: string, hint?: string): void;
  /** Opens a file in $EDITOR, at a line from 1 on; resolves when the editor has ended. */
  openEditor(path: string, line: number | null): Promise<void>;
  /** Lets the person go on with a text in $EDITOR; null when that could not be started (it was said). */
  editText(text: string): Promise<string | null>;
  /** Remembers that the person agrees to the commands of this very `.herd.toml`. Throws when that cannot be kept. */
  allowSetup(settings: Result<'worktree.settings'>): void;
  redraw(): void;
  /** Ends this client; the session goes on. */
  leave(): void;
  /** Kind to start unless another is chosen; '' for the first that is installed. */
  defaultAgent: string;
}

export type Command = (context: CommandContext, chord: string) => void | Promise<void>;

/** Puts the state that `step` makes in place of the present one. */
export function change(context: CommandContext, step: (state: ClientState) => ClientState): void {
  context.store.setState(step, true);
}

/** Shows a notice; `hint` says what to do about it. */
export function say(context: CommandContext, text: string, tone: Notice['tone'] = 'plain', hint?: string): void {
  change(context, (state) => ({ ...state, notice: noticeOf(text, tone, context.now(), hint) }));
}

/** ms after which a person wonders whether their key did anything. */
const MOMENT = 400;

/** What is asked for, with a notice of it once it takes longer than a moment. */
export async function saying<T>(context: CommandContext, text: string, asked: Promise<T>): Promise<T> {
  const timer = setTimeout(() => say(context, text), MOMENT);
  try {
    return await asked;
  } finally {
    clearTimeout(timer);
  }
}

/** What went wrong with a request, as a notice. Anything but a refusal or a lost connection is a bug and is thrown on. */
export function sayError(context: CommandContext, error: unknown): void {
  const { code, message, hint } = error as { code?: unknown; message?: unknown; hint?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') throw error;
  say(context, message, 'error', typeof hint === 'string' ? hint : undefined);
}
