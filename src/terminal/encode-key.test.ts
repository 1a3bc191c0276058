// Keys as bytes, against Ghostty's own encoder for every key, modifier and mode, and by a table where herd says otherwise.
import { describe, expect, test } from 'vitest';
import { loadGhostty } from '../../test/support/ghostty.ts';
import { GHOSTTY_KEYS, ghosttyEncoder } from '../../test/support/ghostty-keys.ts';
import { ALT, CAPS_LOCK, CTRL, type KeyEvent, NUM_LOCK, SHIFT, SUPER } from '../model/input.ts';
import { encodeKey } from './encode-key.ts';
import type { InputModes } from './modes.ts';

const PLAIN: InputModes = {
  applicationCursor: false,
  applicationKeypad: false,
  bracketedPaste: false,
  focusEvents: false,
  mouse: 'none',
  mouseSgr: false,
  alternateScroll: true,
  alternate: false,
  kittyFlags: 0,
  otherKeys: 0,
  otherKeysAsU: false,
};

const SHIFTED = Object.fromEntries(Array.from('1!2@3#4$5%6^7&8*9(0)-_=+[{]}\\|;:\'",<.>/?`~  '.matchAll(/(.)(.)/g), (m) => [m[1]!, m[2]!]));
const KEYPAD: Record<string, string> = { kpadd: '+', kpsubtract: '-', kpmultiply: '*', kpdivide: '/', kpdecimal: '.', kpequal: '=' };
const ALL_MODS = [0, 1, 2, 3, 4, 5, 6, 7, SUPER, SUPER | SHIFT, SUPER | CTRL, CAPS_LOCK, NUM_LOCK, NUM_LOCK | SHIFT];

/** A key press as a terminal with full key reports would tell it, US layout. */
function press(key: string, mods: number, action: KeyEvent['action'] = 'press'): KeyEvent {
  const single = [...key].length === 1;
  const shifted = single ? (SHIFTED[key] ?? key.toUpperCase()) : undefined;
  const upper = (mods & SHIFT) !== 0 || ((mods & CAPS_LOCK) !== 0 && /^[a-z]$/.test(key) && (mods & CTRL) === 0);
  const text = single ? (upper ? shifted : key) : /^kp\d$/.test(key) ? key[2] : KEYPAD[key];
  return { type: 'key', key, mods, action, ...(text && { text }), ...(shifted && shifted !== key && { shifted }) };
}

describe("equals Ghostty's encoder", async () => {
  const ghostty = ghosttyEncoder(await loadGhostty());

  /** Where herd deliberately says otherwise; everything else must be equal. */
  const differs = (event: KeyEvent, modes: InputModes): boolean => {
    const { key, mods } = event;
    // Keys that Ghostty's encoder does not know.
    if (key === 'menu' || key === 'kpseparator' || (key === 'kpequal' && modes.applicationKeypad && modes.kittyFlags === 0)) return true;
    if (modes.kittyFlags !== 0) {
      // It names the text of a keypad key as its shifted key: the protocol means the key with Shift.
      return (modes.kittyFlags & 4) !== 0 && key.startsWith('kp');
    }
    const held = mods & ~(CAPS_LOCK | NUM_LOCK);
    // Shift+Enter without any protocol is LF; Ghostty sends `CSI 27;2;13~`, which programs that asked for nothing type out.
    if ((key === 'enter' && held === SHIFT) || (key === 'kpenter' && held & SHIFT)) return modes.otherKeys === 0;
    // Ctrl+I, Ctrl+M, Ctrl+[ stay Tab, Enter, Escape, and Ctrl+Shift+2 stays NUL, as everywhere else.
    if (['i', 'm', '['].includes(key) && (held & ~ALT) === CTRL) return true;
    if (key === '2' && (held & ~ALT) === (CTRL | SHIFT)) return true;
    return key === 'backspace' && held === (CTRL | ALT | SHIFT);
  };

  const modes: [string, InputModes][] = [
    ['legacy', PLAIN],
    ['application cursor', { ...PLAIN, applicationCursor: true }],
    ['application keypad', { ...PLAIN, applicationKeypad: true }],
    ['modifyOtherKeys 2', { ...PLAIN, otherKeys: 2 }],
    ...Array.from({ length: 31 }, (_, i): [string, InputModes] => [`kitty flags ${i + 1}`, { ...PLAIN, kittyFlags: i + 1 }]),
  ];
  test.each(modes)('%s', (_, mode) => {
    const wrong: string[] = [];
    for (const key of Object.keys(GHOSTTY_KEYS)) {
      for (const mods of ALL_MODS) {
        for (const action of ['press', 'repeat', 'release'] as const) {
          if (action !== 'press' && mode.kittyFlags === 0) continue;
          const event = press(key, mods, action);
          const ours = encodeKey(event, mode);
          const theirs = ghostty(event, mode);
          if (ours !== theirs && !differs(event, mode)) wrong.push(`${action} ${key} ${mods}: ${JSON.stringify([ours, theirs])}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

const kitty = (flags: number): InputModes => ({ ...PLAIN, kittyFlags: flags });
test.each<[string, KeyEvent, InputModes, string]>([
  ['shift+enter, nothing asked', press('enter', SHIFT), PLAIN, '\n'],
  ['shift+enter, kitty 1', press('enter', SHIFT), kitty(1), '\x1b[13;2u'],
  ['shift+enter, modifyOtherKeys 1', press('enter', SHIFT), { ...PLAIN, otherKeys: 1 }, '\x1b[27;2;13~'],
  ['shift+enter, modifyOtherKeys 2 as u', press('enter', SHIFT), { ...PLAIN, otherKeys: 2, otherKeysAsU: true }, '\x1b[13;2u'],
  ['alt+enter', press('enter', ALT), PLAIN, '\x1b\r'],
  ['ctrl+j', press('j', CTRL), PLAIN, '\n'],
  ['ctrl+j, kitty', press('j', CTRL), kitty(1), '\x1b[106;5u'],
  ['ctrl+i', press('i', CTRL), PLAIN, '\t'],
  ['ctrl+[', press('[', CTRL), PLAIN, '\x1b'],
  ['escape', press('escape', 0), PLAIN, '\x1b'],
  ['escape, kitty', press('escape', 0), kitty(1), '\x1b[27u'],
  ['a commit of an input method', { type: 'key', key: '', mods: 0, action: 'press', text: '한국' }, kitty(1), '한국'],
  ['the same with all keys and text', { type: 'key', key: '', mods: 0, action: 'press', text: '한' }, kitty(25), '\x1b[0;;54620u'],
  ['f13', press('f13', 0), kitty(1), '\x1b[57376u'],
  ['é', { type: 'key', key: 'é', mods: 0, action: 'press', text: 'é' }, PLAIN, 'é'],
  ['alt+é', { type: 'key', key: 'é', mods: ALT, action: 'press' }, PLAIN, '\x1bé'],
  ['a release nobody asked for', press('a', 0, 'release'), kitty(1), ''],
  ['a base layout key', { type: 'key', key: 'с', mods: CTRL, action: 'press', base: 'c' }, kitty(5), '\x1b[1089::99;5u'],
])('%s', (_, event, modes, expected) => expect(encodeKey(event, modes)).toBe(expected));
