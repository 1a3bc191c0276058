// Ghostty's key encoder driven with herd's key events: the same key and modes should give the same bytes.
import type { KeyEvent } from '../../src/model/input.ts';
import type { InputModes } from '../../src/terminal/modes.ts';
import type { GhosttyCore } from './ghostty.ts';

/** Ghostty's key numbers (its enum Key) for the keys the tests press. */
const CHARACTERS = '`\\[],0123456789=';
export const GHOSTTY_KEYS: Record<string, number> = {
  ...Object.fromEntries(Array.from(CHARACTERS, (key, i) => [key, i + 1])),
  ...Object.fromEntries(Array.from({ length: 26 }, (_, i) => [String.fromCharCode(97 + i), 20 + i])),
  ...{ '-': 46, '.': 47, "'": 48, ';': 49, '/': 50 },
  ...{ leftalt: 51, rightalt: 52, backspace: 53, capslock: 54, menu: 55, leftcontrol: 56, rightcontrol: 57, enter: 58 },
  ...{ leftsuper: 59, rightsuper: 60, leftshift: 61, rightshift: 62, ' ': 63, tab: 64, delete: 68, end: 69, home: 71, insert: 72 },
  ...{ pagedown: 73, pageup: 74, down: 75, left: 76, right: 77, up: 78, numlock: 79 },
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`kp${i}`, 80 + i])),
  ...{ kpadd: 90, kpseparator: 94, kpdecimal: 95, kpdivide: 96, kpenter: 97, kpequal: 98, kpmultiply: 104, kpsubtract: 107 },
  ...{ kpup: 109, kpdown: 110, kpright: 111, kpleft: 112, kpbegin: 113, kphome: 114, kpend: 115, kpinsert: 116, kpdelete: 117 },
  ...{ kppageup: 118, kppagedown: 119, escape: 120 },
  ...Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${i + 1}`, 121 + i])),
};

// Ghostty's modifier bits and encoder options.
const MODS: [number, number][] = [
  [1, 1],
  [4, 2],
  [2, 4],
  [8, 8],
  [64, 16],
  [128, 32],
];
const OPTIONS = { cursor: 0, keypad: 1, altEscape: 3, otherKeys2: 4, kitty: 5 };
const ACTIONS = { release: 0, press: 1, repeat: 2 };

export type GhosttyEncode = (event: KeyEvent, modes: InputModes) => string;

/** An encoder by Ghostty. `event.text` must hold what the key types; Shift counts as used up by it. */
export function ghosttyEncoder({ exports: wasm }: GhosttyCore): GhosttyEncode {
  const bytes = () => new Uint8Array(wasm.memory.buffer);
  const pointer = (at: number) => new DataView(wasm.memory.buffer).getUint32(at, true);
  const holder = wasm.ghostty_wasm_alloc_opaque!();
  const byte = wasm.ghostty_wasm_alloc_u8!();
  const buffer = wasm.ghostty_wasm_alloc_u8_array!(256);
  const text = wasm.ghostty_wasm_alloc_u8_array!(64);
  const size = wasm.ghostty_wasm_alloc_usize!();
  wasm.ghostty_key_encoder_new!(0, holder);
  const encoder = pointer(holder);
  const option = (which: number, value: number) => {
    bytes()[byte] = value;
    wasm.ghostty_key_encoder_setopt!(encoder, which, byte);
  };
  return (event, modes) => {
    option(OPTIONS.cursor, Number(modes.applicationCursor));
    option(OPTIONS.keypad, Number(modes.applicationKeypad));
    option(OPTIONS.altEscape, 1);
    option(OPTIONS.otherKeys2, Number(modes.otherKeys === 2));
    option(OPTIONS.kitty, modes.kittyFlags);
    wasm.ghostty_key_event_new!(0, holder);
    const key = pointer(holder);
    wasm.ghostty_key_event_set_action!(key, ACTIONS[event.action]);
    wasm.ghostty_key_event_set_key!(key, GHOSTTY_KEYS[event.key] ?? 0);
    wasm.ghostty_key_event_set_mods!(
      key,
      MODS.reduce((sum, [ours, theirs]) => sum | (event.mods & ours ? theirs : 0), 0),
    );
    const typed = Buffer.from(event.text ?? '');
    bytes().set(typed, text);
    if (typed.length > 0) wasm.ghostty_key_event_set_utf8!(key, text, typed.length);
    if (typed.length > 0 && event.mods & 1) wasm.ghostty_key_event_set_consumed_mods!(key, 1);
    if ([...event.key].length === 1) wasm.ghostty_key_event_set_unshifted_codepoint!(key, event.key.codePointAt(0)!);
    wasm.ghostty_key_encoder_encode!(encoder, key, buffer, 256, size);
    const out = Buffer.from(bytes().slice(buffer, buffer + pointer(size))).toString();
    wasm.ghostty_key_event_free!(key);
    return out;
  };
}
