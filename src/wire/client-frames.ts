// Binary frames between server and drawing client, beside the JSON ones of connection.ts.
import type { InputEvent, KeyEvent } from '../model/input.ts';
import { FrameError } from './frame.ts';
import { ByteReader, ByteWriter } from './varint.ts';

export const ClientFrame = {
  /** Server to client; channel is the view's number, payload as DiffEncoder writes it. */
  screen: 16,
  /** Client to server; channel is the terminal's id, payload as `encodeKeys` writes it: `terminal.input` of nothing but keys, which people wait for. */
  keys: 17,
} as const;

const ACTIONS: KeyEvent['action'][] = ['press', 'repeat', 'release'];
// Bits of an event's first byte above its action: which of the optional texts follow the key.
const TEXT = 4;
const SHIFTED = 8;
const BASE = 16;
/** Longest text of one key, characters: what an input method commits at once. */
const MAX_TEXT = 256;
/** Events of one frame: what one read of a tty can hold. */
const MAX_KEYS = 65_536;

/** They can go as a frame of keys: all are keys, and their texts fit. */
export function isKeys(events: readonly InputEvent[]): events is readonly KeyEvent[] {
  return events.every((event) => event.type === 'key' && (event.text?.length ?? 0) <= MAX_TEXT);
}

/** Each key as a byte of action and bits, a byte of modifiers, and its texts. */
export function encodeKeys(events: readonly KeyEvent[]): Buffer {
  const out = new ByteWriter();
  for (const { action, mods, key, text, shifted, base } of events) {
    const bits = (text === undefined ? 0 : TEXT) | (shifted === undefined ? 0 : SHIFTED) | (base === undefined ? 0 : BASE);
    out.byte(ACTIONS.indexOf(action) | bits);
    out.byte(mods);
    out.text(key);
    if (text !== undefined) out.text(text);
    if (shifted !== undefined) out.text(shifted);
    if (base !== undefined) out.text(base);
  }
  return out.bytes();
}

/** What `encodeKeys` wrote. Throws FrameError on anything else. */
export function decodeKeys(payload: Uint8Array): KeyEvent[] {
  const input = new ByteReader(payload);
  const events: KeyEvent[] = [];
  while (!input.done) {
    const bits = input.byte();
    const action = ACTIONS[bits & 3];
    if (!action || bits > 31 || events.length >= MAX_KEYS) throw new FrameError('keys that are none');
    const event: KeyEvent = { type: 'key', mods: input.byte(), key: input.text(MAX_TEXT), action };
    if (bits & TEXT) event.text = input.text(MAX_TEXT);
    if (bits & SHIFTED) event.shifted = input.text(MAX_TEXT);
    if (bits & BASE) event.base = input.text(MAX_TEXT);
    events.push(event);
  }
  return events;
}
