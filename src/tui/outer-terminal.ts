// What is known of the outer terminal: from the environment at once, from its answers when they come. Answers count only while their
// question is open; all others are dropped.

import { abilitiesOf } from '../compositor/abilities.ts';
import type { CompositorAbilities } from '../compositor/compositor.ts';
import type { OuterTerminal } from '../wire/requests.ts';
import type { TerminalReply } from './input/decode.ts';

/** Time for answers, ms; a phone over SSH may take a second. The last question (DA1) is answered by every terminal and ends it earlier. */
const ANSWER_TIME = 3000;
/** Palette entries asked for: the ones that themes set. */
const PALETTE = 16;

export interface OuterProbeOptions {
  env: NodeJS.ProcessEnv;
  send(bytes: string): void;
  size(): { cols: number; rows: number };
  after(ms: number, run: () => void): () => void;
  /** Something became known. */
  onChange(): void;
}

export class OuterProbe {
  readonly #o: OuterProbeOptions;
  #open = new Set<string>();
  #cancel: (() => void) | null = null;
  #colors = new Map<string, string>();
  #name: string;
  #dark: boolean | null = null;
  #cell: { width: number; height: number } | null = null;
  #synchronized: boolean | null = null;
  #graphemes = false;
  #kitty = false;

  constructor(options: OuterProbeOptions) {
    this.#o = options;
    this.#name = options.env.TERM_PROGRAM ?? '';
  }

  /** Asks everything; the answers come through `take`. */
  ask(): void {
    const colors = ['10', '11', '12', ...Array.from({ length: PALETTE }, (_, i) => `4;${i}`)];
    this.#open = new Set([...colors, 'version', 'kitty', 'scheme', 'size 4', 'size 6', 'mode 2026', 'mode 2027', 'attributes']);
    this.#cancel?.();
    this.#cancel = this.#o.after(ANSWER_TIME, () => this.#end());
    const asked = colors.map((color) => `\x1b]${color};?\x1b\\`).join('');
    this.#o.send(`\x1b[>0q\x1b[?u\x1b[?2026$p\x1b[?2027$p\x1b[?996n\x1b[14t\x1b[16t${asked}\x1b[c`);
  }

  /** An answer; false when nobody asked. */
  take(reply: TerminalReply): boolean {
    // Mode 2031 is a standing question: the terminal tells when its colours changed, and they are asked for again.
    if (reply.reply === 'color-scheme' && !this.#open.has('scheme')) {
      if (reply.dark !== this.#dark) this.ask();
      return true;
    }
    if (!this.#open.delete(keyOf(reply))) return false;
    this.#learn(reply);
    if (reply.reply === 'attributes') this.#end();
    return true;
  }

  get abilities(): CompositorAbilities {
    return abilitiesOf(this.#o.env, { name: this.#name, kitty: this.#kitty, graphemes: this.#graphemes, synchronized: this.#synchronized });
  }

  /** herd runs inside tmux. */
  get insideTmux(): boolean {
    return this.#o.env.TMUX !== undefined || /^tmux\b/i.test(this.#name);
  }

  get outer(): OuterTerminal {
    const color = (key: string) => this.#colors.get(key) ?? null;
    const background = color('11');
    return {
      name: this.#name,
      foreground: color('10'),
      background,
      cursor: color('12'),
      palette: Array.from({ length: PALETTE }, (_, i) => color(`4;${i}`)),
      dark: this.#dark ?? (background ? isDark(background) : null),
      cell: this.#cell,
    };
  }

  close(): void {
    this.#cancel?.();
    this.#open.clear();
  }

  #learn(reply: TerminalReply): void {
    if (reply.reply === 'version') this.#name = reply.text || this.#name;
    if (reply.reply === 'kitty-flags') this.#kitty = true;
    if (reply.reply === 'color-scheme') this.#dark = reply.dark;
    if (reply.reply === 'color') this.#colors.set(colorKey(reply), reply.color);
    if (reply.reply === 'size') this.#learnSize(reply.what, reply.width, reply.height);
    if (reply.reply !== 'mode') return;
    if (reply.mode === 2026) this.#synchronized = reply.state === 1 || reply.state === 2;
    if (reply.mode !== 2027) return;
    this.#graphemes = reply.state >= 1 && reply.state <= 3;
    if (reply.state === 2) this.#o.send('\x1b[?2027h');
  }

  /** Pixels of a cell (6) or of the whole text area (4); what no cell can be is not believed. */
  #learnSize(what: number, width: number, height: number): void {
    const { cols, rows } = this.#o.size();
    const cell = what === 6 ? { width, height } : { width: Math.floor(width / cols), height: Math.floor(height / rows) };
    const isCell = cell.width >= 1 && cell.height >= 1 && cell.width <= 1000 && cell.height <= 1000;
    if (isCell && (what === 6 || !this.#cell)) this.#cell = cell;
  }

  #end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#open.clear();
    this.#o.onChange();
  }
}

function keyOf(reply: TerminalReply): string {
  switch (reply.reply) {
    case 'version':
    case 'other':
      return reply.reply;
    case 'attributes':
      return reply.level === '' ? 'attributes' : 'other';
    case 'kitty-flags':
      return 'kitty';
    case 'color-scheme':
      return 'scheme';
    case 'color':
      return colorKey(reply);
    case 'size':
      return `size ${reply.what}`;
    case 'mode':
      return `mode ${reply.mode}`;
  }
}

function colorKey(reply: { osc: number; index: number | null }): string {
  return reply.index === null ? String(reply.osc) : `${reply.osc};${reply.index}`;
}

/** Perceived brightness below the middle (ITU-R BT.601 weights). */
function isDark(color: string): boolean {
  const value = Number.parseInt(color.slice(1), 16);
  return 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255) < 128;
}
