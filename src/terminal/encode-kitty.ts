// Keys under the kitty keyboard protocol (sw.kovidgoyal.net/kitty/keyboard-protocol), any set of progressive flags but none.
import { ALT, CAPS_LOCK, type KeyEvent, NUM_LOCK, SHIFT } from '../model/input.ts';
import { FUNCTION_KEYS, KEYPAD, KITTY_NUMBERS, MODIFIER_KEYS } from './key-codes.ts';

// Progressive flags.
const EVENT_TYPES = 2;
const ALTERNATES = 4;
const ALL_KEYS = 8;
const TEXT = 16;

const LOCKS = CAPS_LOCK | NUM_LOCK;
/** Keys that keep their one byte while nothing but locks is held, so that a shell can be typed at after a crash. */
const PLAIN: Record<string, string> = { enter: '\r', tab: '\t', backspace: '\x7f' };
const ACTIONS = { press: 1, repeat: 2, release: 3 } as const;

/** The bytes (as text) for one key; '' when it is not reported. */
export function encodeKitty(event: KeyEvent, flags: number): string {
  const all = (flags & ALL_KEYS) !== 0;
  const release = event.action === 'release';
  if (release && (flags & EVENT_TYPES) === 0) return '';
  if (MODIFIER_KEYS.has(event.key) && !all) return '';
  if (event.key === '') return release ? '' : composed(event, flags);
  if (!all) {
    const plain = PLAIN[event.key];
    if (plain !== undefined && (release || event.mods === 0)) return release ? '' : plain;
    const text = textOf(event);
    if (text !== '' && !release && (event.mods & ~(LOCKS | SHIFT)) === 0) return text;
  }
  return sequence(event, flags);
}

/** Text without a key (an input method committed it). */
function composed(event: KeyEvent, flags: number): string {
  const text = event.text ?? '';
  return (flags & ALL_KEYS) !== 0 && (flags & TEXT) !== 0 && text !== '' ? `\x1b[0;;${codePoints(text)}u` : text;
}

/** What the key types with nothing held but Shift and locks. */
function textOf(event: KeyEvent): string {
  if (event.text !== undefined) return printable(event.text);
  const keypad = KEYPAD[event.key];
  if (keypad) return keypad.text ?? '';
  if (!isCharacter(event.key)) return '';
  return event.mods & SHIFT ? (event.shifted ?? event.key.toUpperCase()) : event.key;
}

function sequence(event: KeyEvent, flags: number): string {
  const { mods } = event;
  const action = flags & EVENT_TYPES ? ACTIONS[event.action] : 1;
  const named = event.key === 'kpbegin' ? undefined : FUNCTION_KEYS[event.key];
  const letter = named !== undefined && named.final !== '~' && event.key !== 'f3';
  // A press needs no type; Ghostty gives one with letters, and programs made for it have seen no other.
  const typed = action !== 1 || (letter && (flags & EVENT_TYPES) !== 0);
  const modifiers = typed ? `${mods + 1}:${action}` : mods !== 0 ? `${mods + 1}` : '';
  // F3 as a letter would be a cursor position report.
  if (event.key === 'f3') return `\x1b[13${modifiers && `;${modifiers}`}~`;
  if (named) {
    const number = named.final === '~' || modifiers ? String(named.number) : '';
    return `\x1b[${number}${modifiers && `;${modifiers}`}${named.final}`;
  }
  const code = KITTY_NUMBERS.get(event.key) ?? (isCharacter(event.key) ? event.key.codePointAt(0)! : 0);
  if (code === 0) return '';
  const text = action !== 3 && (flags & TEXT) !== 0 && (flags & ALL_KEYS) !== 0 ? associated(event) : '';
  const tail = text ? `;${modifiers};${codePoints(text)}` : modifiers && `;${modifiers}`;
  return `\x1b[${code}${alternates(event, flags, mods)}${tail}u`;
}

/** Text that goes with the key code; none when a modifier makes a command of it. */
function associated(event: KeyEvent): string {
  return (event.mods & ~(LOCKS | SHIFT | ALT)) === 0 && (event.mods & ALT) === 0 ? textOf(event) : '';
}

/** `:shifted:base`, each only when it says something new. */
function alternates(event: KeyEvent, flags: number, mods: number): string {
  if ((flags & ALTERNATES) === 0 || !isCharacter(event.key)) return '';
  const typed = event.text !== undefined && isCharacter(event.text) && printable(event.text) ? event.text : undefined;
  const shiftedKey = event.shifted ?? typed;
  const shifted = mods & SHIFT && shiftedKey && shiftedKey !== event.key ? String(shiftedKey.codePointAt(0)) : '';
  const base = event.base && event.base !== event.key ? String(event.base.codePointAt(0)) : '';
  return base ? `:${shifted}:${base}` : shifted && `:${shifted}`;
}

/** One code point (however many UTF-16 units). */
function isCharacter(key: string): boolean {
  return key !== '' && key.length === (key.codePointAt(0)! > 0xffff ? 2 : 1);
}

/** Text with its controls taken out: they are no text to the protocol. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
}

function codePoints(text: string): string {
  return Array.from(text, (character) => character.codePointAt(0)).join(':');
}
