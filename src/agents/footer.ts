// What stands below an agent's input box tells of a turn in any words: hints come as the turn begins and go as it ends. Learned anew with
// each prompt; a footer that stays the same teaches nothing.
import type { Look } from './look.ts';

/** ms for which a hint must have stood to be one of the turn's: an echo of keys, a tip. */
const STOOD = 600;

export interface FooterSign {
  /** The hints below the empty box before the prompt was typed; null: not known. */
  rest: string[] | null;
  /** In this turn: since when others stand there, and those of rest that make room for them; null: none do. */
  other: { at: number; room: string[] } | null;
  /** Since when the hints are again those of rest. */
  back: number | null;
}

export function createFooterSign(): FooterSign {
  return { rest: null, other: null, back: null };
}

/** A key comes while the agent rests: what stands there now are the hints of rest. */
export function learnFooter(sign: FooterSign, look: Look | null): void {
  if (look?.composer?.draft === '') Object.assign(sign, { rest: look.footer, other: null, back: null });
}

/** Takes in a look at an agent that works. Below a draft other hints may stand, and nothing is learned. */
export function noteFooter(sign: FooterSign, look: Look, at: number): void {
  const { rest, other } = sign;
  if (rest === null || look.composer?.draft !== '') return;
  if (look.footer.some((hint) => !rest.includes(hint))) {
    sign.other ??= { at, room: rest.filter((hint) => !look.footer.includes(hint)) };
    sign.back = null;
  } else if (other && at - other.at < STOOD) sign.other = null;
  else if (other && (other.room.length === 0 || other.room.some((hint) => look.footer.includes(hint)))) sign.back ??= at;
}
