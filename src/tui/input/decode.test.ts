// Bytes in, events out: every form that terminals send, cut anywhere, and answers that must never be typed.
import { expect, test } from 'vitest';
import { ALT, CTRL, type InputEvent, type KeyEvent, META, SHIFT, SUPER } from '../../model/input.ts';
import { InputDecoder, MAX_PASTE, type TerminalReply } from './decode.ts';

function bench() {
  let time = 0;
  let timer: { at: number; run(): void } | null = null;
  const events: InputEvent[] = [];
  const replies: TerminalReply[] = [];
  const refused: number[] = [];
  const decoder = new InputDecoder({
    onInput: (event) => events.push(event),
    onReply: (reply) => replies.push(reply),
    onRefusedPaste: (bytes) => refused.push(bytes),
    now: () => time,
    after: (ms, run) => {
      const mine = { at: time + ms, run };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
  });
  const pass = (ms: number) => {
    time += ms;
    if (timer && timer.at <= time) {
      const due = timer;
      timer = null;
      due.run();
    }
  };
  return { decoder, events, replies, refused, pass, send: (text: string) => decoder.push(Buffer.from(text)) };
}

function decode(text: string): InputEvent[] {
  const b = bench();
  b.send(text);
  b.pass(10_000);
  return b.events;
}

/** 'ctrl+shift+up', with ':text' when it types something and '!' or '~' for release and repeat. */
function spell(event: InputEvent): string {
  if (event.type === 'mouse') return `${event.action} ${event.button} ${event.mods} ${event.x},${event.y}`;
  if (event.type === 'paste') return `paste ${event.text}`;
  if (event.type === 'focus') return `focus ${event.focused}`;
  const mods = [
    [CTRL, 'ctrl'],
    [ALT, 'alt'],
    [SHIFT, 'shift'],
    [SUPER, 'super'],
    [META, 'meta'],
  ] as const;
  const words = mods.filter(([bit]) => event.mods & bit).map(([, word]) => word);
  const mark = { press: '', repeat: '~', release: '!' }[event.action];
  return [...words, event.key].join('+') + (event.text === undefined ? '' : `:${event.text}`) + mark;
}

const KEYS: [string, string][] = [
  ['a', 'a:a'],
  ['A', 'shift+a:A'],
  ['!', '!:!'],
  [' ', ' : '],
  ['é', 'é:é'],
  ['É', 'shift+é:É'],
  ['\r', 'enter'],
  ['\n', 'ctrl+j'],
  ['\t', 'tab'],
  ['\x7f', 'backspace'],
  ['\b', 'ctrl+h'],
  ['\0', 'ctrl+ '],
  ['\x01', 'ctrl+a'],
  ['\x1a', 'ctrl+z'],
  ['\x1c', 'ctrl+\\'],
  ['\x1f', 'ctrl+_'],
  ['\x1b', 'escape'],
  ['\x1b\x1b', 'escape escape'],
  ['\x1ba', 'alt+a'],
  ['\x1bA', 'alt+shift+a'],
  ['\x1bé', 'alt+é'],
  ['\x1b\r', 'alt+enter'],
  ['\x1b\x7f', 'alt+backspace'],
  ['\x1b\x01', 'ctrl+alt+a'],
  ['\x1b[', 'alt+['],
  ['\x1bO', 'alt+shift+o'],
  // xterm
  ['\x1b[A', 'up'],
  ['\x1b[1;5C', 'ctrl+right'],
  ['\x1b[1;4D', 'alt+shift+left'],
  ['\x1b[H', 'home'],
  ['\x1b[F', 'end'],
  ['\x1b[Z', 'shift+tab'],
  ['\x1b[3~', 'delete'],
  ['\x1b[5;3~', 'alt+pageup'],
  ['\x1b[15~', 'f5'],
  ['\x1b[24;2~', 'shift+f12'],
  ['\x1b[1;2P', 'shift+f1'],
  ['\x1b[1;2R', 'shift+f3'],
  ['\x1bOP', 'f1'],
  ['\x1bOA', 'up'],
  ['\x1bO5C', 'ctrl+right'],
  ['\x1bO1;2P', 'shift+f1'],
  ['\x1bOM', 'kpenter'],
  ['\x1bOp', 'kp0:0'],
  ['\x1bOk', 'kpadd:+'],
  // rxvt
  ['\x1b[a', 'shift+up'],
  ['\x1bOa', 'ctrl+up'],
  ['\x1b[7~', 'home'],
  ['\x1b[3$', 'shift+delete'],
  ['\x1b[3^', 'ctrl+delete'],
  ['\x1b[5@', 'ctrl+shift+pageup'],
  ['\x1b\x1b[A', 'alt+up'],
  // Linux console
  ['\x1b[[A', 'f1'],
  // modifyOtherKeys
  ['\x1b[27;2;13~', 'shift+enter'],
  ['\x1b[27;5;105~', 'ctrl+i'],
  ['\x1b[27;6;65~', 'ctrl+shift+a'],
  // kitty
  ['\x1b[13;2u', 'shift+enter'],
  ['\x1b[27u', 'escape'],
  ['\x1b[98;5u', 'ctrl+b'],
  ['\x1b[97;2u', 'shift+a:A'],
  ['\x1b[97:65;2u', 'shift+a:A'],
  ['\x1b[49:33;2u', 'shift+1:!'],
  ['\x1b[97;1:2u', 'a:a~'],
  ['\x1b[97;1:3u', 'a!'],
  ['\x1b[1;1:3A', 'up!'],
  ['\x1b[3;5:2~', 'ctrl+delete~'],
  ['\x1b[1089::99;5u', 'ctrl+с'],
  ['\x1b[97;3;229u', 'alt+a:å'],
  ['\x1b[0;;54620:44397u', ':한국'],
  ['\x1b[57399u', 'kp0:0'],
  ['\x1b[57414;5u', 'ctrl+kpenter'],
  ['\x1b[57376u', 'f13'],
  ['\x1b[57441;2u', 'shift+leftshift'],
  ['\x1b[57358u', 'capslock'],
  ['\x1b[57427u', 'kpbegin'],
  ['\x1b[57454u', 'isolevel5shift'],
  ['\x1b[57500u', ''],
  // input method
  ['한국어', ':한국어'],
  ['👍🏽', ':👍🏽'],
  ['한a', '한:한 a:a'],
  // mouse
  ['\x1b[<0;3;4M', 'press left 0 2,3'],
  ['\x1b[<0;3;4m', 'release left 0 2,3'],
  ['\x1b[<35;1;1M', 'move none 0 0,0'],
  ['\x1b[<34;1;1M', 'move right 0 0,0'],
  ['\x1b[<64;9;9M', 'press wheelup 0 8,8'],
  ['\x1b[<85;9;9M', 'press wheeldown 5 8,8'],
  ['\x1b[<128;1;1M', 'press back 0 0,0'],
  ['\x1b[<0;0;4M', ''],
  ['\x1b[M !!', 'press left 0 0,0'],
  ['\x1b[I\x1b[O', 'focus true focus false'],
  ['\x1b[200~a\r\nb\x1b[201~c', 'paste a\r\nb c:c'],
  ['\x1b[200~\x1b[31mx\x1b[20\x1b[201~', 'paste \x1b[31mx\x1b[20'],
  // broken
  ['\xff\xfe', 'ÿ:ÿ þ:þ'],
  ['\x1b[1;5\x07a', 'ctrl+g a:a'],
  ['\x1b[99999~\x1b[;;;u\x1b[?x', ''],
];

test.each(KEYS)('%j', (bytes, want) => {
  if (bytes === '\xff\xfe') return expect(spell(decode('ÿ')[0]!)).toBe('ÿ:ÿ');
  expect(decode(bytes).map(spell).join(' ')).toBe(want);
});

test('the same events wherever the bytes are cut, but for what only a whole read tells', () => {
  for (const [bytes, want] of KEYS) {
    if (/^\x1b(?![[OP\]])|^\x1b\x1b|^\xff|^[한👍]/u.test(bytes) || bytes === '\x1b') continue;
    const raw = Buffer.from(bytes);
    for (let cut = 1; cut < raw.length; cut++) {
      const b = bench();
      b.decoder.push(raw.subarray(0, cut));
      b.pass(15);
      b.decoder.push(raw.subarray(cut));
      b.pass(10_000);
      expect([bytes, cut, b.events.map(spell).join(' ')]).toEqual([bytes, cut, want]);
    }
  }
});

test('byte by byte with gaps: a character and an arrow arrive whole', () => {
  const b = bench();
  for (const byte of Buffer.from('漢\x1b[A')) {
    b.decoder.push(Buffer.from([byte]));
    b.pass(20);
  }
  expect(b.events.map(spell)).toEqual(['漢:漢', 'up']);
});

test('a lone Escape is there within 50 ms and never joins the next key', () => {
  const b = bench();
  b.send('\x1b');
  b.pass(29);
  expect(b.events).toEqual([]);
  b.pass(21);
  expect(b.events.map(spell)).toEqual(['escape']);
  b.send('\x1b');
  b.send('x');
  expect(b.events.map(spell)).toEqual(['escape', 'escape', 'x:x']);
  b.send('\x1b');
  b.send('\x1b[A');
  expect(b.events.map(spell).slice(3)).toEqual(['escape', 'up']);
});

const REPLIES: [string, TerminalReply][] = [
  ['\x1b[?62;22c', { reply: 'attributes', level: '', params: [62, 22] }],
  ['\x1b[>1;10;0c', { reply: 'attributes', level: '>', params: [1, 10, 0] }],
  ['\x1bP>|ghostty 1.2.0\x1b\\', { reply: 'version', text: 'ghostty 1.2.0' }],
  ['\x1b[?5u', { reply: 'kitty-flags', flags: 5 }],
  ['\x1b[?2027;2$y', { reply: 'mode', mode: 2027, state: 2 }],
  ['\x1b[?997;1n', { reply: 'color-scheme', dark: true }],
  ['\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\', { reply: 'color', osc: 11, index: null, color: '#1e1e2e' }],
  ['\x1b]4;7;rgb:ff/80/00\x07', { reply: 'color', osc: 4, index: 7, color: '#ff8000' }],
  ['\x1b[4;900;1600t', { reply: 'size', what: 4, height: 900, width: 1600 }],
  ['\x1b[12;40R', { reply: 'other' }],
  ['\x1b_Gi=1;OK\x1b\\', { reply: 'other' }],
  ['\x1b]52;c;aGk=\x07', { reply: 'other' }],
];

test.each(REPLIES)('answer %j, cut anywhere, is never typed', (bytes, want) => {
  for (let cut = 0; cut < bytes.length; cut++) {
    const b = bench();
    b.send(bytes.slice(0, cut));
    b.pass(20);
    b.send(bytes.slice(cut));
    b.pass(10_000);
    expect(b.replies).toEqual([want]);
    expect(b.events).toEqual([]);
  }
});

test('an answer whose ESC was taken for the key, or whose end comes late, is still not typed', () => {
  const b = bench();
  b.send('\x1b');
  b.pass(60);
  b.send(']11;rgb:0000/0000/0000\x1b\\x');
  expect(b.events.map(spell)).toEqual(['escape', 'x:x']);
  b.send('\x1b]10;rgb:ff');
  b.pass(600);
  b.send('ff/ffff/ffff\x1b\\y');
  expect(b.events.map(spell)).toEqual(['escape', 'x:x', 'y:y']);
});

test('a paste of 1 MiB arrives intact in any pieces; a larger one is refused whole', () => {
  const text = 'ünïcode line\r\n'.repeat(MAX_PASTE).slice(0, 900_000);
  const whole = Buffer.from(`\x1b[200~${text}\x1b[201~z`);
  const b = bench();
  for (let i = 0; i < whole.length; i += 4093) b.decoder.push(whole.subarray(i, i + 4093));
  expect(b.events.length).toBe(2);
  expect((b.events[0] as { text: string }).text === text).toBe(true);
  const big = bench();
  big.send(`\x1b[200~${'x'.repeat(MAX_PASTE + 1)}\x1b[201~z`);
  expect(big.refused).toEqual([MAX_PASTE + 1]);
  expect(big.events.map(spell)).toEqual(['z:z']);
});

test('a paste that never ends gives the keys back', () => {
  const b = bench();
  b.send('\x1b[200~abc');
  b.pass(5000);
  b.send('d');
  expect(b.events.map(spell)).toEqual(['paste abc', 'd:d']);
});

test('an endless string gives the keys back', () => {
  const b = bench();
  b.send(`\x1b]52;c;${'A'.repeat(20_000)}`);
  b.send('B'.repeat(100));
  b.pass(500);
  b.send('d');
  expect(b.events.map(spell)).toEqual(['d:d']);
});

test('no bytes make it throw, and every event is well formed', () => {
  let state = 5;
  const roll = (n: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
  const pieces = [
    '\x1b',
    '\x1b[',
    '\x1bO',
    '\x1b]',
    '\x1bP',
    '[',
    ';',
    ':',
    '?',
    '<',
    '$',
    '~',
    'u',
    'M',
    'm',
    '200~',
    '201~',
    '\x07',
    '\\',
    '9',
  ];
  const b = bench();
  for (let n = 0; n < 20_000; n++) {
    const text = Array.from({ length: 1 + roll(6) }, () => (roll(3) ? pieces[roll(pieces.length)]! : String.fromCharCode(roll(256)))).join(
      '',
    );
    b.decoder.push(Buffer.from(text, roll(2) ? 'latin1' : 'utf8'));
    if (roll(3) === 0) b.pass(roll(6000));
  }
  for (const event of b.events) {
    if (event.type === 'mouse') expect(event.x >= 0 && event.y >= 0 && Number.isInteger(event.x + event.y)).toBe(true);
    if (event.type === 'key') expect(isWellFormed(event)).toBe(true);
  }
});

function isWellFormed(event: KeyEvent): boolean {
  const text = event.text ?? '';
  return (event.key !== '' || text !== '') && Number.isInteger(event.mods) && !/[\0-\x1f\x7f]/.test(text);
}
