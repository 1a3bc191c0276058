// Whole escape sequences of the outer terminal to what they mean: a key, the mouse, focus, or an answer to a question. Pure; what it
// does not know is null, and null is never typed.
import { ALT, CTRL, type InputEvent, type KeyEvent, META, type MouseEvent, SHIFT, SUPER } from '../../model/input.ts';
import { CONSOLE_KEYS, KEYPAD_LETTERS, KEYPAD_TEXT, KITTY_KEYS, LETTER_KEYS, TILDE_KEYS } from './key-tables.ts';

/** An answer of the outer terminal. Which questions are open is the asker's to know; nothing here ever becomes input. */
export type TerminalReply =
  /** DA1 (`''`), DA2 (`'>'`), DA3 (`'='`). */
  | { reply: 'attributes'; level: '' | '>' | '='; params: number[] }
  | { reply: 'version'; text: string }
  | { reply: 'kitty-flags'; flags: number }
  /** DECRQM: 0 unknown, 1 set, 2 reset, 3 always set, 4 never. */
  | { reply: 'mode'; mode: number; state: number }
  | { reply: 'color-scheme'; dark: boolean }
  /** OSC 4 (`index` 0-255), 10, 11, 12 (index null); '#rrggbb'. */
  | { reply: 'color'; osc: number; index: number | null; color: string }
  /** CSI 4, 5, 6, 8, 9 t. */
  | { reply: 'size'; what: number; height: number; width: number }
  | { reply: 'other' };

export type Meaning = { event: InputEvent } | { reply: TerminalReply } | { paste: 'begin' | 'end' } | null;

/** Modifier parameter of CSI sequences: bits + 1, 0 and absent mean none. */
function modsOf(param: number | undefined): number {
  return param && param > 1 ? (param - 1) & 255 : 0;
}

function press(key: string, mods = 0, action: KeyEvent['action'] = 'press'): Meaning {
  const text = KEYPAD_TEXT[key];
  const typed = text && action !== 'release' && (mods & (CTRL | ALT | SUPER | META)) === 0;
  return { event: { type: 'key', key, mods, action, ...(typed ? { text } : {}) } };
}

const ACTIONS: Record<number, KeyEvent['action']> = { 2: 'repeat', 3: 'release' };

/** A control sequence without its introducer: parameter bytes, intermediate bytes, final. */
export function readCsi(params: string, intermediates: string, final: string): Meaning {
  if (params.startsWith('?') || params.startsWith('>') || params.startsWith('=')) return readReport(params, intermediates, final);
  if (params.startsWith('<')) return final === 'M' || final === 'm' ? readMouse(params.slice(1), final === 'm') : null;
  const fields = params.split(';').map((field) => field.split(':').map(Number));
  const first = fields[0]![0]!;
  const mods = modsOf(fields[1]?.[0]);
  const action = ACTIONS[fields[1]?.[1] ?? 1] ?? 'press';
  if (intermediates === '' || intermediates === '$' || intermediates === ' ') {
    if (final === '~') return readTilde(fields, first, mods, action);
    if (final === 'u' && intermediates === '') return readKitty(fields, mods, action);
    if (final === 't') return readSize(fields);
  }
  if (final === '$' || intermediates === '$') return TILDE_KEYS[first] ? press(TILDE_KEYS[first], SHIFT) : null;
  if (final === '^') return TILDE_KEYS[first] ? press(TILDE_KEYS[first], CTRL) : null;
  if (final === '@') return TILDE_KEYS[first] ? press(TILDE_KEYS[first], CTRL | SHIFT) : null;
  if (final === 'Z') return press('tab', mods | SHIFT);
  if (final === 'I' && params === '') return { event: { type: 'focus', focused: true } };
  if (final === 'O' && params === '') return { event: { type: 'focus', focused: false } };
  if (final === 'n' || final === 'c') return { reply: { reply: 'other' } };
  // A cursor position report looks like F3 with modifiers; only row 1 can be meant as a key.
  if (final === 'R' && fields.length === 2 && first !== 1) return { reply: { reply: 'other' } };
  if (/[abcd]/.test(final) && params === '') return press(LETTER_KEYS[final.toUpperCase()]!, SHIFT);
  return LETTER_KEYS[final] ? press(LETTER_KEYS[final], mods, action) : null;
}

function readTilde(fields: number[][], first: number, mods: number, action: KeyEvent['action']): Meaning {
  if (first === 200) return { paste: 'begin' };
  if (first === 201) return { paste: 'end' };
  // modifyOtherKeys: 27 ; modifiers ; code.
  if (first === 27 && fields.length === 3) return codeKey([fields[2]![0]!], mods, 'press', []);
  return TILDE_KEYS[first] ? press(TILDE_KEYS[first], mods, action) : null;
}

/** `CSI code:shifted:base ; modifiers:event ; text u`. */
function readKitty(fields: number[][], mods: number, action: KeyEvent['action']): Meaning {
  return codeKey(fields[0]!, mods, action, (fields[2] ?? []).filter(isTextCode));
}

function isTextCode(code: number): boolean {
  return code >= 32 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code <= 0xdfff);
}

function codeKey(codes: number[], mods: number, action: KeyEvent['action'], textCodes: number[]): Meaning {
  const [code = 0, shifted, base] = codes;
  const named = KITTY_KEYS.get(code);
  const text = textCodes.length > 0 ? String.fromCodePoint(...textCodes) : undefined;
  if (named) {
    const meaning = press(named, mods, action);
    if (text && meaning && 'event' in meaning) (meaning.event as KeyEvent).text = text;
    return meaning;
  }
  if (code === 0) return text ? { event: { type: 'key', key: '', mods: 0, action: 'press', text } } : null;
  if (!isTextCode(code)) return code < 32 && code > 0 ? { event: controlKey(code, mods) } : null;
  // Private use codes that are no key of the protocol's table are keys nobody knows yet.
  if (code >= 57344 && code <= 63743) return null;
  const char = String.fromCodePoint(code);
  const lower = char.toLowerCase();
  // modifyOtherKeys and some terminals send the shifted character itself.
  const isUpper = lower !== char && [...lower].length === 1;
  const event: KeyEvent = { type: 'key', key: isUpper ? lower : char, mods: isUpper ? mods | SHIFT : mods, action };
  if (isUpper) event.shifted = char;
  if (shifted && isTextCode(shifted)) event.shifted = String.fromCodePoint(shifted);
  if (base && isTextCode(base)) event.base = String.fromCodePoint(base);
  if (action !== 'release') {
    if (text) event.text = text;
    else if ((event.mods & (CTRL | ALT | SUPER | META)) === 0)
      event.text = event.mods & SHIFT ? (event.shifted ?? char.toUpperCase()) : char;
  }
  return { event };
}

/** A C0 byte as the key that sends it: Enter, Tab, Backspace, Escape, or Ctrl with a character. */
export function controlKey(byte: number, mods = 0): KeyEvent {
  const named = KITTY_KEYS.get(byte);
  if (named) return { type: 'key', key: named, mods, action: 'press' };
  const key = byte === 0 ? ' ' : byte < 27 ? String.fromCharCode(byte + 96) : String.fromCharCode(byte + 64);
  return { type: 'key', key, mods: mods | CTRL, action: 'press' };
}

/** One character typed as itself, with Alt or without. */
export function characterKey(char: string, mods = 0): KeyEvent {
  const lower = char.toLowerCase();
  const isUpper = lower !== char && [...lower].length === 1;
  const event: KeyEvent = { type: 'key', key: isUpper ? lower : char, mods: isUpper ? mods | SHIFT : mods, action: 'press' };
  if (isUpper) event.shifted = char;
  if ((mods & (ALT | CTRL)) === 0) event.text = char;
  return event;
}

/** SS3 sequences: `ESC O` and a final, with a modifier digit between in old xterms. */
export function readSs3(modifier: string, final: string): Meaning {
  const mods = modsOf(modifier === '' ? undefined : Number(modifier.split(';').at(-1)));
  if (/[abcd]/.test(final)) return press(LETTER_KEYS[final.toUpperCase()]!, CTRL);
  const key = LETTER_KEYS[final] ?? KEYPAD_LETTERS[final];
  if (final === 'I') return press('tab', mods);
  if (final === ' ') return { event: characterKey(' ', mods) };
  return key ? press(key, mods) : null;
}

/** Linux console function keys: `CSI [` and a letter. */
export function readConsoleKey(final: string): Meaning {
  return CONSOLE_KEYS[final] ? press(CONSOLE_KEYS[final]) : null;
}

const BUTTONS: MouseEvent['button'][] = ['left', 'middle', 'right', 'none'];
const WHEELS: MouseEvent['button'][] = ['wheelup', 'wheeldown', 'wheelleft', 'wheelright'];

/** SGR mouse: `button ; column ; row`, 1-based. */
function readMouse(params: string, release: boolean): Meaning {
  const [code, x, y] = params.split(';').map(Number);
  if (code === undefined || !x || !y || !Number.isInteger(code + x + y) || x < 1 || y < 1) return null;
  return mouse(code, x - 1, y - 1, release);
}

/** Mouse of terminals without SGR coordinates: three bytes, each 32 more than its value. */
export function readX10Mouse(button: number, x: number, y: number): Meaning {
  const code = button - 32;
  if (code < 0 || x < 33 || y < 33) return null;
  // There a release does not say of which button.
  return mouse(code, x - 33, y - 33, (code & 3) === 3 && (code & 0xe0) === 0);
}

function mouse(code: number, x: number, y: number, release: boolean): Meaning {
  const mods = (code & 4 ? SHIFT : 0) | (code & 8 ? ALT : 0) | (code & 16 ? CTRL : 0);
  const group = code & 0xc0;
  let button = BUTTONS[code & 3]!;
  if (group === 64) button = WHEELS[code & 3]!;
  if (group === 128) button = code & 2 ? 'none' : code & 1 ? 'forward' : 'back';
  if (group === 192) return null;
  const action = code & 32 ? 'move' : release ? 'release' : 'press';
  return { event: { type: 'mouse', action, button, mods, x, y } };
}

/** Reports with a private marker: attributes, modes, keyboard flags, colour scheme. */
function readReport(params: string, intermediates: string, final: string): Meaning {
  const level = params[0] as '?' | '>' | '=';
  const numbers = params.slice(1).split(';').map(Number);
  if (final === 'c') return { reply: { reply: 'attributes', level: level === '?' ? '' : level, params: numbers } };
  if (level === '?' && final === 'u') return { reply: { reply: 'kitty-flags', flags: numbers[0]! } };
  if (level === '?' && final === 'y' && intermediates === '$') {
    return { reply: { reply: 'mode', mode: numbers[0]!, state: numbers[1] ?? 0 } };
  }
  if (level === '?' && final === 'n' && numbers[0] === 997) return { reply: { reply: 'color-scheme', dark: numbers[1] === 1 } };
  return { reply: { reply: 'other' } };
}

function readSize(fields: number[][]): Meaning {
  const [what, height, width] = fields.map((field) => field[0]!);
  if (what === undefined || height === undefined || width === undefined) return { reply: { reply: 'other' } };
  return { reply: { reply: 'size', what, height, width } };
}

/** OSC, DCS, APC and their like: always answers, never input. `kind` is the introducer's letter. */
export function readString(kind: string, body: string): TerminalReply {
  if (kind === 'P' && body.startsWith('>|'))
    return {
      reply: 'version',
      text: body
        .slice(2)
        .replace(/[^\x20-\x7e]/g, '')
        .slice(0, 100),
    };
  if (kind !== ']') return { reply: 'other' };
  const match = /^(?:(4);(\d{1,3})|(1[0-9]));(.+)$/.exec(body);
  const color = match && readColor(match[4]!);
  if (!match || !color) return { reply: 'other' };
  const index = match[2] === undefined ? null : Number(match[2]);
  if (index !== null && index > 255) return { reply: 'other' };
  return { reply: 'color', osc: Number(match[1] ?? match[3]), index, color };
}

/** `rgb:h/h/h` to `rgb:hhhh/hhhh/hhhh`, `rgba:…` or `#rrggbb` as '#rrggbb'. */
function readColor(text: string): string | null {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
  const match = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(text);
  if (!match) return null;
  const byte = (hex: string) => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
  return `#${match
    .slice(1, 4)
    .map((hex) => byte(hex).toString(16).padStart(2, '0'))
    .join('')}`;
}
