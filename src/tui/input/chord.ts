// A chord: one key with modifiers as a word, 'ctrl+b', 'A', '?', 'shift+tab', 'space'. Turns key events into chords and back into
// what people read. Printable characters stand for themselves: 'A' is what types A, whatever keyboard it takes.
import { ALT, CTRL, type KeyEvent, META, SHIFT, SUPER } from '../../model/input.ts';

const FUNCTION_KEYS = Array.from({ length: 24 }, (_, i) => `f${i + 1}`);
const NAMED = new Set([
  ...'escape enter tab backspace insert delete left right up down pageup pagedown home end space'.split(' '),
  ...FUNCTION_KEYS,
]);
const MODS: [bit: number, word: string][] = [
  [CTRL, 'ctrl'],
  [ALT | META, 'alt'],
  [SUPER, 'super'],
  [SHIFT, 'shift'],
];
const ALIASES: Record<string, string> = { esc: 'escape', return: 'enter', del: 'delete', pgup: 'pageup', pgdn: 'pagedown' };
const MOD_ALIASES: Record<string, string> = { control: 'ctrl', meta: 'alt', option: 'alt', cmd: 'super' };

/** The chord of a key press or repeat; null for releases, modifier keys alone and input-method text. */
export function chordOf(event: KeyEvent): string | null {
  if (event.action === 'release' || event.key === '') return null;
  const plain = (event.mods & (CTRL | ALT | META | SUPER)) === 0;
  if (plain && event.text && isPrintable(event.text)) return event.text === ' ' ? 'space' : event.text;
  const key = event.key === ' ' ? 'space' : mainKey(event.key);
  if (!NAMED.has(key) && !isPrintable(key)) return null;
  if (plain && !NAMED.has(key)) return event.mods & SHIFT ? (event.shifted ?? key.toUpperCase()) : key;
  const mods = MODS.filter(([bit]) => event.mods & bit).map(([, word]) => word);
  return [...mods, key].join('+');
}

/** 'kpenter' and its like, which nobody binds apart from the main key. */
function mainKey(key: string): string {
  const name = key.startsWith('kp') ? key.slice(2) : key;
  return NAMED.has(name) || /^[0-9]$/.test(name) ? name : key;
}

function isPrintable(text: string): boolean {
  return [...text].length === 1 && text >= ' ' && text !== '\x7f';
}

/** The chord in canonical spelling, or null when it names no key. */
export function parseChord(text: string): string | null {
  if (isPrintable(text)) return text === ' ' ? 'space' : text;
  const [words, key] = splitChord(text.trim());
  const lower = key.toLowerCase();
  const name = ALIASES[lower] ?? (NAMED.has(lower) ? lower : key);
  if (!NAMED.has(name) && !isPrintable(name)) return null;
  const named = words.map((word) => MOD_ALIASES[word.toLowerCase()] ?? word.toLowerCase());
  if (new Set(named).size !== named.length || named.some((word) => !MODS.some(([, mod]) => mod === word))) return null;
  const mods = MODS.filter(([, word]) => named.includes(word)).map(([, word]) => word);
  if (NAMED.has(name)) return [...mods, name].join('+');
  if (mods.join() === 'shift') return name.toUpperCase();
  return [...mods, mods.length > 0 ? name.toLowerCase() : name].join('+');
}

/** Modifier words and the key; the key may be '+' itself. */
function splitChord(chord: string): [words: string[], key: string] {
  if (chord === '+') return [[], '+'];
  if (chord.endsWith('++')) return [chord.slice(0, -2).split('+'), '+'];
  const words = chord.split('+');
  const key = words.pop() ?? '';
  return [words, key];
}

const SIGNS: Record<string, string> = {
  left: '←',
  right: '→',
  up: '↑',
  down: '↓',
  enter: '⏎',
  escape: 'esc',
  backspace: '⌫',
  delete: 'del',
  pageup: 'pgup',
  pagedown: 'pgdn',
};

/** How help and status bar write it. */
export function chordLabel(chord: string): string {
  const [words, key] = splitChord(chord);
  return [...words, SIGNS[key] ?? key].join('+');
}

/** The press a chord stands for; for sending the prefix itself to a program. */
export function chordEvent(chord: string): KeyEvent {
  const [words, name] = splitChord(chord);
  const key = name === 'space' ? ' ' : name;
  if (words.length === 0 && isPrintable(key)) {
    const lower = key.toLowerCase();
    return { type: 'key', key: lower, mods: lower === key ? 0 : SHIFT, action: 'press', text: key };
  }
  const bits: Record<string, number> = { ctrl: CTRL, alt: ALT, super: SUPER, shift: SHIFT };
  return { type: 'key', key, mods: words.reduce((all, word) => all | (bits[word] ?? 0), 0), action: 'press' };
}
