// What a program can ask of a terminal and a person of a program, one case each: questions, output, widths, keys, mouse, answers that
// nobody asked for, hostile output. A case passes when a modern terminal around the host behaves as if the host were not there.
import { keyBytes } from './outer-answers.ts';
import type { Stage } from './stage.ts';

export interface Feature {
  name: string;
  /** Whether it works. */
  works(stage: Stage): Promise<boolean>;
}

const ST = '\x1b\\';

/** A question is answered, once. */
function answer(name: string, question: string, wanted: RegExp): Feature {
  const works = async (stage: Stage) => {
    stage.write(question);
    const all = await stage.answered();
    return wanted.test(all) && all.replace(wanted, '') === '';
  };
  return { name: `question: ${name}`, works };
}

/** A sequence reaches the outer terminal. */
function reaches(name: string, bytes: string, wanted: (stage: Stage) => boolean): Feature {
  const works = async (stage: Stage) => {
    stage.write(bytes);
    return stage.becomes(() => wanted(stage));
  };
  return { name: `output: ${name}`, works };
}

/** Something must not happen: not even when all has come through. */
function never(name: string, bytes: string, bad: (stage: Stage) => boolean): Feature {
  const works = async (stage: Stage) => {
    stage.write(bytes);
    await stage.answered();
    await stage.shown();
    return !bad(stage);
  };
  return { name, works };
}

const has = (start: string) => (stage: Stage) => stage.seen.osc.some((text) => text.startsWith(start));

const QUESTIONS = [
  answer('DA1', '\x1b[c', /\x1b\[\?[\d;]+c/),
  answer('DA2', '\x1b[>c', /\x1b\[>[\d;]+c/),
  answer('DA3', '\x1b[=c', /\x1bP!\|[\da-f]+\x1b\\/i),
  answer('XTVERSION', '\x1b[>q', /\x1bP>\|.+?\x1b\\/),
  ...[1, 7, 25, 1000, 1004, 1006, 1016, 1049, 2004, 2026, 2027, 2031, 2048].map((mode) =>
    answer(`DECRQM ${mode}`, `\x1b[?${mode}$p`, new RegExp(`\\x1b\\[\\?${mode};[0-4]\\$y`)),
  ),
  answer('XTGETTCAP RGB', '\x1bP+q524742\x1b\\', /\x1bP1\+r524742(=[\dA-F]+)?\x1b\\/i),
  answer('DECRQSS SGR', '\x1b[1;4;31m\x1bP$qm\x1b\\', /\x1bP1\$r(0;)?1;4;31m\x1b\\/),
  answer('size report 2048', '\x1b[?2048h', /\x1b\[48;\d+;\d+;\d+;\d+t/),
  answer('DECRQCRA', '\x1b[1;0;1;1;1;1*y', /\x1bP1!~[\dA-F]{4}\x1b\\/i),
  ...[4, 10, 11, 12].map((code) =>
    answer(
      `OSC ${code}`,
      `\x1b]${code};${code === 4 ? '1;' : ''}?${ST}`,
      new RegExp(`\\x1b\\]${code};(1;)?rgb:[\\da-f/]+(\\x1b\\\\|\\x07)`),
    ),
  ),
  ...[14, 16, 18].map((what) => answer(`CSI ${what} t`, `\x1b[${what}t`, /\x1b\[[468];\d+;\d+t/)),
  answer('colour scheme', '\x1b[?996n', /\x1b\[\?997;[12]n/),
  answer('kitty keyboard', '\x1b[?u', /\x1b\[\?0u/),
  answer('modifyOtherKeys', '\x1b[?4m', /\x1b\[>4;[012]m/),
  answer('kitty graphics', `\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ST}`, /\x1b_Gi=31;[^\x1b]+\x1b\\/),
  answer('cursor position', 'ab\x1b[6n', /\x1b\[1;3R/),
];

/** A synchronized frame is seen whole or not at all. */
const wholeFrame: Feature = {
  name: 'output: synchronized frames are shown whole',
  works: async (stage) => {
    const states = new Set<string>();
    const watch = stage.outer.emulator.onWriteParsed(() => states.add(stage.row(0)));
    stage.write('\x1b[?2026h\x1b[HHALF');
    await stage.answered();
    stage.write('DONE\x1b[?2026l');
    const whole = await stage.becomes(() => stage.row(0) === 'HALFDONE');
    watch.dispose();
    return whole && !states.has('HALF');
  },
};

const OUTPUT = [
  reaches('title', `\x1b]2;agent title${ST}`, ({ seen }) => seen.titles.includes('agent title')),
  reaches('link', `\x1b]8;id=a;https://e.example/1${ST}link\x1b]8;;${ST}`, ({ seen }) =>
    seen.osc.some((text) => text.endsWith(';https://e.example/1')),
  ),
  reaches('notification OSC 9', `\x1b]9;done${ST}`, has('9;done')),
  reaches('notification OSC 777', `\x1b]777;notify;t;b${ST}`, has('777;notify;t;b')),
  reaches('notification OSC 99', `\x1b]99;i=1;hi${ST}`, has('99;')),
  reaches('progress', `\x1b]9;4;1;50${ST}`, has('9;4;1;50')),
  reaches('clipboard write', `\x1b]52;c;aGVsbG8=${ST}`, has('52;c;aGVsbG8=')),
  never('output: clipboard read is not answered', `\x1b]52;c;?${ST}`, ({ input }) => /U0VDUkVU/.test(input)),
  reaches('bell', '\x07', ({ seen }) => seen.bells === 1),
  reaches('true colour with ;', '\x1b[38;2;1;2;3mX', (stage) => stage.cell(0, 0).isFgRGB() && stage.cell(0, 0).getFgColor() === 0x010203),
  reaches('true colour with :', '\x1b[38:2::1:2:3mX', (stage) => stage.cell(0, 0).isFgRGB() && stage.cell(0, 0).getFgColor() === 0x010203),
  reaches('curly underline', '\x1b[4:3mX', ({ outer }) => /\x1b\[[\d;:]*4:3/.test(outer.written.slice(-400))),
  reaches('underline colour', '\x1b[4m\x1b[58:2::9:8:7mX', ({ outer }) => /58[:;]2[:;]+9[:;]8[:;]7/.test(outer.written.slice(-400))),
  reaches('overline', '\x1b[53mX', (stage) => stage.cell(0, 0).isOverline() !== 0),
  reaches('strike', '\x1b[9mX', (stage) => stage.cell(0, 0).isStrikethrough() !== 0),
  reaches('dim and italic', '\x1b[2;3mX', (stage) => stage.cell(0, 0).isDim() !== 0 && stage.cell(0, 0).isItalic() !== 0),
  reaches('cursor style', '\x1b[5 q', ({ outer }) => /\x1b\[5 q/.test(outer.written.slice(-400))),
  reaches('cursor colour', `\x1b]12;#ff0000${ST}`, has('12;')),
  reaches('cursor position', '\x1b[7;13H', ({ outer }) => outer.cursor.x === 12 && outer.cursor.y === 6),
  reaches('image placeholder', '\x1b[38;5;7m\u{10EEEE}\u0305\u0305', (stage) => stage.cell(0, 0).getChars() === '\u{10EEEE}\u0305\u0305'),
  reaches('alternate screen and back', 'main\x1b[?1049h\x1b[Halt\x1b[?1049l', (stage) => stage.row(0) === 'main'),
  wholeFrame,
  never('output: the title is not told', `\x1b]2;rm -rf x${ST}\x1b[21t`, ({ input }) => /rm -rf/.test(input)),
  never('output: titles are cleaned', `\x1b]2;c\u009b31md\u0085e${ST}`, ({ seen }) => /[\0-\x1f\x7f-\x9f]/.test(seen.titles.join(''))),
];

const WIDTHS = Object.entries({
  'joined family': ['👨‍👩‍👧', 2],
  flag: ['🇩🇪', 2],
  'emoji by selector': ['❤️', 2],
  'skin tone': ['👍🏽', 2],
  keycap: ['1️⃣', 2],
  'combining mark': ['e\u0301', 1],
  'wide character': ['漢', 2],
  jamo: ['\u1112\u1161\u11ab', 2],
  'indic conjunct': ['क्षि', 2],
  'tag flag': ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 2],
  'private use': ['\ue0b0', 1],
} satisfies Record<string, [string, number]>).map(
  ([name, [text, columns]]): Feature => ({
    name: `width: ${name}`,
    works: async (stage) => {
      stage.write(`${text}|\x1b[6n`);
      const told = await stage.answered();
      const right = await stage.becomes(() => stage.cell(columns, 0).getChars() === '|' && stage.row(0) === `${text}|`);
      return right && told === `\x1b[1;${columns + 2}R`;
    },
  }),
);

const KEYS = {
  'shift+enter': [13, 2, '\r'],
  'ctrl+enter': [13, 5, '\r'],
  'alt+enter': [13, 3, '\x1b\r'],
  'ctrl+i': [105, 5, '\t'],
  escape: [27, 1, '\x1b'],
} as const;
const PROTOCOLS: [string, string, Record<keyof typeof KEYS, RegExp>][] = [
  [
    'kitty 1',
    '\x1b[>1u',
    {
      'shift+enter': /^\x1b\[13;2u$/,
      'ctrl+enter': /^\x1b\[13;5u$/,
      'alt+enter': /^\x1b\[13;3u$/,
      'ctrl+i': /^\x1b\[105;5u$/,
      escape: /^\x1b\[27u$/,
    },
  ],
  [
    'kitty 7',
    '\x1b[>7u',
    {
      'shift+enter': /^\x1b\[13;2(:1)?u$/,
      'ctrl+enter': /^\x1b\[13;5(:1)?u$/,
      'alt+enter': /^\x1b\[13;3(:1)?u$/,
      'ctrl+i': /^\x1b\[105(:\d*)*;5(:1)?u$/,
      escape: /^\x1b\[27(;1(:1)?)?u$/,
    },
  ],
  [
    'modifyOtherKeys',
    '\x1b[>4;2m',
    {
      'shift+enter': /^\x1b\[27;2;13~$/,
      'ctrl+enter': /^\x1b\[27;5;13~$/,
      'alt+enter': /^(\x1b\[27;3;13~|\x1b\r)$/,
      'ctrl+i': /^\x1b\[27;5;105~$/,
      escape: /^\x1b$/,
    },
  ],
  [
    'no protocol',
    '',
    { 'shift+enter': /^[\r\n]$/, 'ctrl+enter': /^(\r|\x1b\[27;5;13~)$/, 'alt+enter': /^\x1b\r$/, 'ctrl+i': /^\t$/, escape: /^\x1b$/ },
  ],
];
const PRESSED = PROTOCOLS.flatMap(([protocol, ask, wanted]) =>
  Object.entries(KEYS).map(
    ([key, made]): Feature => ({
      name: `key: ${key}, ${protocol}`,
      works: async (stage) => {
        stage.write(ask);
        await stage.shown();
        // A host asks for keys in the state its pane is in; the person's next key comes long after.
        await stage.becomes(() => stage.host === 'herd' || stage.host === 'bare' || stage.seen.otherKeys > 0, 100);
        const pattern = wanted[key as keyof typeof KEYS];
        return pattern.test(await stage.typed(keyBytes(stage.seen, made), (read) => pattern.test(read)));
      },
    }),
  ),
);

/** Typed bytes come to the program as `wanted`. */
function typed(name: string, ask: string, bytes: string, wanted: string | RegExp): Feature {
  const fits = (read: string) => (typeof wanted === 'string' ? read === wanted : wanted.test(read));
  const works = async (stage: Stage) => {
    stage.write(ask);
    await stage.shown();
    return fits(await stage.typed(bytes, fits));
  };
  return { name: `input: ${name}`, works };
}

/** Nothing of what is typed comes to the program; the key behind it does. */
function swallowed(name: string, bytes: string): Feature {
  const works = async (stage: Stage) => (await stage.typed(`${bytes}Z`, (read) => read.endsWith('Z'))) === 'Z';
  return { name: `input: ${name}`, works };
}

const MEBIBYTE = 'abcdefghijklmno\r'.repeat(65_536);
const INPUT = [
  typed('paste in brackets', '\x1b[?2004h', '\x1b[200~one\rtwo\x1b[201~', '\x1b[200~one\rtwo\x1b[201~'),
  typed('paste without brackets', '', '\x1b[200~one\rtwo\x1b[201~', 'one\rtwo'),
  typed('paste of 1 MiB', '\x1b[?2004h', `\x1b[200~${MEBIBYTE}\x1b[201~`, /^\x1b\[200~(abcdefghijklmno\r){65536}\x1b\[201~$/),
  typed('focus out and in', '\x1b[?1004h', '\x1b[O\x1b[I', /\x1b\[O\x1b\[I$/),
  typed('mouse 1000', '\x1b[?1000h\x1b[?1006h', '\x1b[<0;5;4M\x1b[<0;5;4m', '\x1b[<0;5;4M\x1b[<0;5;4m'),
  typed('mouse 1002', '\x1b[?1002h\x1b[?1006h', '\x1b[<0;5;4M\x1b[<32;6;4M\x1b[<0;6;4m', '\x1b[<0;5;4M\x1b[<32;6;4M\x1b[<0;6;4m'),
  typed('mouse 1003', '\x1b[?1003h\x1b[?1006h', '\x1b[<35;5;4M', '\x1b[<35;5;4M'),
  typed('wheel', '\x1b[?1000h\x1b[?1006h', '\x1b[<64;5;4M', '\x1b[<64;5;4M'),
  swallowed('mouse that nobody wants', '\x1b[<0;5;4M\x1b[<0;5;4m'),
  typed('UTF-8', '', 'é漢😀', Buffer.from('é漢😀').toString('latin1')),
  typed('arrow', '', '\x1b[A', /^\x1b[[O]A$/),
  typed('application arrow', '\x1b[?1h', '\x1b[A', '\x1bOA'),
  typed('function key', '', '\x1b[15;5~', '\x1b[15;5~'),
  typed('ctrl+j', '', '\n', '\n'),
  swallowed('late DA1', '\x1b[?62;4;22c'),
  swallowed('late colour', '\x1b]11;rgb:1c1c/1d1d/1e1e\x1b\\'),
  swallowed('late XTVERSION', '\x1bP>|ghostty 1.2.0\x1b\\'),
  swallowed('late DECRPM', '\x1b[?2026;2$y'),
  swallowed('late colour scheme', '\x1b[?997;1n'),
  swallowed('late graphics answer', '\x1b_Gi=31;OK\x1b\\'),
];

/** After hostile output the screen still answers, soon. */
function survives(name: string, bytes: string | Uint8Array): Feature {
  const works = async (stage: Stage) => {
    stage.write(bytes);
    stage.write(`${ST}\x1b[2J\x1b[HALIVE`);
    return stage.becomes(() => stage.row(0) === 'ALIVE', Math.max(5000, stage.patience));
  };
  return { name: `hostile: ${name}`, works };
}

const HUGE = 2 ** 31 - 1;
const HOSTILE = [
  ...['L', 'M', 'S', 'T', 'b', 'Z', 'I', '@', 'P', 'X', "'}", "'~", ' @', ' A', 'A', 'H'].map((final) =>
    survives(`CSI ${HUGE} ${final}`, `A\x1b[${HUGE}${final}`),
  ),
  ...Object.entries({ OSC: '\x1b]2;', DCS: '\x1bP$q', APC: '\x1b_G', PM: '\x1b^', SOS: '\x1bX' }).map(([name, start]) =>
    survives(`${name} of 2 MiB`, `${start}${'x'.repeat(2 ** 21)}`),
  ),
  survives('500 marks on a character', `e${'\u0301'.repeat(500)}`),
  survives('10,000 parameters', `\x1b[${'1;'.repeat(10_000)}m`),
];

export const FEATURES: Feature[] = [...QUESTIONS, ...OUTPUT, ...WIDTHS, ...PRESSED, ...INPUT, ...HOSTILE];
