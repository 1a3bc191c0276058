import { expect, test } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';
import type { OuterColours } from '../model/outer.ts';

const OUTER: OuterColours = {
  ...{ foreground: '#e0e0e0', background: '#1c1d1e', cursor: '#ff0000', palette: ['#000000', '#0a0b0c'], dark: null },
  cell: { width: 9, height: 18 },
};
const ASKED: [question: string, answer: string][] = [
  ['\x1b[c', '\x1b[?62;22c'],
  ['\x1b[0c', '\x1b[?62;22c'],
  ['\x1b[>c', '\x1b[>1;10;0c'],
  ['\x1b[=c', '\x1bP!|00000000\x1b\\'],
  ['\x1b[>q', '\x1bP>|herd(0.0.0)\x1b\\'],
  ['\x1b[5n', '\x1b[0n'],
  ['\x1b[3;5H\x1b[6n', '\x1b[3;5R'],
  ['\x1b[3;5H\x1b[?6n', '\x1b[?3;5R'],
  ['\x1b[?996n', '\x1b[?997;1n'],
  ['\x1b[14t', '\x1b[4;432;720t'],
  ['\x1b[16t', '\x1b[6;18;9t'],
  ['\x1b[18t', '\x1b[8;24;80t'],
  ['\x1b[21t', ''],
  ['\x1b[?u', '\x1b[?0u'],
  ['\x1b[>5u\x1b[?u', '\x1b[?5u'],
  ['\x1b[?4m', '\x1b[>4;0m'],
  ['\x1b[>4;2m\x1b[?4m', '\x1b[>4;2m'],
  ['\x1b[?2026$p', '\x1b[?2026;2$y'],
  ['\x1b[?2026h\x1b[?2026$p\x1b[?2026l', '\x1b[?2026;1$y'],
  ['\x1b[?1016$p', '\x1b[?1016;0$y'],
  ['\x1b[?2027$p', '\x1b[?2027;3$y'],
  ['\x1b[4h\x1b[4$p', '\x1b[4;1$y'],
  ['\x1b[99$p', '\x1b[99;0$y'],
  ['\x1bP+q544e\x1b\\', '\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\'],
  ['\x1bP+q524742;ffff\x1b\\', '\x1bP1+r524742=382F382F38\x1b\\\x1bP0+r\x1b\\'],
  ['\x1bP$qm\x1b\\', '\x1bP1$r0m\x1b\\'],
  ['\x1b[1;3;31;48;2;1;2;3m\x1bP$qm\x1b\\', '\x1bP1$r0;1;3;31;48;2;1;2;3m\x1b\\'],
  ['\x1b[4:3;58:5:9;38;5;200;9m\x1bP$qm\x1b\\', '\x1bP1$r0;9;4:3;58:5:9;38;5;200m\x1b\\'],
  ['\x1b[?2048h', '\x1b[48;24;80;432;720t'],
  ['\x1b[?2048h\x1b[?2048l\x1b[?2048$p', '\x1b[48;24;80;432;720t\x1b[?2048;2$y'],
  ['\x1bP$q"q\x1b\\', '\x1bP1$r0"q\x1b\\'],
  ['\x1b[2;9r\x1bP$qr\x1b\\', '\x1bP1$r2;9r\x1b\\'],
  ['\x1bP$qhostile\x1b\\', '\x1bP0$r\x1b\\'],
  ['\x1b]4;1;?\x07', '\x1b]4;1;rgb:0a0a/0b0b/0c0c\x1b\\'],
  ['\x1b]4;0;?;1;?\x07', '\x1b]4;0;rgb:0000/0000/0000\x1b\\\x1b]4;1;rgb:0a0a/0b0b/0c0c\x1b\\'],
  ['\x1b]10;?\x07', '\x1b]10;rgb:e0e0/e0e0/e0e0\x1b\\'],
  ['\x1b]11;?\x07', '\x1b]11;rgb:1c1c/1d1d/1e1e\x1b\\'],
  ['\x1b]10;?;?\x07', '\x1b]10;rgb:e0e0/e0e0/e0e0\x1b\\\x1b]11;rgb:1c1c/1d1d/1e1e\x1b\\'],
  ['\x1b]12;?\x07', '\x1b]12;rgb:ffff/0000/0000\x1b\\'],
  ['\x1b]12;#00ff00\x07\x1b]12;?\x07', '\x1b]12;rgb:0000/ffff/0000\x1b\\'],
  ['\x1b]7501;?\x1b\\', '\x1b]7501;?\x1b\\'],
  ['\x1b]52;c;?\x07', ''],
  ['\x1b]2;rm -rf ~\x07\x1b[21t\x1b[20t', ''],
  ['\x1b_Gi=31,a=q;AAAA\x1b\\', '\x1b_Gi=31;ENOTSUP:images are not supported\x1b\\'],
  ['\x1b_Ga=T,f=24;AAAA\x1b\\', ''],
  ['AB\r\x1b[1;1;1;1;1;2*y', '\x1bP1!~FF7D\x1b\\'],
  ['\x05', ''],
];

test.each(ASKED)('%j is answered %j', (question, answer) => {
  const { screen, replies } = testScreen(80, 24, { outer: () => OUTER });
  screen.write(Buffer.from(question));
  expect(replies.join('')).toBe(answer);
});

test.each(ASKED)('%j, asked byte by byte, is answered once', (question, answer) => {
  const { screen, replies } = testScreen(80, 24, { outer: () => OUTER });
  for (const byte of Buffer.from(question)) screen.write(Uint8Array.of(byte));
  expect(replies.join('')).toBe(answer);
});

test.each(ASKED)('%j, replayed, is not answered', (question) => {
  const { screen, replies } = testScreen(80, 24, { outer: () => OUTER });
  screen.write(Buffer.from(question), { muted: true });
  expect(replies).toEqual([]);
});

test('answers come in the order of the questions, each with the cursor of its place', () => {
  const { screen, replies } = testScreen(80, 24);
  screen.write(Buffer.from('ab\x1b[6n\x1b[c\ncd\x1b[6n'));
  expect(replies).toEqual(['\x1b[1;3R', '\x1b[?62;22c', '\x1b[2;5R']);
});

test('without a client the pixel sizes are those of a usual cell', () => {
  const { screen, replies } = testScreen(80, 24);
  screen.write(Buffer.from('\x1b[16t\x1b[14t'));
  expect(replies).toEqual(['\x1b[6;20;10t', '\x1b[4;480;800t']);
});

test('programs that asked hear of each change of size, and of the size they have when they ask', () => {
  const { screen, replies } = testScreen(80, 24, { outer: () => OUTER });
  screen.resize(100, 30);
  screen.write(Buffer.from('\x1b[?2048h'));
  screen.resize(100, 30);
  screen.resize(90, 20);
  screen.write(Buffer.from('\x1bc'));
  screen.resize(80, 24);
  expect(replies).toEqual(['\x1b[48;30;100;540;900t', '\x1b[48;20;90;360;810t']);
});

test('programs that asked hear of a change of colours', () => {
  const { screen, replies } = testScreen(80, 24, { outer: () => ({ ...OUTER, dark: false }) });
  screen.coloursChanged();
  screen.write(Buffer.from('\x1b[?2031h'));
  screen.coloursChanged();
  expect(replies).toEqual(['\x1b[?997;2n']);
});
