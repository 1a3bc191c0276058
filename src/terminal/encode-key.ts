// One key as the bytes its program expects, by that program's modes: legacy VT, modifyOtherKeys, or the kitty keyboard protocol
// (sw.kovidgoyal.net/kitty/keyboard-protocol). Pure; the decoder of what people press stands elsewhere and does the opposite.
import { ALT, CTRL, type KeyEvent, META, SHIFT } from '../model/input.ts';
import type { InputModes } from './modes.ts';

/** The bytes (as a string of code points; UTF-8 on the wire), or '' when this key sends nothing. */
export function encodeKey(event: KeyEvent, modes: InputModes): string {
  if (event.action === 'release') return '';
  return legacy(event, modes);
}

const CURSOR: Record<string, string> = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' };
const TILDE: Record<string, number> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
const SS3: Record<string, string> = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' };

function legacy(event: KeyEvent, modes: InputModes): string {
  const { key } = event;
  const mods = event.mods & (SHIFT | ALT | CTRL | META);
  const prefix = (mods & (ALT | META)) !== 0 ? '\x1b' : '';
  const cursor = CURSOR[key];
  if (cursor) return mods ? `\x1b[1;${mods + 1}${cursor}` : `${modes.applicationCursor ? '\x1bO' : '\x1b['}${cursor}`;
  const f = SS3[key];
  if (f) return mods ? `\x1b[1;${mods + 1}${f}` : `\x1bO${f}`;
  const tilde = TILDE[key];
  if (tilde) return mods ? `\x1b[${tilde};${mods + 1}~` : `\x1b[${tilde}~`;
  switch (key) {
    case 'escape':
      return `${prefix}\x1b`;
    case 'enter':
    case 'kpenter':
      if (mods === SHIFT) return '\n';
      return `${prefix}\r`;
    case 'tab':
      return (mods & SHIFT) !== 0 ? '\x1b[Z' : `${prefix}\t`;
    case 'backspace':
      return `${prefix}${(mods & CTRL) !== 0 ? '\b' : '\x7f'}`;
  }
  if ((mods & CTRL) !== 0) {
    const control = controlOf(key);
    if (control !== null) return `${prefix}${control}`;
  }
  const text = event.text ?? (key.length <= 2 && [...key].length === 1 ? key : '');
  return text ? `${prefix}${text}` : '';
}

/** The C0 control that Ctrl makes of a key, or null. */
function controlOf(key: string): string | null {
  if (/^[a-z]$/.test(key)) return String.fromCharCode(key.charCodeAt(0) & 0x1f);
  const others: Record<string, string> = {
    ' ': '\0',
    '@': '\0',
    '2': '\0',
    '[': '\x1b',
    '3': '\x1b',
    '\\': '\x1c',
    '4': '\x1c',
    ']': '\x1d',
    '5': '\x1d',
    '^': '\x1e',
    '6': '\x1e',
    _: '\x1f',
    '7': '\x1f',
    '/': '\x1f',
    '?': '\x7f',
    '8': '\x7f',
  };
  return others[key] ?? null;
}
