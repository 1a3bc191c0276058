// Faults of other tools that judge agents by their screens, from public reports: each as the evidence that misled them and the state that is
// right. docs/detection.md says which test holds which.
import { describe, expect, test } from 'vitest';
import { box, busy, dialog, idle, Play, RULE } from '../../test/support/play.ts';
import type { AgentFact } from './facts.ts';
import { isHeadless, KINDS } from './kinds/table.ts';

const hook = (sequence: number, state: 'working' | 'blocked' | 'idle'): AgentFact => ({ fact: 'hook', sequence, state });
const codexBox = '\n› ▏Ask Codex to do anything\n\n  gpt · ~/x\n  ← for agents · ? for shortcuts';
/** A Codex that was given a prompt at 5 s. */
const codex = () =>
  new Play('codex').screen(1000, codexBox).until(4900).screen(4950, codexBox.replace('Ask Codex to do anything', 'do it')).key(5000, true);

describe('false blocked', () => {
  test('an approval that was answered stands in the transcript', () => {
    const old = '  Would you like to run it?\n\n› 1. Yes (y)\n  2. No (esc)\n\n  Press enter to confirm or esc to cancel\n\n• Ran it\n';
    const play = codex();
    for (let s = 0; s < 8; s++) play.screen(5200 + s * 500, `${old}\n• Working (${s}s • esc to interrupt)\n${codexBox}`);
    expect(play.screen(9500, old + codexBox).until(20_000).states).not.toContain('blocked');
  });

  test('a hook that said blocked is not cleared, and the prompt is back', () => {
    const play = new Play().working().at(8000, hook(1, 'blocked')).screen(8100, dialog).screen(12_000, idle()).until(20_000);
    expect(play.state).toBe('done');
  });
});

describe('stale or missing work', () => {
  test.each(['⠹', '◐', '◓', '◑', '◒'])('Claude turns %s in its title', (glyph) => {
    expect(new Play().screen(500, idle()).until(4000).key(4500, true).title(5000, `${glyph} topic`).until(6500).state).toBe('working');
  });

  test('a frame that the rules do not know does not flip the state', () => {
    const play = new Play().working();
    for (let s = 3; s < 60; s++) play.screen(5200 + s * 300, busy(s).replace('✻', s % 6 === 0 ? '❄' : '✻'));
    expect(play.states.filter((state) => state === 'done')).toEqual([]);
  });

  test('the title says for two minutes what the screen no longer says', () => {
    const play = new Play().title(600, '✳ x').working().title(5300, '◐ x').screen(9000, idle());
    expect(play.until(20_000).state).toBe('done');
    expect(play.title(120_000, '✳ x').until(125_000).state).toBe('done');
  });

  test.each([
    ['another word and glyph', (s: number) => `◦ Pondering deeply (${s}s • esc to interrupt)`],
    ['its key is not bound', (s: number) => `• Working (${s}s)`],
    ['animations are off: only the seconds count', (s: number) => `• Working (${s}s • esc to interrupt)`],
  ])("Codex's status row, %s", (_name, row) => {
    const play = codex();
    for (let s = 0; s < 30; s++) play.screen(5200 + s * 1000, `${row(s)}\n${codexBox}`);
    expect(play.state).toBe('working');
    expect(play.states.filter((state) => state === 'done')).toEqual([]);
    expect(play.screen(36_000, `• Done.\n${codexBox}`).until(45_000).state).toBe('done');
  });

  test('its status row without a key, as a command in the transcript, is no work for long', () => {
    const play = codex().screen(5300, `• Ran the tests (12s)\n${codexBox}`).until(20_000);
    expect(play.state).not.toBe('working');
  });

  test('a run without a screen of its own works until it ends', () => {
    const play = new Play('codex', { headless: true });
    play.screen(1000, 'OpenAI Codex\n--------\nworkdir: /x\n--------').until(60_000);
    expect(play.states).toEqual(['working']);
    expect(play.at(61_000, { fact: 'exit', code: 0, signal: null }).state).toBe('exited');
  });

  test.each([
    [['codex', 'exec', 'fix it'], true],
    [['codex', 'fix exec'], false],
    [['claude', '-p', 'fix it'], true],
    [['claude', '--', '-p'], false],
  ])('%j has none: %s', (argv, expected) => {
    expect(isHeadless(KINDS.get(argv[0]!)!, argv)).toBe(expected);
  });
});

test('a dialog that was answered waits for nobody, also where no box is known again', () => {
  const play = new Play().working().screen(8000, dialog).until(9000);
  expect(play.state).toBe('blocked');
  play.key(9100).screen(9200, '● Bash(ls)\n  Running');
  expect(play.until(9600).state).toBe('working');
  expect(play.until(40_000).state).toBe('unknown');
});

test('a dialog that goes without a key may come again', () => {
  const play = new Play().working().screen(8000, dialog).until(9000).screen(9200, '');
  expect(play.until(9900).state).toBe('blocked');
});

describe('narrow panes', () => {
  test('a dialog whose footer the agent itself wraps at 36 columns', () => {
    const wrapped =
      ' Do you want to make this edit to\n NOTES.md?\n ▏❯ 1. Yes\n   2. Yes, allow all edits\n      during this session\n      (shift+tab)\n   3. No\n\n Esc to cancel · Tab\n to amend';
    const play = new Play().working().screen(8000, wrapped, 36);
    expect(play.state).toBe('blocked');
    expect(play.status.question?.text).toBe('Do you want to make this edit to NOTES.md?');
  });

  test('options of an unknown tool wrapped at 40 columns', () => {
    const asks = ' Run this command?\n  → Run (y)\n    Add shell(npm test) to allowlist?\n    (tab)\n    Reject (esc or n)';
    expect(new Play('generic').screen(1000, asks).until(9000).state).toBe('blocked');
  });
});

describe('start-up', () => {
  const trust =
    '> You are in /x\n\n  Do you trust the contents of this directory?\n\n› 1. Yes, continue\n  2. No, quit\n\n  Press enter to continue';

  test("a trust form below the shell's line, with the shell's title still there", () => {
    const play = new Play('codex').title(100, 'dev@host: ~/x').screen(500, `dev@host:~/x$ codex\n\n${trust}`).until(10_000);
    expect(play.states).toEqual(['unknown', 'blocked']);
    expect(play.status.question?.kind).toBe('trust');
  });

  test.each([
    ['an update', 'codex', '✨ Update available! 1.0 -> 1.1\n\n› 1. Update now\n  2. Skip\n\n  Press enter to continue'],
    ['a login', 'claude', ' Select login method:\n\n ▏❯ 1. Account with subscription\n   2. API key'],
    [
      'a review of hooks',
      'codex',
      '  Hooks need review\n\n› 1. Trust all\n  2. Continue without trusting\n\n  Press enter to confirm or esc to go back',
    ],
    [
      'a trust form of an unknown tool',
      'generic',
      ' Do you trust this folder?\n\n  ▸ Yes, I trust it\n    No, exit\n\n  ↑/↓ navigate · enter select',
    ],
  ])('%s is a question, not idle', (_name, kind, screen) => {
    expect(new Play(kind).screen(500, screen).until(10_000).states).toEqual(['unknown', 'blocked']);
  });
});

describe('views', () => {
  test("the agent's own scrolled view hides the live turn, not its footer", () => {
    const scrolled = `older text\n          Jump to bottom (ctrl+End) ↓\n${box('', '  ⏸ manual mode on · esc to interrupt')}`;
    expect(new Play().working().screen(8000, scrolled).until(30_000).state).toBe('working');
  });

  test('a menu of commands over a prompt at rest is not work and no question', () => {
    const menu = `● Hi.\n${RULE}\n❯ /mod▏\n${RULE}\n  /model       Set the model\n  /memory      Edit memory`;
    expect(new Play().screen(500, idle()).until(4000).key(4100).screen(4150, menu).until(20_000).states).toEqual(['unknown', 'idle']);
  });
});

test('a hook of a restarted agent begins with a low number again, and counts', () => {
  const first = new Play().screen(500, idle()).until(4000).at(5000, hook(900, 'working'));
  expect(first.state).toBe('working');
  const second = new Play().screen(500, idle()).until(4000).at(5000, hook(1, 'working'));
  expect(second.state).toBe('working');
});
