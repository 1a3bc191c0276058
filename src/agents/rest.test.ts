// The end of a turn told by what a program writes while nothing is to be seen of it.
import { expect, test } from 'vitest';
import { Play } from '../../test/support/play.ts';

const BOX = '\n› ▏Ask Codex to do anything\n\n  gpt · ~/x\n  ← for agents · ? for shortcuts';

/** A Codex that was given a prompt at 5 s, has streamed half a sentence at 7 s and writes every 100 ms from then on. */
function streaming(until: number, kind = 'codex'): Play {
  const play = new Play(kind).screen(1000, BOX).until(4900).screen(4950, BOX.replace('Ask Codex to do anything', 'do it')).key(5000, true);
  for (let s = 0; s < 4; s++) play.screen(5200 + s * 300, `• Working (${s}s • esc to interrupt)\n${BOX}`);
  play.screen(7000, `• Half a sen\n${BOX}`);
  for (let at = 7000; at <= until; at += 100) play.at(at, { fact: 'output' });
  return play;
}

test('as long as it writes its turn goes on, and ends soon after it has stopped', () => {
  const play = streaming(30_000);
  expect(play.state).toBe('working');
  expect(play.until(30_700).state).toBe('working');
  expect(play.until(30_900).state).toBe('done');
});

test('one that writes for ever is not believed for ever', () => {
  expect(streaming(70_000).state).toBe('done');
});

test('a pause between two writes teaches nothing before there was a run of them', () => {
  const play = streaming(7300);
  expect(play.until(9500).state).toBe('working');
  expect(play.until(9700).state).toBe('done');
});

test('what a person types is no run of writes', () => {
  const play = streaming(7000);
  for (let at = 8000; at < 9000; at += 900) play.key(at).at(at + 20, { fact: 'output' });
  expect(play.until(9500).state).toBe('working');
});
