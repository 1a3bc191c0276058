// Names of the keys behind the numbers and letters of terminal protocols. Data only.

/** CSI letter and SS3 letter finals shared by all terminals. */
export const LETTER_KEYS: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'kpbegin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** SS3 finals of the application keypad (VT100, xterm). */
export const KEYPAD_LETTERS: Record<string, string> = {
  M: 'kpenter',
  X: 'kpequal',
  j: 'kpmultiply',
  k: 'kpadd',
  l: 'kpseparator',
  m: 'kpsubtract',
  n: 'kpdecimal',
  o: 'kpdivide',
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [String.fromCharCode(112 + i), `kp${i}`])),
};

/** `CSI n ~` (VT220, xterm, rxvt). */
export const TILDE_KEYS: Record<number, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
  25: 'f13',
  26: 'f14',
  28: 'f15',
  29: 'menu',
  31: 'f17',
  32: 'f18',
  33: 'f19',
  34: 'f20',
  57427: 'kpbegin',
};

/** Linux console: `CSI [ A` to `E`. */
export const CONSOLE_KEYS: Record<string, string> = { A: 'f1', B: 'f2', C: 'f3', D: 'f4', E: 'f5' };

/** Functional keys of the kitty keyboard protocol, `CSI n u` (its table "Functional key definitions"): 57358-57363, then 57376-57454. */
const KITTY_LOCKS = 'capslock scrolllock numlock printscreen pause menu'.split(' ');
const KITTY_ROW = [
  Array.from({ length: 23 }, (_, i) => `f${i + 13}`).join(' '),
  Array.from({ length: 10 }, (_, i) => `kp${i}`).join(' '),
  'kpdecimal kpdivide kpmultiply kpsubtract kpadd kpenter kpequal kpseparator',
  'kpleft kpright kpup kpdown kppageup kppagedown kphome kpend kpinsert kpdelete kpbegin',
  'mediaplay mediapause mediaplaypause mediareverse mediastop mediafastforward mediarewind mediatracknext mediatrackprevious mediarecord',
  'lowervolume raisevolume mutevolume',
  'leftshift leftcontrol leftalt leftsuper lefthyper leftmeta rightshift rightcontrol rightalt rightsuper righthyper rightmeta',
  'isolevel3shift isolevel5shift',
]
  .join(' ')
  .split(' ');

export const KITTY_KEYS: ReadonlyMap<number, string> = new Map([
  [27, 'escape'],
  [13, 'enter'],
  [9, 'tab'],
  [127, 'backspace'],
  ...KITTY_LOCKS.map((name, i): [number, string] => [57358 + i, name]),
  ...KITTY_ROW.map((name, i): [number, string] => [57376 + i, name]),
]);

/** Text that a keypad key types; the others type none. */
export const KEYPAD_TEXT: Record<string, string> = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`kp${i}`, String(i)])),
  kpdecimal: '.',
  kpdivide: '/',
  kpmultiply: '*',
  kpsubtract: '-',
  kpadd: '+',
  kpequal: '=',
  kpseparator: ',',
};
