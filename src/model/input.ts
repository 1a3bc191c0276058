// What a person does, as decoded from the outer terminal and sent to the server: keys, mouse, paste, focus. No bytes here.

/** Modifier bits as in the kitty keyboard protocol (value on the wire is bits + 1 there). */
export const SHIFT = 1;
export const ALT = 2;
export const CTRL = 4;
export const SUPER = 8;
// 16 is hyper, which nothing here asks about.
export const META = 32;
export const CAPS_LOCK = 64;
export const NUM_LOCK = 128;

/**
 * One key. `key` is the character it types without modifiers ('a', 'é', ' ') or a name: escape enter tab backspace insert delete left right
 * up down pageup pagedown home end f1…f35 capslock scrolllock numlock printscreen pause menu, kp0…kp9 kpdecimal kpdivide kpmultiply
 * kpsubtract kpadd kpenter kpequal kpseparator kpleft … kpbegin, media and modifier keys as in the kitty protocol's table, lower case.
 */
export interface KeyEvent {
  type: 'key';
  key: string;
  /** Modifier bits. */
  mods: number;
  action: 'press' | 'repeat' | 'release';
  /** Text the key produced, if any ('A' for shift+a); IME commits arrive as key '' with text only. */
  text?: string;
  /** The key with shift, and the key of a US layout at this place, where the outer terminal says so. */
  shifted?: string;
  base?: string;
}

/** Mouse in cells from the top left of the pane (client: of the screen), 0-based. */
export interface MouseEvent {
  type: 'mouse';
  action: 'press' | 'release' | 'move';
  button: 'left' | 'middle' | 'right' | 'wheelup' | 'wheeldown' | 'wheelleft' | 'wheelright' | 'back' | 'forward' | 'none';
  mods: number;
  x: number;
  y: number;
}

/** Pasted text as it came, line breaks included; never trusted. */
export interface PasteEvent {
  type: 'paste';
  text: string;
}

export interface FocusEvent {
  type: 'focus';
  focused: boolean;
}

export type InputEvent = KeyEvent | MouseEvent | PasteEvent | FocusEvent;
