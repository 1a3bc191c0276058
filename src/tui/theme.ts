// Every colour herd draws, by name: dark and light values, each with the palette entry that stands in for it on a 256-colour
// terminal; those of sixteen colours are in theme-sixteen.ts. No state is told by colour alone; a pane's plain ground and text are always the outer terminal's own.
import type { ColorDepth } from '../compositor/colors.ts';
import { COLOR_DEFAULT, COLOR_PALETTE, COLOR_RGB } from '../model/cell.ts';
import { SIXTEEN, type Sixteen } from './theme-sixteen.ts';

/** One colour's four values: true colour (0xRRGGBB) and palette index (0-255), on a dark and on a light ground. */
type Values = readonly [darkRgb: number, darkIndex: number, lightRgb: number, lightIndex: number];

/** Inks that change several times a line of code: from the palette on every terminal, half the bytes of a true colour. */
const PALETTE_INKS: ReadonlySet<string> = new Set([
  ...['keyword', 'string', 'literal', 'comment', 'function', 'type', 'property', 'tag', 'number', 'added', 'removed'],
]);

const VALUES = {
  // Chrome
  muted: [0x9099a6, 247, 0x5c6670, 241],
  faint: [0x5b6470, 241, 0xa5adb6, 248],
  border: [0x454d58, 239, 0xc4cad1, 251],
  borderFocus: [0x6ea8e6, 74, 0x2f6fb5, 25],
  bar: [0x1d2229, 235, 0xe6e9ed, 254],
  barText: [0xb6bec9, 250, 0x3d454e, 238],
  key: [0xe0c27a, 179, 0x8a5a00, 94],
  selected: [0x26303c, 237, 0xd9e4f2, 189],
  error: [0xff6b5e, 203, 0xb3261e, 124],
  warning: [0xe8b34c, 179, 0x8f5f00, 94],
  success: [0x6fc276, 114, 0x1f7a34, 28],
  link: [0x74b2ef, 75, 0x1f61a8, 25],
  // Agent states: the accent means "needs you" and nothing else.
  accent: [0xff7a45, 209, 0xc2410c, 130],
  accentGround: [0x3a2118, 52, 0xfde4d6, 224],
  done: [0x6cb0ff, 75, 0x1d5fbf, 26],
  working: [0xe5c453, 185, 0x7d6200, 94],
  limited: [0xd18ae0, 176, 0x8e34a3, 90],
  // Diff: signs and numbers, grounds of lines and of changed words
  added: [0x6fc276, 114, 0x1f7a34, 28],
  removed: [0xf0776c, 210, 0xb3261e, 124],
  addedGround: [0x13271a, 22, 0xe3f5e6, 194],
  removedGround: [0x2e1719, 52, 0xfce8e6, 224],
  addedWord: [0x1f5130, 28, 0xaee3b8, 157],
  removedWord: [0x6b2329, 88, 0xf7bdb7, 217],
  movedGround: [0x1b2340, 17, 0xe4e7fb, 189],
  number: [0x66707c, 244, 0x8b949e, 246],
  hunk: [0x7f9fc4, 110, 0x3f6590, 60],
  gap: [0x76808c, 243, 0x6b747d, 242],
  fileGround: [0x232a33, 236, 0xe1e6ec, 254],
  current: [0x2b3542, 238, 0xd5e2f1, 189],
  currentBar: [0x6ea8e6, 74, 0x2f6fb5, 25],
  selection: [0x2f4a70, 24, 0xbcd6f5, 153],
  search: [0x5c4a12, 58, 0xf7e3a1, 222],
  searchCurrent: [0xa67c00, 136, 0xf2c230, 220],
  symbol: [0xc58af0, 141, 0x7b34b0, 91],
  note: [0xd2b46a, 179, 0x7d5a00, 94],
  conflict: [0xff7a45, 209, 0xc2410c, 166],
  committed: [0x9099a6, 247, 0x5c6670, 241],
  staged: [0x6fc276, 114, 0x1f7a34, 28],
  unstaged: [0xe8b34c, 179, 0x8f5f00, 94],
  untracked: [0x6cb0ff, 75, 0x1d5fbf, 26],
  commentUser: [0x6cb0ff, 75, 0x1d5fbf, 26],
  commentAgent: [0xc58af0, 141, 0x7b34b0, 91],
  commentDone: [0x6fc276, 114, 0x1f7a34, 28],
  // Syntax
  keyword: [0xd891c9, 176, 0x97267f, 90],
  string: [0xa8c98a, 150, 0x2d6a1e, 22],
  literal: [0xe3a877, 180, 0x9a4a00, 130],
  comment: [0x7d8794, 244, 0x6a737d, 242],
  function: [0x82b7f2, 111, 0x1c5aa6, 25],
  type: [0x6fc7c0, 80, 0x0f6b66, 23],
  property: [0xa9c3e6, 152, 0x274b7a, 24],
  tag: [0xf08a82, 210, 0xa8332a, 124],
} as const satisfies Record<string, Values>;

export type ColorName = keyof typeof VALUES;

export interface Theme {
  dark: boolean;
  colors: ColorDepth;
  /** As in words 1-3 of a cell. */
  paint: Readonly<Record<ColorName, number>>;
}

/** The theme for an outer terminal with a dark or light ground and so many colours. */
export function createTheme(outer: { dark: boolean; colors: ColorDepth }): Theme {
  const names = Object.keys(VALUES) as ColorName[];
  const paint = Object.fromEntries(names.map((name) => [name, resolve(name, outer)])) as Record<ColorName, number>;
  return { ...outer, paint };
}

/** A cell colour for a name, or the terminal's default colour for null. */
export function cellColor(theme: Theme, name: ColorName | null): number {
  return name === null ? COLOR_DEFAULT : theme.paint[name];
}

function resolve(name: ColorName, { dark, colors }: { dark: boolean; colors: ColorDepth }): number {
  if (colors === '16') {
    const [onDark, onLight]: Sixteen = SIXTEEN[name];
    const index = dark ? onDark : onLight;
    return index === null ? COLOR_DEFAULT : COLOR_PALETTE | index;
  }
  const values: Values = VALUES[name];
  const [rgb, index] = dark ? [values[0], values[1]] : [values[2], values[3]];
  return colors === 'true' && !PALETTE_INKS.has(name) ? COLOR_RGB | rgb : COLOR_PALETTE | index;
}
