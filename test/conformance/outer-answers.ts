// Makes an emulator the modern terminal a person sits in: it answers what such a terminal answers, and keeps what it was asked to do. The
// keys it sends depend on the modes it was put in, as a real one's do.
import type { Terminal } from '@xterm/headless';

export interface OuterState {
  /** Kitty keyboard stack; its last entry is in force. */
  kitty: number[];
  otherKeys: number;
  modes: Set<number>;
  titles: string[];
  bells: number;
  /** `code;text` of OSC strings. */
  osc: string[];
  /** First bytes of kitty graphics and sixel strings. */
  images: string[];
}

const DARK: Record<number, string> = { 10: 'e0e0/e0e0/e0e0', 11: '1c1c/1d1d/1e1e', 12: 'e0e0/e0e0/e0e0' };
const LIGHT: Record<number, string> = { 10: '2020/2020/2020', 11: 'fafa/fafa/fafa', 12: '2020/2020/2020' };
const ASKED_MODES = [1016, 2026, 2027, 2031, 2048];

/** Installs the answers; `say` types them. `light`: dark text on a light ground. */
export function installOuter(terminal: Terminal, say: (bytes: string) => void, light = false): OuterState {
  const state: OuterState = { kitty: [], otherKeys: 0, modes: new Set(), titles: [], bells: 0, osc: [], images: [] };
  const { parser } = terminal;
  const answer = (id: Parameters<typeof parser.registerCsiHandler>[0], reply: (params: (number | number[])[]) => string | null) =>
    parser.registerCsiHandler(id, (params) => {
      const text = reply(params);
      if (text) say(text);
      return text !== null;
    });
  answer({ final: 'c' }, () => '\x1b[?62;22;52c');
  answer({ prefix: '>', final: 'c' }, () => '\x1b[>1;10;0c');
  answer({ prefix: '>', final: 'q' }, () => '\x1bP>|ghostty 1.2.0\x1b\\');
  answer({ prefix: '?', final: 'n' }, ([what]) => (what === 996 ? `\x1b[?997;${light ? 2 : 1}n` : null));
  answer({ prefix: '?', final: 'u' }, () => `\x1b[?${state.kitty.at(-1) ?? 0}u`);
  answer({ prefix: '?', intermediates: '$', final: 'p' }, ([mode]) => (ASKED_MODES.includes(mode as number) ? `\x1b[?${mode};2$y` : null));
  answer({ final: 't' }, ([what]) => (what === 16 ? '\x1b[6;20;10t' : what === 14 ? '\x1b[4;500;800t' : null));
  followKeys(parser, state);
  for (const [final, on] of [
    ['h', true],
    ['l', false],
  ] as const)
    parser.registerCsiHandler({ prefix: '?', final }, (params) => {
      for (const mode of params as number[]) on ? state.modes.add(mode) : state.modes.delete(mode);
      return false;
    });
  for (const code of [4, 7, 8, 9, 10, 11, 12, 52, 99, 112, 133, 777, 1337])
    parser.registerOscHandler(code, (text) => osc(state, code, text, say, light ? LIGHT : DARK));
  parser.registerDcsHandler({ final: 'q' }, (text) => state.images.push(`sixel ${text.slice(0, 40)}`) > 0);
  terminal.onBell(() => state.bells++);
  terminal.onTitleChange((title) => state.titles.push(title));
  return state;
}

function followKeys(parser: Terminal['parser'], state: OuterState): void {
  const on = (prefix: string, final: string, act: (params: number[]) => void) =>
    parser.registerCsiHandler({ prefix, final }, (params) => {
      act(params as number[]);
      return true;
    });
  on('>', 'u', ([flags]) => state.kitty.push(flags || 0));
  on('=', 'u', ([flags]) => {
    if (flags || state.kitty.length > 0) state.kitty.splice(-1, 1, flags || 0);
  });
  on('<', 'u', ([count]) => state.kitty.splice(-(count || 1)));
  on('>', 'm', ([what, level]) => {
    if (what === 4) state.otherKeys = level ?? 0;
  });
}

function osc(state: OuterState, code: number, text: string, say: (bytes: string) => void, colours: typeof DARK): boolean {
  state.osc.push(`${code};${text}`);
  const colour = colours[code];
  if (colour && text === '?') say(`\x1b]${code};rgb:${colour}\x1b\\`);
  const index = /^(\d+);\?$/.exec(text)?.[1];
  if (code === 4 && index) say(`\x1b]4;${index};rgb:0a0a/0b0b/0c0c\x1b\\`);
  if (code === 52 && text.endsWith(';?')) say(`\x1b]52;c;U0VDUkVU\x1b\\`);
  return code !== 8;
}

/** A key as the terminal sends it in the state it was put in: code point, modifiers (bits + 1), bytes without any protocol. */
export function keyBytes(state: OuterState, [code, mods, plain]: readonly [number, number, string]): string {
  if ((state.kitty.at(-1) ?? 0) & 1) return mods === 1 ? `\x1b[${code}u` : `\x1b[${code};${mods}u`;
  return state.otherKeys >= 1 && mods > 1 ? `\x1b[27;${mods};${code}~` : plain;
}
