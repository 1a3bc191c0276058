// Delivers one prompt as a transaction, each step confirmed from the screen. Pure: it says what to write and is told what was written.
// Never a byte into a dialog, never into a draft that a person has begun, never the same paste twice.
import type { AgentStatus } from '../model/agent.ts';
import type { DeliveryOutcome } from '../model/review/comment.ts';
import type { ScreenText } from '../model/screen-text.ts';
import type { Composer } from './composer.ts';
import { type CompiledKind, compileKind } from './kinds/compile.ts';
import type { Kind } from './kinds/kind.ts';
import { type Look, lookAt } from './look.ts';
import { cleanPrompt, ENTER, escapeBytes, PROMPT_MAX, pasteBytes, typedBytes } from './prompt-bytes.ts';

/** Names of the steps, as they are written to the ledger before they are taken. */
export type DeliveryStep = 'ready' | 'close' | 'paste' | 'enter';

export interface Delivery {
  readonly kind: CompiledKind;
  /** Cleaned. */
  readonly text: string;
  step: Exclude<DeliveryStep, 'close'>;
  /** Until when a prompt waits for an agent that is not ready; ms. */
  readonly patience: number;
  /** When the present step was written, and how often enter was. */
  at: number;
  enters: number;
  /** Notices closed on the way. */
  closes: number;
  /** Since when the pasted text has been seen unchanged. */
  shownSince: number | null;
  shown: string;
  turn: number;
}

/** What the caller sees now. `stood`: ms for which the agent has been ready (`stoodFor` of the tracker). */
export interface DeliverySight {
  screen: ScreenText;
  status: AgentStatus;
  stood: number;
  at: number;
}

export type DeliveryAction =
  /** Write `step` to the ledger, let the holder check the foreground and write `bytes` in one piece; then `wrote` or `couldNotWrite`. */
  | { do: 'write'; step: DeliveryStep; bytes: Uint8Array }
  | { do: 'wait'; until: number | null }
  | { done: DeliveryOutcome; reason?: string; turn?: number };

/** ms after a paste in which its text must have appeared: a loaded agent took 3 s for 40 kB. */
const APPEAR = 8000;
/** ms for which an input box may be gone before a delivery that has not begun is refused for it. */
const REDRAW = 2500;
/** ms for which a draft may be seen before it is one: while a box is drawn anew, what was said before can stand in its place. */
const DRAFT_STANDS = 600;
/** ms after enter until it is pressed once more, and until the delivery is given up (measured: agents that swallow a CR take the next). */
const RETRY = 3000;
const GIVE_UP = 9000;
/** Notices that are closed before one delivery: an offer and what it uncovers. */
const CLOSES = 2;
/** Characters of a text's end or beginning by which it is known again in a box that shows only a part. */
const KNOWN_BY = 24;

/** A delivery that has done nothing yet. `patience` ms: how long to wait for an agent to be ready before giving up; 0 refuses at once. */
export function planDelivery(kind: Kind, text: string, at: number, patience = 0): Delivery {
  return {
    kind: compileKind(kind),
    text: cleanPrompt(text),
    step: 'ready',
    patience: at + patience,
    at,
    enters: 0,
    closes: 0,
    shownSince: null,
    shown: '',
    turn: 0,
  };
}

/** A delivery that a crash cut off after `step` was written to the ledger: it looks what became of it and never pastes again. */
export function resumeDelivery(kind: Kind, text: string, step: 'paste' | 'enter', turn: number, at: number): Delivery {
  return { ...planDelivery(kind, text, at), step, turn, enters: step === 'enter' ? 1 : 0 };
}

/** The bytes of the last `write` are with the program. */
export function wrote(delivery: Delivery, step: DeliveryStep, at: number): void {
  if (step === 'enter') delivery.enters++;
  if (step === 'close') delivery.closes++;
  else delivery.step = step;
  delivery.at = at;
}

/** The holder refused to write: another program is in front, or the terminal is gone. */
export function couldNotWrite(delivery: Delivery, reason: string): DeliveryAction {
  if (delivery.step === 'ready') return { done: 'refused', reason };
  return { done: 'undelivered', reason: `${reason}; its text stands in the input box` };
}

/** What to do now. Call again after each write, each changed screen or status, and at `until`. */
export function step(delivery: Delivery, sight: DeliverySight): DeliveryAction {
  const look = lookAt(delivery.kind, sight.screen);
  switch (delivery.step) {
    case 'ready':
      return whenReady(delivery, sight, look);
    case 'paste':
      return whenPasted(delivery, sight, look);
    case 'enter':
      return whenEntered(delivery, sight, look);
  }
}

function whenReady(d: Delivery, sight: DeliverySight, look: Look): DeliveryAction {
  const { status, screen, at } = sight;
  const { kind } = d.kind;
  if (d.text === '') return { done: 'refused', reason: 'there is nothing to send' };
  if (d.text.length > PROMPT_MAX) return { done: 'refused', reason: 'the prompt is longer than 1 MiB' };
  if (kind.prompt.method === 'none') return { done: 'refused', reason: `herd sends no prompts to a ${kind.name.toLowerCase()}` };
  if (status.state === 'exited') return { done: 'refused', reason: 'the agent has exited' };
  const not = (reason: string): DeliveryAction => (at < d.patience ? { do: 'wait', until: d.patience } : { done: 'refused', reason });
  if (status.state === 'blocked' || look.question) return not('blocked: a dialog waits for an answer');
  if (status.state === 'working') return not('the agent works');
  if (status.marks.limit) return not('the agent has reached its limit');
  if (!kind.composer) {
    if (!screen.bracketedPaste) return not('herd does not know this command, and it has bracketed paste off');
  } else {
    // Agents take their box away for a moment as they draw anew.
    const redrawn = Math.max(d.patience, d.at + REDRAW);
    if (look.notice) return closeNotice(d, sight) ?? not('a notice that escape does not close covers its input box');
    const gone = !look.composer || look.composer.strange;
    if (gone && at < redrawn) return { do: 'wait', until: redrawn };
    if (!look.composer || gone) return not('its input box is not on the screen');
    if (look.composer.draft !== '' && at < d.at + DRAFT_STANDS) return { do: 'wait', until: d.at + DRAFT_STANDS };
    if (look.composer.draft !== '') return not('a draft stands in its input box');
  }
  if (sight.stood < kind.prompt.startup) return { do: 'wait', until: at + kind.prompt.startup - sight.stood };
  d.turn = status.turn;
  return { do: 'write', step: 'paste', bytes: screen.bracketedPaste ? pasteBytes(d.text) : typedBytes(d.text) };
}

/** Any key closes it, by its own words; null when escape has not. */
function closeNotice(d: Delivery, { screen, stood, at }: DeliverySight): DeliveryAction | null {
  if (d.closes === CLOSES) return null;
  const from = Math.max(d.closes === 0 ? 0 : d.at + REDRAW, at + d.kind.kind.prompt.startup - stood);
  if (at < from) return { do: 'wait', until: from };
  return { do: 'write', step: 'close', bytes: escapeBytes(screen.kittyFlags) };
}

function whenPasted(d: Delivery, sight: DeliverySight, look: Look): DeliveryAction {
  const { at, status, screen } = sight;
  if (status.state === 'exited') return { done: 'undelivered', reason: 'the agent exited before the prompt was sent' };
  if (look.question) return { done: 'undelivered', reason: 'a dialog came up before the prompt was sent; nothing was pressed' };
  const shown = d.kind.composer ? (look.composer?.shown ?? '') : screen.lines.map((line) => line.text).join('\n');
  const seen = d.kind.composer ? holdsOnly(d, look.composer) : contains(d, shown);
  if (!seen) {
    d.shownSince = null;
    if (at < d.at + APPEAR) return { do: 'wait', until: d.at + APPEAR };
    const strange = look.composer && look.composer.draft !== '';
    return {
      done: 'undelivered',
      reason: strange ? 'other text stands in its input box beside the prompt; nothing was sent' : 'the pasted prompt did not appear',
    };
  }
  if (d.shownSince === null || shown !== d.shown) d.shownSince = at;
  d.shown = shown;
  const still = d.shownSince + d.kind.kind.prompt.settle;
  return at < still ? { do: 'wait', until: still } : { do: 'write', step: 'enter', bytes: ENTER };
}

function whenEntered(d: Delivery, sight: DeliverySight, look: Look): DeliveryAction {
  const { at, status } = sight;
  // A turn may flicker on for another reason: while the prompt stands in the box it has not been taken.
  if (status.turn > d.turn && !holdsOnly(d, look.composer)) return { done: 'accepted', turn: status.turn };
  if (status.state === 'exited') return { done: 'undelivered', reason: 'the agent exited as the prompt was sent' };
  const left = d.kind.composer ? look.composer !== null && look.composer.draft === '' : !contains(d, look.still.slice(-6).join('\n'));
  if (left) return { done: 'accepted', turn: status.turn };
  if (at >= d.at + GIVE_UP || d.enters > 1) {
    if (at < d.at + GIVE_UP) return { do: 'wait', until: d.at + GIVE_UP };
    return { done: 'undelivered', reason: 'it did not take enter; the prompt stands in its input box' };
  }
  const again = holdsOnly(d, look.composer) && !look.question && d.enters === 1;
  if (at >= d.at + RETRY) return again ? { do: 'write', step: 'enter', bytes: ENTER } : { do: 'wait', until: d.at + GIVE_UP };
  return { do: 'wait', until: d.at + RETRY };
}

/** The box holds the prompt and nothing else: all of it, a part of a long one, or the mark of a folded paste. */
function holdsOnly(d: Delivery, composer: Composer | null): boolean {
  if (!composer || composer.draft === '') return false;
  const shown = squash(composer.draft);
  for (const mark of d.kind.folded) {
    const found = mark.exec(composer.draft);
    if (!found) continue;
    const rest = squash(composer.draft.replace(found[0], ''));
    if (rest === '' || squash(d.text).includes(rest)) return true;
  }
  const text = squash(d.text);
  if (shown === text) return true;
  // A box that scrolls shows a part of it; a few characters alone could be anybody's.
  return shown.length >= KNOWN_BY && text.includes(shown.replace(/^(…|\.\.\.)|(…|\.\.\.)$/gu, ''));
}

function contains(d: Delivery, screen: string): boolean {
  const text = squash(d.text);
  const all = squash(screen);
  return all.includes(text.slice(-KNOWN_BY)) || d.kind.folded.some((mark) => mark.test(screen));
}

/** Without blanks, line ends and format characters, which wrapping and boxes change. */
function squash(text: string): string {
  return text.replace(/[\s\p{Cf}│┃║]+/gu, '');
}
