// The end of a turn told by the hints below the box, whatever their words: on an imagined clock, with a claude whose rules no longer fit.
import { expect, test } from 'vitest';
import { box, Play } from '../../test/support/play.ts';
import { createFooterSign, learnFooter, noteFooter } from './footer.ts';
import type { Look } from './look.ts';

const REST = '  ⏸ Handbetrieb · ? Tasten · ← Agenten';
const WORK = '  ⏸ Handbetrieb · F9 hält an · ← Agenten';
const TEXT = ['● Eine', '● Eine Zeile', '● Eine Zeile und', '● Eine Zeile und noch', '● Eine Zeile und noch eine.'];

/** Given a prompt at 5 s; streams text from 6 s to 8 s below a footer at 5.6 s and those of each half second, the last one again and again. */
function turn(footers: string[]): Play {
  const play = new Play()
    .screen(1000, `Hallo\n${box('', REST)}`)
    .key(4000)
    .screen(4100, `Hallo\n${box('los', REST)}`)
    .key(5000, true);
  play.screen(5600, `Hallo\n${box('', footers[0])}`);
  for (const [i, text] of TEXT.entries()) play.screen(6000 + i * 500, `${text}\n${box('', footers[i + 1] ?? footers.at(-1))}`);
  return play;
}
const ENDED = TEXT.at(-1)!;

test.each([
  ['as before', REST],
  ['as before, but for a hint that a narrow one drops', '  ⏸ Handbetrieb · ? Tasten'],
  ['as before, but for a number', `${REST} `],
])('hints that came with the turn have gone, and it is %s: the turn is over', (_name, after) => {
  const play = turn([WORK]).screen(8200, `${ENDED}\n${box('', after)}`);
  expect(play.until(8700).state).toBe('working');
  expect(play.until(8900).state).toBe('done');
});

test.each([
  ['the hints of the turn stand on', [WORK], WORK],
  ['another hint takes their place', [WORK], '  ⏸ Handbetrieb · noch 3 Werkzeuge'],
  ['no hint came with it', [REST], REST],
  ['a hint stood for a moment only', [WORK, REST], REST],
  ['they have gone, and nothing of what made room for them is back', [WORK], '  ⏸ Handbetrieb · ← Agenten'],
])('%s: only a long quiet ends the turn', (_name, footers, after) => {
  const play = turn(footers).screen(8200, `${ENDED}\n${box('', after)}`);
  expect(play.until(10_500).state).toBe('working');
  expect(play.until(12_000).state).toBe('done');
});

test('what a draft hides is not gone', () => {
  const play = turn([WORK])
    .key(8100)
    .screen(8200, `${ENDED}\n${box('und dann', '  ⏸ Handbetrieb')}`);
  expect(play.until(10_500).state).toBe('working');
});

const looked = (draft: string, ...footer: string[]) => ({ composer: { draft }, footer }) as unknown as Look;

test('the hints of rest are those below an empty box: what a draft shows, or a screen without a box, teaches nothing', () => {
  const sign = createFooterSign();
  learnFooter(sign, looked('typed', 'tab to complete'));
  learnFooter(sign, { ...looked(''), composer: null });
  learnFooter(sign, null);
  expect(sign.rest).toBeNull();
  learnFooter(sign, looked('', '? for keys'));
  expect(sign).toEqual({ rest: ['? for keys'], other: null, back: null });
});

test('hints of the turn that come again after those of rest begin the wait anew', () => {
  const sign = createFooterSign();
  learnFooter(sign, looked('', '? for keys'));
  noteFooter(sign, looked('', 'esc to stop'), 1000);
  noteFooter(sign, looked('', '? for keys'), 2000);
  expect(sign).toMatchObject({ other: { at: 1000, room: ['? for keys'] }, back: 2000 });
  noteFooter(sign, looked('', 'esc to stop'), 2500);
  expect(sign.back).toBeNull();
  noteFooter(sign, looked('', '? for keys'), 3000);
  noteFooter(sign, looked('', '? for keys'), 3500);
  expect(sign.back).toBe(3000);
});

test('a hint must have stood for 600 ms to be one of the turn', () => {
  for (const [stood, other] of [
    [599, false],
    [600, true],
  ] as const) {
    const sign = createFooterSign();
    learnFooter(sign, looked('', '? for keys'));
    noteFooter(sign, looked('', 'esc to stop'), 0);
    noteFooter(sign, looked('', '? for keys'), stood);
    expect(sign.other !== null).toBe(other);
  }
});
