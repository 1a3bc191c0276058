// The tracker on an imagined clock: order of trust, start-up, turns, done and looking, marks, and the faults that other tools had.
import { describe, expect, test } from 'vitest';
import { box, busy, dialog, idle, Play, RULE } from '../../test/support/play.ts';
import type { AgentFact } from './facts.ts';
import { isAsked, lookDue } from './tracker.ts';

describe('states', () => {
  test('the first idle after the start is idle, not done', () => {
    const play = new Play().screen(500, idle('Welcome')).until(10_000);
    expect(play.states).toEqual(['unknown', 'idle']);
  });

  test.each(['opencode', 'pi', 'copilot', 'claude'])('a %s that drew its box once and then nothing is ready', (kind) => {
    const bar = '▀'.repeat(50);
    const boxes: Record<string, string> = {
      opencode: `\n  ┃\n  ┃  Ask anything…\n  ┃\n  ┃  Build · Mock 1\n  ╹${bar}\n   tab agents`,
      copilot: `\n ╻${'▄'.repeat(50)}\n ┃ ▏\n ╹${bar}\n  / commands`,
      pi: `\n${RULE}\n▏\n${RULE}\n /tmp/x`,
    };
    const play = new Play(kind).screen(500, boxes[kind] ?? idle()).until(20_000);
    expect(play.state).toBe('idle');
    expect(play.tracker.evidence.ready).toBe(true);
  });

  test('a turn ends in done, which a look makes idle', () => {
    const play = new Play().working().screen(9000, idle()).until(15_000);
    expect(play.states).toEqual(['unknown', 'idle', 'working', 'done']);
    expect(play.status.turn).toBe(1);
    play.at(20_000, { fact: 'look' });
    expect(play.state).toBe('idle');
  });

  test('a sign that stood all the turn long ends it by going, but not by one frame without it', () => {
    const play = new Play().working().screen(8000, idle()).screen(8100, busy(8)).until(8900);
    expect(play.state).toBe('working');
    expect(play.screen(9000, idle()).until(9400).state).toBe('done');
  });

  test('while watched, done is said for an instant', () => {
    const play = new Play().working().at(8000, { fact: 'watch', on: true }).screen(9000, idle()).until(15_000);
    expect(play.states).toEqual(['unknown', 'idle', 'working', 'done', 'idle']);
  });

  test('an interrupt by a person ends in idle', () => {
    const play = new Play().working().key(8500).screen(9000, idle('⎿ Interrupted')).until(15_000);
    expect(play.state).toBe('idle');
  });

  test('a title runs ahead of its dialog: blocked at once, asked once it is drawn, or late as the title has it', () => {
    const play = new Play('qwen').title(5000, '✳ Qwen - project');
    expect([play.state, play.status.question]).toEqual(['blocked', null]);
    expect(isAsked(play.tracker, 5000)).toBe(false);
    expect(play.until(6000).status.question).toBeNull();
    expect(play.until(6300).status.question?.text).toBe('✳ Qwen - project');
    const drawn = new Play('qwen')
      .title(5000, '✳ Qwen - project')
      .screen(5130, " Allow execution of: 'sh'?\n\n › 1. Yes, allow once\n   2. No (esc)");
    expect(drawn.status.question?.text).toBe("Allow execution of: 'sh'?");
    expect(isAsked(drawn.tracker, 5130)).toBe(true);
  });

  test('a dialog is blocked at once, with its question, and working goes on after the answer', () => {
    const play = new Play().working().screen(8000, dialog);
    expect(play.state).toBe('blocked');
    expect(play.status.question?.options.map((o) => o.label)).toEqual(['Yes', 'No']);
    play.key(9000, true).screen(9200, busy(9));
    expect(play.states).toEqual(['unknown', 'idle', 'working', 'blocked', 'working']);
    expect(play.status.turn).toBe(1);
  });

  test('a notice over the prompt is no question: idle, and ready for a first prompt', () => {
    const offer = '   Try it\n\n ❯ Open it\n   Press Enter to open, any other key to close';
    const play = new Play().screen(500, offer).until(900);
    expect([play.state, play.tracker.evidence.ready]).toEqual(['unknown', false]);
    play.until(1000);
    expect([play.state, play.tracker.evidence.ready]).toEqual(['idle', true]);
    expect(play.until(20_000).states).toEqual(['unknown', 'idle']);
  });

  test('a notice that comes up while it works ends no turn by itself', () => {
    const play = new Play().working();
    for (let s = 0; s < 8; s++) play.screen(8000 + s * 300, `${' '.repeat(s)}@@\n ❯ Open it\n Press Enter to open, any other key to close`);
    expect(play.state).toBe('working');
  });

  test('exit beats everything', () => {
    const play = new Play().working().report(8000, 'working').at(9000, { fact: 'exit', code: 3, signal: null });
    expect(play.status).toMatchObject({ state: 'exited', exit: { code: 3, signal: null }, why: 'its process ended with code 3' });
  });

  test('every verdict names its reason and evidence', () => {
    const { status } = new Play().working();
    expect(status.why).not.toBe('');
    expect(status.evidence[0]).toMatchObject({ source: 'screen', says: 'working' });
  });

  test.each([
    ['draws the last of them after the carriage return', [4600, 'do'], [5400, 'do it all']],
    ['has drawn nothing of the last ones', [4300, 'do'], [6300, 'do']],
  ] as const)('an agent so slow that it %s has not refused the prompt', (_name, [before, drawn], [after, then]) => {
    const play = new Play()
      .screen(1000, idle('Welcome'))
      .key(4200)
      .key(4500)
      .screen(before, `Welcome\n${box(drawn)}`)
      .key(5000, true);
    play
      .screen(after, `Welcome\n${box(then)}`)
      .screen(8000, idle('Welcome'))
      .screen(8300, busy(0))
      .screen(8800, busy(1));
    expect(play.states).toEqual(['unknown', 'idle', 'working']);
  });

  test('a carriage return that leaves what was drawn in the box sends nothing', () => {
    const play = new Play()
      .screen(1000, idle('Welcome'))
      .key(4500)
      .screen(4600, `Welcome\n${box('do it')}`)
      .key(5000, true);
    expect(play.screen(5600, `Welcome\n${box('do it')}  `).until(7000).state).toBe('idle');
  });

  test('a prompt that was sent begins a turn; when nothing confirms it, none has ended', () => {
    const play = new Play()
      .screen(500, idle())
      .until(4000)
      .screen(4900, `x\n${box('do it')}`)
      .key(5000, true)
      .screen(5200, idle());
    expect(play.state).toBe('working');
    play.until(30_000);
    expect(play.states).toEqual(['unknown', 'idle', 'working', 'idle']);
    expect(play.status.turn).toBe(0);
  });

  test('a turn of which a sign was seen for a moment ends as any other', () => {
    const play = new Play()
      .screen(500, idle())
      .until(4000)
      .screen(4900, `x\n${box('do it')}`)
      .at(5000, { fact: 'input', by: 'herd', submit: true })
      .screen(5150, busy(0))
      .screen(5350, idle('● Three.'))
      .until(6000);
    expect(play.states).toEqual(['unknown', 'idle', 'working', 'done']);
    expect(play.status.turn).toBe(1);
  });

  test('after a prompt was sent its screen is looked at as often as while it rests, until it shows work', () => {
    const play = new Play()
      .screen(500, idle())
      .until(4000)
      .screen(4900, `x\n${box('do it')}`)
      .key(5000, true);
    // The last look at 5 s, output all the while.
    const due = () => lookDue(play.tracker, 5000, 5140);
    expect([play.state, due()]).toEqual(['working', 5150]);
    play.screen(5150, busy(0));
    expect([play.state, due()]).toEqual(['working', 5260]);
  });
});

describe('order of trust', () => {
  test('C01: working for a minute of partial repaints below a visible prompt', () => {
    const play = new Play().working();
    for (let s = 3; s < 63; s++) play.screen(5200 + s * 1000, busy(s));
    expect(play.states.at(-1)).toBe('working');
    expect(play.states.filter((state) => state === 'working')).toHaveLength(1);
  });

  test('a dialog in place of the composer beats a report and a title of work', () => {
    const play = new Play().working().report(7000, 'working').title(7100, '◐ x').screen(8000, dialog);
    expect(play.state).toBe('blocked');
  });

  test('a dialog quoted in the transcript does not', () => {
    const play = new Play().working().screen(8000, `${dialog}\n\n${busy(8)}`);
    expect(play.state).toBe('working');
  });

  test('a report outranks title and screen', () => {
    const play = new Play().working().report(8000, 'done');
    expect(play.state).toBe('done');
    expect(play.status.evidence[0]?.source).toBe('7501');
  });

  test('a report of work goes stale at a prompt that stands still (fault: stale working)', () => {
    const play = new Play().working().report(8000, 'working').screen(9000, idle()).until(20_000);
    expect(play.state).toBe('working');
    expect(play.until(40_000).state).toBe('done');
  });

  test('reports before the first prompt are debounced (fault: start-up flips)', () => {
    const play = new Play('codex').report(2000, 'working').report(2300, 'idle').until(6000);
    expect(play.states).toEqual(['unknown', 'idle']);
  });

  test('what another program in front prints is no evidence, and what the agent said before no longer counts', () => {
    const play = new Play().working().at(7000, { fact: 'foreground', ours: false, name: 'vim' }).report(7100, 'blocked');
    expect(play.status).toMatchObject({ state: 'unknown', why: 'vim is in front of the agent' });
  });

  test('a title left spinning is not believed for ever (fault: title kept its spinner)', () => {
    const play = new Play().working().title(6500, '◐ x').screen(9000, idle()).until(30_000);
    expect(play.state).toBe('done');
  });

  test('a title that turns is alive, however long nothing else moves', () => {
    const play = new Play().working();
    for (let at = 6600; at < 30_000; at += 200) play.title(at, `${'◐◓◑◒'[(at / 200) % 4]} x`).screen(at, idle('● Half a sen'));
    expect(play.state).toBe('working');
    expect(play.until(40_000).state).toBe('done');
  });

  test.each([
    ['that turned', [5700, 6200], ['✻', '✢'], 'done'],
    ['that came up with the prompt and turns its colours only', [5200, 6200], ['✻', '✻'], 'done'],
    ['that only stood in the answer', [6000, 6200], ['✻', '✻'], 'working'],
  ] as const)('a row with its key %s has gone', (_name, at, glyphs, state) => {
    const row = (i: number) => `> do it\n\n${glyphs[i]} Brewing… (esc to interrupt)\n${box('', '  ? for shortcuts')}`;
    const play = new Play()
      .screen(1000, idle('Welcome'))
      .key(4500)
      .screen(4600, `Welcome\n${box('do it')}`)
      .key(5000, true);
    play
      .screen(at[0], row(0))
      .screen(at[1], row(1))
      .screen(9000, `> do it\n\n● Done.\n${box('', '  ? for shortcuts')}`);
    expect(play.until(9500).state).toBe(state);
  });

  test('a draft typed meanwhile hides the sign of work, which ends no turn', () => {
    const play = new Play().working().screen(6600, `● Half a sen\n${box('', '  ⏸ manual mode on · esc to interrupt')}`);
    play.key(8000).screen(8100, `● Half a sen\n${box('and', '  ⏸ manual mode on')}`);
    expect(play.until(9000).state).toBe('working');
    expect(play.screen(9100, `● Half a sentence\n${box('', '  ⏸ manual mode on')}`).until(9500).state).toBe('idle');
  });

  test.each([
    ['before any turn', new Play().screen(1000, idle('Welcome')).until(4000), 'idle'],
    ['in a turn', new Play().working(), 'working'],
    ['in a turn that seemed over', new Play().working().screen(6500, idle()), 'working'],
  ])('a dialog %s was answered and something still moves: it is not waited for', (_name, play, state) => {
    play.screen(7000, dialog).until(8000).key(8100);
    for (let at = 8200; at < 9000; at += 100) play.screen(at, idle(`Tip ${'▁▂▃▄'[(at / 100) % 4]}`));
    expect(play.state).toBe(state);
  });

  test('a title at rest does not hide a spinner that turns (fault: titles switched off)', () => {
    const play = new Play().title(600, '✳ Claude Code').working();
    for (let s = 3; s < 10; s++) play.screen(5200 + s * 400, busy(s));
    expect(play.state).toBe('working');
  });

  test('the same glyph means another thing in another agent (fault: ✳)', () => {
    const rest = new Play('claude').screen(500, idle()).until(4000).title(5000, '✳ x').until(9000);
    expect(rest.state).toBe('idle');
    expect(new Play('qwen').title(5000, '✳ Qwen - project').until(9000).state).toBe('blocked');
  });

  test('a quoted spinner that never moves is not work; one that turned and froze is stalled work', () => {
    const quote = `✻ Brewing… (7s)\n${box()}`;
    const play = new Play().screen(500, idle()).until(4000).key(4500, true).screen(5000, quote).until(30_000);
    expect(play.state).not.toBe('working');
    const frozen = new Play().working().until(120_000);
    expect(frozen.status).toMatchObject({ state: 'working', marks: { stalled: true } });
  });

  test('hooks: out of order is dropped, a newer screen corrects', () => {
    const hook = (sequence: number, state: 'working' | 'blocked' | 'idle'): AgentFact => ({ fact: 'hook', sequence, state });
    const play = new Play().screen(500, idle()).until(4000).at(5000, hook(2, 'working')).at(5100, hook(1, 'blocked'));
    expect(play.state).toBe('working');
    expect(play.until(30_000).state).toBe('done');
  });
});

describe('what moves and what does not', () => {
  test('echo of keys and of resizes is not work', () => {
    const play = new Play().screen(500, idle()).until(40_000);
    for (let i = 0; i < 30; i++) play.key(41_000 + i * 200).screen(41_050 + i * 200, `menu ${i}\n${box('x'.repeat(i))}`);
    play.at(48_000, { fact: 'resize' });
    for (let i = 0; i < 4; i++) play.screen(48_050 + i * 100, `wrapped ${i}\n${box()}`);
    expect(play.until(60_000).states).toEqual(['unknown', 'idle']);
  });

  test('no rule fits any more: motion is work, and its end needs a long quiet (fault: labels and glyphs drift)', () => {
    const play = new Play()
      .screen(500, idle())
      .until(4000)
      .screen(4900, `x\n${box('do it')}`)
      .key(5000, true);
    for (let i = 0; i < 30; i++) play.screen(5200 + i * 300, `%% toiling ${i}\n${box()}`);
    expect(play.state).toBe('working');
    expect(play.until(16_000).state).toBe('working');
    expect(play.until(19_000).state).toBe('done');
  });

  test('an unknown command: motion is work, rest is unknown, never a finish', () => {
    const play = new Play('generic');
    for (let i = 0; i < 20; i++) play.screen(1000 + i * 250, `building ${i}`);
    expect(play.state).toBe('working');
    play.until(60_000);
    expect(play.states).toEqual(['unknown', 'working', 'unknown']);
  });

  test('C03: a menu of an unknown command is blocked', () => {
    expect(new Play('generic').screen(1000, 'Overwrite config? [y/N] ▏').until(5000).state).toBe('blocked');
  });

  test('a view over the screen keeps the last state (fault: transcript viewer)', () => {
    const play = new Play().working().screen(8000, 'old text\nmore\n Showing detailed transcript · ctrl+o to toggle').until(12_000);
    expect(play.state).toBe('working');
  });
});

describe('marks', () => {
  test('C06: a turn that ended while jobs run on is not done until they are over', () => {
    const jobs = `○ 1 command still running · send a message to interrupt\n${box()}`;
    const play = new Play().title(600, '✳ x').working().screen(9000, jobs).title(9100, '✳ x').until(20_000);
    expect(play.states).not.toContain('done');
    expect(play.status.marks.background).toMatch(/1 command still running/);
    expect(play.screen(30_000, idle()).until(40_000).state).toBe('done');
  });

  test('child records that work are background, and are forgotten when cleared', () => {
    const play = new Play().working().report(7000, 'working', { id: 'a' }).report(8000, 'done');
    expect(play.status.marks.background).toBe('1 of its jobs report work');
    play.report(9000, 'clear', { id: 'a' });
    expect(play.state).toBe('done');
  });

  test('error, limit, context and cost as printed', () => {
    const play = new Play().working().screen(9000, idle('  ⎿ x\nAPI Error: 500 overloaded')).until(15_000);
    expect(play.status.marks.error).toMatch(/^API Error: 500/);
    const limited = new Play().screen(500, idle('5-hour limit reached ∙ resets 3pm')).until(4000);
    expect(limited.status.marks.limit).toEqual({ kind: 'usage', resets: '3pm' });
    expect(new Play('pi').screen(500, `${RULE}\n▏\n${RULE}\n~/x\n$0.042 1.1%/128k (auto)`).until(3000).status.marks).toMatchObject({
      context: '1.1%/128k',
      cost: '$0.042',
    });
  });

  test('the same status object while nothing changes', () => {
    const play = new Play().screen(500, idle()).until(10_000);
    const { status } = play;
    expect(play.until(90_000).status).toBe(status);
  });
});
