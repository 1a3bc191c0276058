// How keys are numbered and lettered in what programs read: the tables behind encode-key. Data only.

/** A key whose sequence is `CSI 1 ; mods letter` or `CSI number ; mods ~`. */
export interface FunctionKey {
  /** 1 with a letter, else the number before `~`. */
  number: number;
  final: string;
}

const letter = (final: string): FunctionKey => ({ number: 1, final });
const tilde = (number: number): FunctionKey => ({ number, final: '~' });

export const FUNCTION_KEYS: Readonly<Record<string, FunctionKey>> = {
  up: letter('A'),
  down: letter('B'),
  right: letter('C'),
  left: letter('D'),
  home: letter('H'),
  end: letter('F'),
  kpbegin: letter('E'),
  insert: tilde(2),
  delete: tilde(3),
  pageup: tilde(5),
  pagedown: tilde(6),
  f1: letter('P'),
  f2: letter('Q'),
  f3: letter('R'),
  f4: letter('S'),
  f5: tilde(15),
  f6: tilde(17),
  f7: tilde(18),
  f8: tilde(19),
  f9: tilde(20),
  f10: tilde(21),
  f11: tilde(23),
  f12: tilde(24),
};

/** Arrows, Home and End change their introducer with application cursor mode; F1-F4 always have SS3. */
export const CURSOR_KEYS = new Set(['up', 'down', 'right', 'left', 'home', 'end', 'kpbegin']);
export const SS3_KEYS = new Set(['f1', 'f2', 'f3', 'f4']);

/** Keypad keys: the letter after SS3 in application keypad mode, and what they type or stand for otherwise. */
export const KEYPAD: Readonly<Record<string, { letter: string; text?: string; as?: string }>> = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`kp${i}`, { letter: String.fromCharCode(112 + i), text: String(i) }])),
  kpdecimal: { letter: 'n', text: '.' },
  kpdivide: { letter: 'o', text: '/' },
  kpmultiply: { letter: 'j', text: '*' },
  kpsubtract: { letter: 'm', text: '-' },
  kpadd: { letter: 'k', text: '+' },
  kpenter: { letter: 'M', as: 'enter' },
  kpequal: { letter: 'X', text: '=' },
  kpseparator: { letter: 'l', text: ',' },
  kpbegin: { letter: '', as: 'kpbegin' },
  kpleft: { letter: '', as: 'left' },
  kpright: { letter: '', as: 'right' },
  kpup: { letter: '', as: 'up' },
  kpdown: { letter: '', as: 'down' },
  kppageup: { letter: '', as: 'pageup' },
  kppagedown: { letter: '', as: 'pagedown' },
  kphome: { letter: '', as: 'home' },
  kpend: { letter: '', as: 'end' },
  kpinsert: { letter: '', as: 'insert' },
  kpdelete: { letter: '', as: 'delete' },
};

/** Keys that are modifiers themselves; the kitty protocol reports them only with all keys as escape codes. */
const MODIFIER_NAMES =
  'leftshift leftcontrol leftalt leftsuper lefthyper leftmeta rightshift rightcontrol rightalt rightsuper righthyper rightmeta isolevel3shift isolevel5shift';
export const MODIFIER_KEYS = new Set(['capslock', 'scrolllock', 'numlock', ...MODIFIER_NAMES.split(' ')]);

const LOCKS = 'capslock scrolllock numlock printscreen pause menu'.split(' ');
const FROM_57376 = [
  ...Array.from({ length: 23 }, (_, i) => `f${i + 13}`),
  ...Array.from({ length: 10 }, (_, i) => `kp${i}`),
  ...'kpdecimal kpdivide kpmultiply kpsubtract kpadd kpenter kpequal kpseparator'.split(' '),
  ...'kpleft kpright kpup kpdown kppageup kppagedown kphome kpend kpinsert kpdelete kpbegin'.split(' '),
  ...'mediaplay mediapause mediaplaypause mediareverse mediastop mediafastforward mediarewind mediatracknext mediatrackprevious'.split(' '),
  ...'mediarecord lowervolume raisevolume mutevolume'.split(' '),
  ...MODIFIER_NAMES.split(' '),
];

/** Numbers of the kitty protocol's functional keys that go out as `CSI number u`. */
export const KITTY_NUMBERS: ReadonlyMap<string, number> = new Map<string, number>([
  ['escape', 27],
  ['enter', 13],
  ['tab', 9],
  ['backspace', 127],
  ...LOCKS.map((name, i): [string, number] => [name, 57358 + i]),
  ...FROM_57376.map((name, i): [string, number] => [name, 57376 + i]),
]);

/** What Ctrl makes of keys other than letters: C0 controls, and the digits without one. */
export const CONTROLS: Readonly<Record<string, string>> = {
  ' ': '\0',
  '@': '\0',
  '0': '0',
  '1': '1',
  '9': '9',
  '2': '\0',
  '[': '\x1b',
  '3': '\x1b',
  '\\': '\x1c',
  '4': '\x1c',
  ']': '\x1d',
  '5': '\x1d',
  '^': '\x1e',
  '6': '\x1e',
  '~': '\x1e',
  _: '\x1f',
  '7': '\x1f',
  '/': '\x1f',
  '?': '\x7f',
  '8': '\x7f',
};
