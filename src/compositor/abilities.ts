// What a terminal can be given, from its environment and from what it has answered so far. Pure.
import type { ColorDepth } from './colors.ts';
import type { CompositorAbilities } from './compositor.ts';

/** Names (XTVERSION or TERM_PROGRAM) of terminals that show 24-bit colours and underline styles. */
const RICH = /ghostty|kitty|wezterm|iterm|foot|contour|alacritty|vte|xterm\.js|rio|konsole|windows terminal|blink/i;
const RICH_TERMS = /^(xterm-ghostty|xterm-kitty|wezterm|alacritty|foot|contour|rio)/;

/** The variables of the environment that tell something. */
export interface TerminalEnvironment {
  TERM?: string;
  COLORTERM?: string;
  TERM_PROGRAM?: string;
}

export interface TerminalAnswers {
  /** By XTVERSION. */
  name: string;
  kitty: boolean;
  graphemes: boolean;
  /** Mode 2026; null: not answered yet. */
  synchronized: boolean | null;
}

/** What is known before a terminal has answered anything. */
export function unasked(env: TerminalEnvironment): TerminalAnswers {
  return { name: env.TERM_PROGRAM ?? '', kitty: false, graphemes: false, synchronized: null };
}

/** What the outer terminal can show: what it answered counts, then its name and TERM. */
export function abilitiesOf(env: TerminalEnvironment, { name, kitty, graphemes, synchronized }: TerminalAnswers): CompositorAbilities {
  const term = env.TERM ?? '';
  const rich = RICH.test(name) || RICH_TERMS.test(term) || kitty;
  return { colors: colorDepth(env, rich), underlines: rich, links: term !== 'linux', graphemes, synchronized: synchronized ?? rich };
}

function colorDepth(env: TerminalEnvironment, rich: boolean): ColorDepth {
  if (rich || /^(truecolor|24bit)$/.test(env.COLORTERM ?? '') || /-direct/.test(env.TERM ?? '')) return 'true';
  return /256/.test(env.TERM ?? '') ? '256' : '16';
}
