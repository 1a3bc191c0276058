// Every sequence in every state: screens to start from, cursor places, settings, and the sequences that are tried on each. Written from
// the standards (ECMA-48, DEC STD 070, xterm's ctlseqs), tables of strings only.

/** Rows of letters, each another one, with a wide character and a wrapped row among them. */
export function filled(cols: number, rows: number): string {
  let out = '\x1b[H';
  for (let y = 0; y < rows; y++) {
    const letter = String.fromCharCode(65 + (y % 26));
    const row = y === 2 ? `中${letter.repeat(cols - 2)}` : letter.repeat(cols - (y % 4 === 3 ? 5 : 0));
    out += `\x1b[${31 + (y % 7)}m${row}${y < rows - 1 && y !== 4 ? '\r\n' : ''}`;
  }
  return `${out}\x1b[m`;
}

/** Where the cursor stands; `wrap` is behind the last column, with a wrap pending. */
export function places(cols: number, rows: number): Record<string, string> {
  return {
    home: '\x1b[H',
    middle: `\x1b[${rows >> 1};${cols >> 1}H`,
    'last column': `\x1b[3;${cols}H`,
    wrap: `\x1b[4;${cols}Hw`,
    'wrap at the bottom': `\x1b[${rows};${cols}Hw`,
    bottom: `\x1b[${rows};3H`,
    'in a wide character': '\x1b[3;2H',
    'after a colour': '\x1b[5;7H\x1b[44;4;1m',
  };
}

export const SETTINGS: Record<string, string> = {
  plain: '',
  margins: '\x1b[3;7r',
  'margins and origin': '\x1b[3;7r\x1b[?6h',
  insert: '\x1b[4h',
  'no wrap': '\x1b[?7l',
  'reverse wrap': '\x1b[?45h',
  alternate: '\x1b[?1049h',
  graphics: '\x1b(0',
  newline: '\x1b[20h',
  protected: '\x1b[1"qPROTECTED\x1b[0"q',
};

const COUNTED = [
  '@',
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  'G',
  'I',
  'L',
  'M',
  'P',
  'S',
  'T',
  'X',
  'Z',
  '`',
  'a',
  'b',
  'd',
  'e',
  ' @',
  ' A',
  "'}",
  "'~",
];
const COUNTS = ['', '0', '1', '3', '9', '500'];
const SELECTORS: Record<string, string[]> = {
  J: ['', '0', '1', '2', '3'],
  '?J': ['0', '1', '2'],
  K: ['', '0', '1', '2'],
  '?K': ['0', '1', '2'],
  g: ['', '0', '3'],
  H: ['', '0;0', '2', ';4', '500;500', '4;2'],
  f: ['3;3'],
  r: ['', '2;5', '5;2', '4;4', '0;0', '3;500'],
  h: ['4', '20'],
  l: ['4', '20'],
  '?h': ['1', '5', '6', '7', '25', '45', '47', '66', '1047', '1048', '1049', '2026'],
  '?l': ['6', '7', '25', '45', '47', '1047', '1048', '1049'],
  '!p': [''],
  '"q': ['0', '1', '2'],
  ' q': ['0', '3', '5'],
  m: [
    '',
    '0',
    '1',
    '2',
    '3',
    '4',
    '4:3',
    '4:0',
    '5',
    '7',
    '8',
    '9',
    '21',
    '22',
    '27',
    '29',
    '31',
    '91',
    '39',
    '48;5;300',
    '38;2;1;2;3',
    '48:2::1:2:3',
    '38:5:9',
    '58:5:1',
    '59',
    '53',
    '55',
  ],
  s: [''],
  u: [''],
  n: ['5', '6'],
  t: ['8;5;5', '22', '23'],
  x: [''],
  $r: ['1;1;3;3;1'],
  $z: ['1;1;3;3'],
};
const ESCAPES = [
  '7',
  '8',
  '7\x1b[H\x1b[mmoved\x1b8',
  'D',
  'E',
  'M',
  'H',
  'c',
  '=',
  '>',
  'N',
  'O',
  'n',
  'o',
  '|',
  '}',
  '~',
  '(A',
  '(0',
  '(B',
  ')0',
  '*0',
  '+0',
  '-A',
  '#3',
  '#8',
  '%G',
  '%@',
  ' F',
  'Z',
  '6',
  '9',
  '\\',
];
const CONTROLS = [
  '\0',
  '\x05',
  '\x07',
  '\b',
  '\b\b\b',
  '\t',
  '\t\t',
  '\n',
  '\v',
  '\f',
  '\r',
  '\x0e',
  '\x0f',
  '\x18',
  '\x1a',
  '\x7f',
  '\u0084',
  '\u0085',
  '\u0088',
  '\u008d',
  '\r\n\n\n',
];
const TEXTS = [
  'x',
  'xy',
  '中',
  '中中',
  'é',
  'e\u0301',
  '\u0301',
  '👩‍👩‍👧',
  '🇩🇪',
  '⚠️',
  'x\x1b[2b',
  '中\x1b[3b',
  'wrap'.repeat(12),
  'a\tb',
  'x\by',
  'q\x1b[Dz',
];
const STRINGS = [
  '\x1b]2;title\x07',
  '\x1b]8;;https://a.example/\x1b\\link\x1b]8;;\x1b\\',
  '\x1bP1$r0m\x1b\\',
  '\x1b_Gq\x1b\\',
  '\x1b^pm\x1b\\',
  '\x1bXsos\x1b\\',
  '\x1b]9;hello\x07',
  '\x1b[1;2;3;4;5;6;7;8;9;10x',
  '\x1b[<1;2;3z',
  '\x1b[3\x18x',
  '\x1b[3\x1b[2D',
  '\x1b[3\n4D',
  '\x1b]2;open\x18y',
  '\u009b2D',
  '\x1b[:3m',
  '\x1b[3 z',
];

/** All sequences that are tried. */
export function sequences(): string[] {
  const counted = COUNTED.flatMap((final) => COUNTS.map((count) => csi(count, final)));
  const selected = Object.entries(SELECTORS).flatMap(([final, values]) => values.map((value) => csi(value, final)));
  return [...counted, ...selected, ...ESCAPES.map((final) => `\x1b${final}`), ...CONTROLS, ...TEXTS, ...STRINGS];
}

/** `?` before a final stands before the parameters. */
function csi(params: string, final: string): string {
  const own = final.startsWith('?') ? '?' : '';
  return `\x1b[${own}${params}${final.slice(own.length)}`;
}
