// Keys and pastes: the prefix, the table of the place that has the keys, text being written, or the program in front. The one place that
// decides whose a key is.
import type { InputEvent, KeyEvent, PasteEvent } from '../model/input.ts';
import { soon } from '../model/soon.ts';
import type { WireError } from '../wire/requests.ts';
import { type CommandContext, change, say } from './commands/context.ts';
import { typeText } from './commands/editing.ts';
import { runCommand } from './commands/run.ts';
import { chordEvent, chordLabel, chordOf } from './input/chord.ts';
import { lookUp } from './input/keymap.ts';
import { COMMANDS, type CommandId, type CommandRow, type Place } from './input/keymap-table.ts';
import { bringPicture, picturePath } from './pasted-picture.ts';
import { placeOfOverlay } from './store/overlay.ts';
import { topOverlay } from './store/overlay-stack.ts';
import { type ClientState, focusedPane, shownWorkspace } from './store/state.ts';

/** Which table of keys counts now; null: every key but the prefix is the program's. */
export function placeOf(state: ClientState): Place | null {
  const top = topOverlay(state);
  if (top) return placeOfOverlay(top);
  if (state.copy) return 'copy';
  if (state.zone === 'list' || !shownWorkspace(state)) return 'list';
  return focusedPane(state) === 'diff' ? 'diff' : null;
}

/** ms in which a key like the last one after the prefix needs no prefix; as in tmux. */
const REPEAT = 500;

export interface Keys {
  key(event: KeyEvent): void;
  paste(event: PasteEvent): void;
  /** Gives an event to a terminal's program; events of one turn go as one request. */
  pass(terminal: number, event: InputEvent): void;
}

export function createKeys(context: CommandContext): Keys {
  const { keymap, store } = context;
  let repeatUntil = 0;
  /** Pictures on their way to a terminal's host. */
  const bringing = new Map<number, Promise<void>>();
  let pending: { terminal: number; events: InputEvent[] } | null = null;

  function key(event: KeyEvent): void {
    const state = store.getState();
    const chord = chordOf(event);
    if (event.action !== 'release' && state.notice) change(context, (now) => ({ ...now, notice: null }));
    if (chord !== null && state.prefix) return afterPrefix(chord);
    if (chord !== null && chord === keymap.prefix) return change(context, (now) => ({ ...now, prefix: true }));
    if (chord !== null && repeats(chord)) return;
    const place = placeOf(state);
    if (place === null) return toPane(event);
    const command = chord === null ? null : lookUp(keymap, place, chord);
    if (command) return runCommand(context, command, chord!);
    if (event.action !== 'release' && isTyped(event)) typeText(context, event.text!, false);
  }

  function afterPrefix(chord: string): void {
    change(context, (state) => ({ ...state, prefix: false }));
    if (chord === 'escape') return;
    if (chord === keymap.prefix) return toPane(chordEvent(keymap.prefix));
    const command = lookUp(keymap, 'prefix', chord);
    if (command) return runFromPrefix(command, chord);
    const prefix = chordLabel(keymap.prefix);
    say(context, `${prefix} ${chordLabel(chord)} is not bound`, 'plain', `${prefix} ? shows every key`);
  }

  function runFromPrefix(command: CommandId, chord: string): void {
    const row: CommandRow = COMMANDS[command];
    if (row.repeats) repeatUntil = context.now() + REPEAT;
    runCommand(context, command, chord);
  }

  /** Runs the command of a key that was pressed after the prefix a moment ago, or one like it. Any other key ends that. */
  function repeats(chord: string): boolean {
    const command = context.now() < repeatUntil ? lookUp(keymap, 'prefix', chord) : null;
    repeatUntil = 0;
    const row: CommandRow | null = command && COMMANDS[command];
    if (!command || !row?.repeats) return false;
    runFromPrefix(command, chord);
    return true;
  }

  /** To the program in front. A view that was scrolled back returns to its tail at a key, as in every terminal. */
  function toPane(event: KeyEvent | PasteEvent): void {
    const state = store.getState();
    const pane = focusedPane(state);
    if (typeof pane !== 'number' || placeOf(state) !== null) return;
    const scroll = state.scrolls[pane];
    if (scroll && !scroll.atTail && (event.type === 'paste' || event.action === 'press'))
      context.request('view.scroll', { view: pane, to: null }).catch(() => {});
    const picture = event.type === 'paste' ? picturePath(event.text) : null;
    if (picture === null) pass(pane, event);
    else passPicture(pane, event as PasteEvent, picture);
  }

  /** What is typed behind the picture waits for it. */
  function passPicture(terminal: number, event: PasteEvent, path: string): void {
    const done = (bringing.get(terminal) ?? Promise.resolve()).then(async () => {
      const brought = await bringPicture(context, path);
      if (bringing.get(terminal) === done) bringing.delete(terminal);
      if (brought !== false) give(terminal, brought === null ? event : { ...event, text: brought });
    });
    bringing.set(terminal, done);
  }

  function pass(terminal: number, event: InputEvent): void {
    const picture = bringing.get(terminal);
    if (picture) void picture.then(() => give(terminal, event));
    else give(terminal, event);
  }

  function give(terminal: number, event: InputEvent): void {
    if (pending?.terminal === terminal) {
      pending.events.push(event);
      return;
    }
    const batch = { terminal, events: [event] };
    pending = batch;
    soon(() => {
      if (pending === batch) pending = null;
      context.request('terminal.input', batch).catch((error: WireError) => say(context, error.message, 'error', error.hint));
    });
  }

  return {
    key,
    pass,
    paste: (event) => (placeOf(store.getState()) === null ? toPane(event) : void typeText(context, event.text, true)),
  };
}

/** Every modifier but shift, caps lock and num lock. */
const CHORD_MODS = 0b111110;

/** Text that a key or an input method typed, not the letter of a chord. */
function isTyped(event: KeyEvent): boolean {
  return event.text !== undefined && event.text >= ' ' && (event.mods & CHORD_MODS) === 0;
}
