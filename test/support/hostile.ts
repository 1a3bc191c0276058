// Streams no program would write: every kind of sequence with odd numbers, texts of all widths, things cut off in the middle.
import { createRandom } from './random.ts';

const TEXTS = [
  'a',
  'hello ',
  'The quick brown fox ',
  '中文',
  '日本語テキスト',
  '😀',
  '👨‍👩‍👧',
  '❤️',
  '🇩🇪',
  'e\u0301',
  '\u0301',
  '\u200d',
  '🏽',
  'ﾊﾞ',
  '각',
  '\u00a0',
  '─│┌',
  '\ufe0f',
  'x'.repeat(90),
];
const CONTROLS = ['\r', '\n', '\r\n', '\b', '\t', '\x0b', '\x0c', '\x0e', '\x0f', '\0', '\x7f', '\x84', '\x85', '\x88'];
const FINALS = [
  '@',
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  'G',
  'H',
  'I',
  'J',
  'K',
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
  'f',
  'g',
  'm',
  'r',
  's',
  'u',
  ' @',
  ' A',
  "'}",
  "'~",
  '"q',
  ' q',
  '!p',
];
const MODES = [1, 6, 7, 12, 25, 45, 47, 66, 9, 1000, 1002, 1003, 1004, 1006, 1007, 1047, 1048, 1049, 2004, 2026, 2031];
const SGR = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '4:3',
  '4:5',
  '5',
  '7',
  '8',
  '9',
  '21',
  '22',
  '24',
  '27',
  '31',
  '44',
  '95',
  '103',
  '38;5;200',
  '48;5;17',
  '38;2;1;2;3',
  '48:2::9:8:7',
  '58:5:3',
  '58;2;4;5;6',
  '59',
  '53',
  '55',
  '39',
  '49',
];
const ESCAPES = ['7', '8', 'D', 'E', 'M', 'H', '=', '>', '(0', '(B', ')0', '*A', 'n', 'o', '~', '#8', 'c', '\\', ' F', '%G'];
const STRINGS = [
  '\x1b]0;title ä\x07',
  '\x1b]8;;http://a.example/x\x1b\\',
  '\x1b]8;id=1;https://b.example\x07',
  '\x1b]8;;\x07',
  '\x1b]4;1;#112233\x07',
  '\x1b]7501;state=working\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1b_Ga=q,i=3;AAAA\x1b\\',
  '\x1b]52;c;aGk=\x07',
  '\x1b^pm\x1b\\',
  '\x1b]133;A\x07',
  '\x1b[>5u',
  '\x1b[<u',
  '\x1b[=3;2u',
  '\x1b[>4;2m',
  '\x1b[22t',
  '\x1b[23t',
  '\x1b[?2004h',
];

/** About `parts` pieces of hostile output as one stream. */
export function hostileStream(seed: number, parts: number, options: { reset?: boolean } = {}): Uint8Array {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const number = () => pick(['', '0', '1', '2', '3', '5', '10', '24', '79', '80', '200', '99999', '2147483648']);
  const escapes = options.reset === false ? ESCAPES.filter((final) => final !== 'c') : ESCAPES;
  const piece = (): string => {
    switch (random(12)) {
      case 0:
      case 1:
      case 2:
        return pick(TEXTS);
      case 3:
        return pick(CONTROLS);
      case 4:
      case 5:
        return `\x1b[${number()}${random(2) ? `;${number()}` : ''}${pick(FINALS)}`;
      case 6:
        return `\x1b[${random(24) + 1};${random(80) + 1}H`;
      case 7:
        return `\x1b[${Array.from({ length: 1 + random(3) }, () => pick(SGR)).join(';')}m`;
      case 8:
        return `\x1b[${random(8) ? '?' : ''}${random(8) ? pick(MODES) : 4}${random(2) ? 'h' : 'l'}`;
      case 9:
        return `\x1b${pick(escapes)}`;
      case 10:
        return pick(STRINGS);
      default:
        return pick(TEXTS) + pick(TEXTS);
    }
  };
  return Buffer.from(Array.from({ length: parts }, piece).join(''));
}
