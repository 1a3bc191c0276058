// The bars alone.
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../test/support/sample-session.ts';
import { createKeymap } from '../input/keymap.ts';
import { lineCells } from '../spans.ts';
import { nameAt, paneTitleLine } from './pane-title.ts';
import { type StatusBarProps, statusLine } from './status-bar.ts';

const { keymap } = createKeymap('ctrl+a', { prefix: { 'workspace.pick': 'W' } });
const props: StatusBarProps = { keymap, set: 'terminal', link: { state: 'up' }, notice: null, question: null, facts: [] };

function bar(over: Partial<StatusBarProps>, cols = 100): string {
  const line = statusLine({ ...props, ...over }, cols);
  expect(lineCells(line)).toBe(cols);
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

describe('status bar', () => {
  it.each<[string, Partial<StatusBarProps>, RegExp]>([
    ['keys as they are bound', {}, /^ ctrl\+a {2}W workspaces {2}a next that needs you/],
    ['what comes after the prefix', { set: 'prefix' }, /^ ctrl\+a {2}W workspaces {2}a next ▲/],
    ['a notice', { notice: { text: 'copied 3 lines', tone: 'good', until: NOW } }, /^ copied 3 lines$/],
    [
      'an error with its hint',
      { notice: { text: 'It is blocked.', hint: 'answer it', tone: 'error', until: NOW } },
      /^ It is blocked\. {2}answer it$/,
    ],
    [
      'a question with its keys at the end',
      { question: { name: 'rss', text: 'Which\x1b[2J format?' } },
      /^ ▲ rss {2}Which\[2J format\? +ctrl\+a {2}y yes {2}r no {2}a go there$/,
    ],
    [
      'trouble before all',
      { link: { state: 'silent', since: NOW }, question: { name: 'rss', text: '?' } },
      /^ server does not answer since/,
    ],
    ['facts at the end', { facts: [{ text: '2 prompts wait' }] }, / 2 prompts wait$/],
  ])('shows %s', (_name, over, expected) => expect(bar(over)).toMatch(expected));

  it('leaves out what does not fit, help last of all', () => {
    for (const cols of [20, 33, 47]) expect(bar({}, cols).length).toBeLessThanOrEqual(cols);
    expect(bar({}, 30)).toBe(' ctrl+a  W workspaces  ? help');
    expect(bar({}, 28)).toBe(' ctrl+a  ? help');
  });
});

describe('pane title', () => {
  const title = { name: 'pi · fix-login', facts: [{ text: '◐ working 4m' }], focused: true, tabs: [], zoomed: false };
  const text = (cols: number, over = {}) =>
    paneTitleLine({ ...title, ...over }, cols)
      .map((span) => span.text)
      .join('');
  it.each([
    [40, {}, '─ pi · fix-login ────── ◐ working 4m ─'],
    [31, {}, '─ pi · fix-lo… ─ ◐ working 4m ─'],
    [14, {}, '─ pi · fix-lo…'],
    [30, { zoomed: true, facts: [] }, '─ pi · fix-login zoomed ──────'],
    [
      32,
      {
        tabs: [
          { name: 'pi', shown: true },
          { name: 'diff', shown: false },
        ],
      },
      '─ pi │ diff ───── ◐ working 4m ─',
    ],
  ] as const)('in %i cells', (cols, over, expected) => {
    expect(text(cols, over).replace(/─+/g, '─')).toBe(expected.replace(/─+/g, '─'));
    expect(text(cols, over).length).toBe(cols);
  });

  it('tells which name stands where', () => {
    const tabs = [
      { name: 'pi', shown: true },
      { name: '漢字', shown: false },
    ];
    const hits = (over: object) => [0, 2, 3, 4, 5, 6, 7, 10, 11].map((x) => nameAt({ ...title, ...over }, x));
    expect(hits({ tabs })).toEqual([null, 0, 0, null, null, null, 1, 1, null]);
    expect(hits({ name: 'shell' })).toEqual([null, 0, 0, 0, 0, 0, null, null, null]);
  });
});
