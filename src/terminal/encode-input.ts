// An input event as the bytes it is for a program, by the modes of its screen.
import type { InputEvent } from '../model/input.ts';
import { encodeKey } from './encode-key.ts';
import { encodeMouse } from './encode-mouse.ts';
import { encodePaste } from './encode-paste.ts';
import type { InputModes } from './modes.ts';

/** Null when it means nothing to the program. */
export function encodeInput(event: InputEvent, modes: InputModes): Uint8Array | null {
  switch (event.type) {
    case 'key':
      return toBytes(encodeKey(event, modes), 'utf8');
    case 'mouse':
      return toBytes(encodeMouse(event, modes), 'latin1');
    case 'paste':
      return toBytes(encodePaste(event.text, modes.bracketedPaste), 'utf8');
    case 'focus':
      return modes.focusEvents ? toBytes(event.focused ? '\x1b[I' : '\x1b[O', 'latin1') : null;
  }
}

function toBytes(text: string, encoding: 'utf8' | 'latin1'): Uint8Array | null {
  return text === '' ? null : Buffer.from(text, encoding);
}
