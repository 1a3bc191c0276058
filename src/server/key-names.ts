// Keys by their names, as scripts and the agents' rules write them: "enter", "ctrl+c", "shift+tab", "y". Encoded by the screen's modes.
import { ALT, CTRL, type InputEvent, type KeyEvent, META, SHIFT, SUPER } from '../model/input.ts';
import { Refusal } from './refusal.ts';

const MODIFIERS: Record<string, number> = { shift: SHIFT, alt: ALT, ctrl: CTRL, control: CTRL, super: SUPER, cmd: SUPER, meta: META };
const ALIASES: Record<string, string> = {
  esc: 'escape',
  return: 'enter',
  cr: 'enter',
  space: ' ',
  del: 'delete',
  bs: 'backspace',
  pgup: 'pageup',
  pgdn: 'pagedown',
};
const NAMED = new Set(
  'escape enter tab backspace insert delete left right up down pageup pagedown home end capslock scrolllock numlock printscreen pause menu'.split(
    ' ',
  ),
);

/** The key of a name. Throws Refusal for one that is none. */
export function namedKey(name: string): KeyEvent {
  const parts = name.length > 1 ? name.split(/[+](?=.)/) : [name];
  const last = parts.pop()!;
  let mods = 0;
  for (const part of parts) {
    const bit = MODIFIERS[part.toLowerCase()];
    if (bit === undefined) throw unknown(name);
    mods |= bit;
  }
  const word = last.toLowerCase();
  const key = ALIASES[word] ?? word;
  if (last === '') throw unknown(name);
  if ([...last].length === 1) {
    const upper = last !== word && mods === 0;
    return { type: 'key', key: word, mods: upper ? SHIFT : mods, action: 'press', ...(mods & ~SHIFT ? {} : { text: last }) };
  }
  if (key === ' ') return { type: 'key', key, mods, action: 'press', ...(mods & ~SHIFT ? {} : { text: ' ' }) };
  if (!NAMED.has(key) && !/^f([1-9]|[12]\d|3[0-5])$/.test(key) && !/^kp\w+$/.test(key)) throw unknown(name);
  return { type: 'key', key, mods, action: 'press' };
}

/** The bytes of each key for a program in this state; keys that mean nothing to it are left out. */
export function typedKeys(screen: { encode(event: InputEvent): Uint8Array | null }, names: string[]): Uint8Array[] {
  return names.map((name) => screen.encode(namedKey(name))).filter((bytes): bytes is Uint8Array => bytes !== null);
}

function unknown(name: string): Refusal {
  return new Refusal(
    'usage',
    `"${name}" is no key.`,
    'Keys are characters or names, modifiers before them: enter, escape, ctrl+c, shift+tab, f5.',
  );
}
