// One key as the bytes its program expects, by that program's modes: legacy VT, modifyOtherKeys, or the kitty keyboard protocol.
// Pure; the decoder of what people press stands elsewhere and does the opposite.
import { ALT, CTRL, type KeyEvent, META, SHIFT, SUPER } from '../model/input.ts';
import { encodeKitty } from './encode-kitty.ts';
import { CONTROLS, CURSOR_KEYS, FUNCTION_KEYS, KEYPAD, SS3_KEYS } from './key-codes.ts';
import type { InputModes } from './modes.ts';

/** Modifiers that legacy sequences can carry; the wire value is bits + 1 there as in kitty's. */
const LEGACY_MODS = SHIFT | ALT | CTRL | SUPER | META;

/** The bytes (as text; UTF-8 on the wire), or '' when this key sends nothing. */
export function encodeKey(event: KeyEvent, modes: InputModes): string {
  if (modes.kittyFlags !== 0) return encodeKitty(event, modes.kittyFlags);
  if (event.action === 'release') return '';
  if (event.key === '') return event.text ?? '';
  const mods = event.mods & LEGACY_MODS;
  return functionKey(event.key, mods, modes) ?? namedKey(event.key, mods, modes) ?? character(event, mods, modes);
}

/** Arrows, editing keys and F1-F12, wherever they stand on the keyboard; null for other keys. */
function functionKey(key: string, mods: number, modes: InputModes): string | null {
  const pad = KEYPAD[key];
  const name = pad?.as ?? key;
  const known = FUNCTION_KEYS[name];
  if (!known) return null;
  // F3 with modifiers as a letter would be a cursor position report.
  if (mods !== 0) return name === 'f3' ? `\x1b[13;${mods + 1}~` : `\x1b[${known.number};${mods + 1}${known.final}`;
  if (known.final === '~') return `\x1b[${known.number}~`;
  const ss3 = SS3_KEYS.has(name) || (modes.applicationCursor && CURSOR_KEYS.has(name));
  return `${ss3 ? '\x1bO' : '\x1b['}${known.final}`;
}

/** Enter, Tab, Escape, Backspace and the keypad in application mode; null for other keys. */
function namedKey(key: string, mods: number, modes: InputModes): string | null {
  const pad = KEYPAD[key];
  if (pad?.letter && modes.applicationKeypad) return `\x1bO${mods === 0 ? '' : mods + 1}${pad.letter}`;
  if (key === 'kpenter') return mods & SHIFT && modes.otherKeys === 0 ? '\n' : '\r';
  const code = NAMED[key];
  if (code === undefined) return null;
  if (mods === 0) return String.fromCharCode(code);
  if (key === 'backspace') return backspace(mods, modes);
  if (
    modes.otherKeys !== 0 &&
    (modes.otherKeys === 2 || key !== 'tab' || mods !== SHIFT) &&
    (mods !== ALT || (modes.otherKeys === 2 && key !== 'escape'))
  ) {
    return other(code, mods, modes);
  }
  if (mods === ALT) return `\x1b${String.fromCharCode(code)}`;
  if (key === 'tab' && mods === SHIFT) return '\x1b[Z';
  // Shift+Enter is a new line to every agent: one that asked for no key protocol gets LF (Ctrl+J), never CR, which sends.
  if (key === 'enter' && mods === SHIFT) return '\n';
  return `\x1b[27;${mods + 1};${code}~`;
}

/** With Ctrl they are Tab, Enter and Escape; level 2 of modifyOtherKeys tells them apart. */
const AMBIGUOUS = new Set(['i', 'm', '[']);
const NAMED: Readonly<Record<string, number>> = { enter: 13, tab: 9, escape: 27, backspace: 127 };

function backspace(mods: number, modes: InputModes): string {
  if (modes.otherKeys === 2 && mods !== CTRL) return other(127, mods, modes);
  return `${mods & (ALT | META) ? '\x1b' : ''}${mods & CTRL ? '\b' : '\x7f'}`;
}

/** A key that types a character: its C0 control, its extended form, or its text. */
function character(event: KeyEvent, mods: number, modes: InputModes): string {
  const typed = typedBy(event, mods);
  if (typed === '') return '';
  const prefix = mods & (ALT | META) ? '\x1b' : '';
  const letter = /^[A-Z]$/.test(typed);
  if (mods & CTRL) {
    // Shift that only made the sign (Ctrl+Shift+2 is Ctrl+@) does not count; with a letter it does.
    const kept = mods & ~(ALT | META) & (letter ? ~0 : ~SHIFT);
    const control = kept === CTRL && !(modes.otherKeys === 2 && AMBIGUOUS.has(typed)) ? controlOf(typed) : null;
    if (control !== null) return prefix + control;
  }
  const code = typed.codePointAt(0)!;
  // As in xterm, Shift alone is told of with letters, the signs above them, and space.
  const told = code >= 0x40 || code === 0x20 ? mods : mods & ~SHIFT;
  if (modes.otherKeys === 2 && told !== 0) return other(code, mods, modes);
  if (mods & CTRL) {
    // No control of its own: `CSI code ; mods u` (fixterms, libtickit), as Ghostty sends it unasked.
    const said = (mods & (CTRL | ALT)) | (letter ? SHIFT : 0);
    return modes.otherKeys === 1 ? other(code, mods, modes) : `\x1b[${letter ? code + 32 : code};${said + 1}u`;
  }
  return prefix + typed;
}

/** `CSI 27 ; mods ; code ~`, or `CSI code ; mods u` where the program asked for that form (xterm's formatOtherKeys). */
function other(code: number, mods: number, modes: InputModes): string {
  return modes.otherKeysAsU ? `\x1b[${code};${mods + 1}u` : `\x1b[27;${mods + 1};${code}~`;
}

/** The text of a key with Shift and Caps Lock, without the other modifiers; '' for a key that types none. */
function typedBy(event: KeyEvent, mods: number): string {
  const { key, text } = event;
  const pad = KEYPAD[key];
  if (pad) return pad.text ?? '';
  if ([...key].length !== 1) return '';
  if (text !== undefined && text >= ' ' && text !== '\x7f') return text;
  return mods & SHIFT ? (event.shifted ?? key.toUpperCase()) : key;
}

/** The C0 control that Ctrl makes of a character, or null. */
function controlOf(typed: string): string | null {
  if (/^[a-z]$/.test(typed)) return String.fromCharCode(typed.charCodeAt(0) & 0x1f);
  return CONTROLS[typed] ?? null;
}
