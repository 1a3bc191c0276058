// What programs tell besides drawing: told as facts, kept as long as it holds, and not told again as news when output is replayed.
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each<[output: string, facts: object[]]>([
  ['\x07', [{ fact: 'bell' }]],
  ['\x1b]0;both\x07', [{ fact: 'title', title: 'both' }]],
  ['\x1b]2;a\x1b\\\x1b]2;a\x1b\\', [{ fact: 'title', title: 'a' }]],
  ['\x1b]1;icon\x07', [{ fact: 'icon-title', title: 'icon' }]],
  ['\x1b]2;a\x07\x1b[22t\x1b]2;b\x07\x1b[23t\x1b[23t', ['a', 'b', 'a'].map((title) => ({ fact: 'title', title }))],
  ['\x1b]7;file:///tmp/a%20b\x07', [{ fact: 'cwd', path: '/tmp/a b' }]],
  [`\x1b]7;file://${hostname()}/x\x07`, [{ fact: 'cwd', path: '/x' }]],
  ['\x1b]7;file://elsewhere.example/x\x07', []],
  ['\x1b]7;file:///a%0Ab\x07', []],
  ['\x1b]7;file:///%zz\x07', []],
  ['\x1b]9;hello\x07', [{ fact: 'notification', source: 'osc9', title: '', body: 'hello' }]],
  ['\x1b]9;4;1;40\x07', [{ fact: 'progress', state: 1, value: 40 }]],
  ['\x1b]9;4;1;400\x07', [{ fact: 'progress', state: 1, value: 100 }]],
  ['\x1b]9;4;3\x07', [{ fact: 'progress', state: 3, value: null }]],
  ['\x1b]9;4;7;1\x07', []],
  ['\x1b]777;notify;T;a;b\x07', [{ fact: 'notification', source: 'osc777', title: 'T', body: 'a;b' }]],
  ['\x1b]777;precmd\x07', []],
  ['\x1b]99;i=1:d=0;Title\x07\x1b]99;i=1:p=body;Text\x07', [{ fact: 'notification', source: 'osc99', title: 'Title', body: 'Text' }]],
  [`\x1b]99;e=1;${base64('coded')}\x07`, [{ fact: 'notification', source: 'osc99', title: 'coded', body: '' }]],
  ['\x1b]99;i=1:p=icon;x\x07', []],
  ['\x1b]133;D;12\x07', [{ fact: 'prompt-mark', mark: 'D', exit: 12 }]],
  ['\x1b]133;A\x07', [{ fact: 'prompt-mark', mark: 'A', exit: null }]],
  ['\x1b]133;Z\x07', []],
  [`\x1b]52;c;${base64('copied')}\x07`, [{ fact: 'clipboard', text: 'copied' }]],
  ['\x1b]52;c;?\x07', []],
  ['\x1b]52;c;no base64!\x07', []],
  [
    `\x1b]7501;id=a/b:state=working:progress=140:msg=${base64('on it')}\x1b\\`,
    [{ fact: 'status', report: { id: 'a/b', state: 'working', progress: 100, message: 'on it' } }],
  ],
  ['\x1b]7501;state=asleep\x1b\\', []],
  ['\x1b]7501;id=../x y:state=idle\x1b\\', []],
])('%j', async (output, facts) => {
  const told = testScreen(40, 4);
  await told.screen.write(Buffer.from(output));
  expect(told.facts).toEqual(facts);
});

const STATE = `\x1b]2;name\x07\x1b]7;file:///x\x07\x1b]9;4;1;5\x07\x1b]7501;id=a:state=working\x1b\\`;
const KEPT = [
  { fact: 'title', title: 'name' },
  { fact: 'status', report: { id: 'a', state: 'working' } },
  { fact: 'progress', state: 1, value: 5 },
  { fact: 'cwd', path: '/x' },
];

test('of replayed output what stays so is told, and no bell, notification, clipboard or reply', async () => {
  const { screen, facts, replies } = testScreen(40, 4);
  await screen.write(Buffer.from(`\x07\x1b]9;hello\x07\x1b]52;c;${base64('x')}\x07\x1b[c${STATE}`), { muted: true });
  expect([new Set(facts), replies]).toEqual([new Set(KEPT), []]);
});

test('a checkpoint brings back what was said, and what was taken back since is gone', async () => {
  const before = testScreen(40, 4).screen;
  await before.write(Buffer.from(`${STATE}\x1b]7501;id=b:state=idle\x1b\\\x1b]7501;id=b:state=clear\x1b\\`));
  const { screen, facts } = testScreen(40, 4);
  await screen.restore(before.checkpoint());
  expect([screen.title, screen.said, facts]).toEqual(['name', KEPT.slice(1), expect.arrayContaining(KEPT)]);
  await screen.write(Buffer.from('\x1b]9;4;0\x07'));
  expect([screen.said.length, screen.progress]).toEqual([KEPT.length - 2, null]);
});

test('another program in front has neither the records nor the progress of the one before, only its folder', async () => {
  const { screen } = testScreen(40, 4);
  await screen.write(Buffer.from(STATE));
  expect(screen.progress).toEqual({ state: 1, value: 5 });
  screen.forgetStatus();
  expect([screen.said, screen.progress]).toEqual([[{ fact: 'cwd', path: '/x' }], null]);
});

test('titles put by and records are bounded: the oldest titles go, further records are not kept', async () => {
  const { screen } = testScreen(40, 4);
  for (let i = 0; i < 20; i++) await screen.write(Buffer.from(`\x1b]2;t${i}\x07\x1b[22t`));
  for (let i = 0; i < 70; i++) await screen.write(Buffer.from(`\x1b]7501;id=r${i}:state=working\x1b\\`));
  await screen.write(Buffer.from(`\x1b]2;${'x'.repeat(300)}\x07`));
  expect(screen.title).toBe(`${'x'.repeat(255)}…`);
  expect(screen.said.map((fact) => fact.fact === 'status' && fact.report.id)).toEqual(Array.from({ length: 64 }, (_, i) => `r${i}`));
  const titles = [];
  for (let i = 0; i < 17; i++) {
    await screen.write(Buffer.from('\x1b[23t'));
    titles.push(screen.title);
  }
  expect(titles).toEqual([...Array.from({ length: 16 }, (_, i) => `t${19 - i}`), 't4']);
});

test('a listener that throws in the middle of replayed output mutes nothing that comes after', async () => {
  const failing = { on: true };
  const { screen, replies } = testScreen(40, 4, {
    onFact: () => {
      if (failing.on) throw new Error('a bug');
    },
  });
  await screen.write(Buffer.from('\x1b[?2031h'));
  expect(() => screen.write(Buffer.from('\x1b]2;a\x07'), { muted: true })).toThrow('a bug');
  failing.on = false;
  screen.coloursChanged();
  expect(replies).toEqual(['\x1b[?997;1n']);
  expect(screen.modes).toBe(screen.modes);
});
