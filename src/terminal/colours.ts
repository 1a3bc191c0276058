// Colour questions of programs (OSC 4, 10, 11, 12): answered from the outer terminal's colours, or from what the program itself set.
import type { OuterColours } from '../model/outer.ts';

/** Answers while no client has told its colours: a dark terminal's usual ones. */
const FALLBACK = { foreground: '#d8d8d8', background: '#000000', cursor: '#d8d8d8' };
/** xterm's first 16 colours. */
const BASE = '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff'.split(' ');
/** Steps of the 6x6x6 cube. */
const CUBE = [0, 95, 135, 175, 215, 255];

export type Special = 'foreground' | 'background' | 'cursor';
export const SPECIALS: readonly Special[] = ['foreground', 'background', 'cursor'];

export class Colours {
  readonly #outer: () => OuterColours;
  readonly #onCursor: (colour: string | null) => void;
  readonly #set = new Map<number | Special, string>();

  /** `onCursor` is called when a program gives its cursor another colour, or takes that back (null). */
  constructor(outer: () => OuterColours, onCursor: (colour: string | null) => void = () => {}) {
    this.#outer = outer;
    this.#onCursor = onCursor;
  }

  /** What a program set; null when it set none. */
  get cursor(): string | null {
    return this.#set.get('cursor') ?? null;
  }

  /** The colour as `rgb:rrrr/gggg/bbbb`. */
  report(which: number | Special): string {
    const hex = this.#set.get(which) ?? this.#known(which);
    const pair = (at: number) => hex.slice(at, at + 2).repeat(2);
    return `rgb:${pair(1)}/${pair(3)}/${pair(5)}`;
  }

  set(which: number | Special, spec: string): void {
    const colour = parseColour(spec);
    if (!colour) return;
    this.#set.set(which, colour);
    if (which === 'cursor') this.#onCursor(colour);
  }

  reset(which: number | Special | 'palette' | 'all'): void {
    if (which === 'all') this.#set.clear();
    else if (which === 'palette') for (const key of this.#set.keys()) typeof key === 'number' && this.#set.delete(key);
    else this.#set.delete(which);
    if (which === 'all' || which === 'cursor') this.#onCursor(null);
  }

  /** Colours that programs set, for the checkpoint. */
  entries(): [number | Special, string][] {
    return [...this.#set];
  }

  /** Whether the terminal counts as dark: as the client says, else by its background. */
  get dark(): boolean {
    const outer = this.#outer();
    return outer.dark ?? luminance(outer.background ?? FALLBACK.background) < 0.5;
  }

  #known(which: number | Special): string {
    const outer = this.#outer();
    if (typeof which !== 'number') {
      if (which === 'cursor') return outer.cursor ?? outer.foreground ?? FALLBACK.cursor;
      return outer[which] ?? FALLBACK[which];
    }
    return outer.palette[which] ?? paletteDefault(which);
  }
}

function paletteDefault(index: number): string {
  if (index < 16) return `#${BASE[index]}`;
  const hex = (...parts: number[]) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex(grey, grey, grey);
  }
  const at = index - 16;
  return hex(CUBE[Math.floor(at / 36)]!, CUBE[Math.floor(at / 6) % 6]!, CUBE[at % 6]!);
}

/** '#rrggbb' of an XParseColor spec (`rgb:h/h/h` with 1-4 digits each, `#rgb` to `#rrrrggggbbbb`), or null. */
export function parseColour(spec: string): string | null {
  const parts = /^rgb:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})$/i.exec(spec)?.slice(1) ?? hashParts(spec);
  if (!parts) return null;
  const byte = (part: string) => Math.round((Number.parseInt(part, 16) / (16 ** part.length - 1)) * 255);
  return `#${parts.map((part) => byte(part).toString(16).padStart(2, '0')).join('')}`;
}

function hashParts(spec: string): string[] | null {
  const digits = /^#([\da-f]+)$/i.exec(spec)?.[1];
  if (!digits || digits.length % 3 !== 0 || digits.length > 12) return null;
  const size = digits.length / 3;
  return [digits.slice(0, size), digits.slice(size, 2 * size), digits.slice(2 * size)];
}

function luminance(hex: string): number {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
