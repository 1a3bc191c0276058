// The delivery machine against imagined screens: where it writes, what, and above all where it does not.
import { describe, expect, test } from 'vitest';
import { screenOf } from '../../test/support/screen-of.ts';
import type { AgentStatus } from '../model/agent.ts';
import { couldNotWrite, type DeliveryAction, planDelivery, resumeDelivery, step, wrote } from './deliver.ts';
import { KINDS } from './kinds/table.ts';
import { cleanPrompt, pasteBytes } from './prompt-bytes.ts';

const RULE = '─'.repeat(60);
const claude = KINDS.get('claude')!;
const box = (draft: string) => `● Hello.\n\n${RULE}\n❯ ${draft}▏\n${RULE}\n  ? for shortcuts`;
const dialog = ' Do you want to proceed?\n ▏❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend';
const status = (state: AgentStatus['state'] = 'idle', turn = 0): AgentStatus => ({
  kind: 'claude',
  state,
  since: 0,
  why: '',
  evidence: [],
  marks: {},
  question: null,
  turn,
});
const see = (screen: string, at: number, o: { state?: AgentStatus['state']; turn?: number; paste?: boolean } = {}) => ({
  screen: { ...screenOf(screen), bracketedPaste: o.paste ?? true },
  status: status(o.state, o.turn),
  stood: 60_000,
  at,
});
const bytes = (action: DeliveryAction) => ('do' in action && action.do === 'write' ? new TextDecoder().decode(action.bytes) : '');

describe('the way of a prompt', () => {
  test('paste, seen, still, enter alone, accepted', () => {
    const delivery = planDelivery(claude, 'fix it\nnow', 0);
    const paste = step(delivery, see(box(''), 0));
    expect(paste).toMatchObject({ do: 'write', step: 'paste' });
    expect(bytes(paste)).toBe('\x1b[200~fix it\nnow\x1b[201~');
    wrote(delivery, 'paste', 10);
    expect(step(delivery, see(box(''), 50))).toMatchObject({ do: 'wait' });
    expect(step(delivery, see(box('fix it\n  now'), 100))).toEqual({ do: 'wait', until: 400 });
    const enter = step(delivery, see(box('fix it\n  now'), 400));
    expect(bytes(enter)).toBe('\r');
    wrote(delivery, 'enter', 410);
    expect(step(delivery, see(box('fix it\n  now'), 500))).toEqual({ do: 'wait', until: 3410 });
    expect(step(delivery, see(box(''), 700))).toMatchObject({ done: 'accepted' });
  });

  test('a folded paste is known by its mark', () => {
    const delivery = resumeDelivery(claude, 'line\n'.repeat(200), 'paste', 0, 0);
    step(delivery, see(box('[Pasted text #1 +199 lines]'), 100));
    expect(bytes(step(delivery, see(box('[Pasted text #1 +199 lines]'), 500)))).toBe('\r');
  });

  test('a swallowed enter is pressed once more, and only once', () => {
    const delivery = resumeDelivery(claude, 'fix it', 'enter', 0, 0);
    expect(bytes(step(delivery, see(box('fix it'), 3000)))).toBe('\r');
    wrote(delivery, 'enter', 3000);
    expect(step(delivery, see(box('fix it'), 8000))).toMatchObject({ do: 'wait' });
    expect(step(delivery, see(box('fix it'), 12_000))).toMatchObject({ done: 'undelivered' });
  });

  test('accepted when the turn went on, whatever the box shows', () => {
    const delivery = resumeDelivery(claude, 'fix it', 'enter', 4, 0);
    expect(step(delivery, see('…', 100, { state: 'working', turn: 5 }))).toEqual({ done: 'accepted', turn: 5 });
  });

  test('not accepted by a turn that went on while the prompt still stands in the box', () => {
    const delivery = resumeDelivery(claude, 'fix it', 'enter', 4, 0);
    expect(step(delivery, see(box('fix it'), 100, { state: 'working', turn: 5 }))).toMatchObject({ do: 'wait' });
    expect(step(delivery, see(box(''), 200, { state: 'working', turn: 5 }))).toEqual({ done: 'accepted', turn: 5 });
  });

  test.each(['paste', 'enter'] as const)('after a crash at %s nothing is pasted again', (at) => {
    const delivery = resumeDelivery(claude, 'fix it', at, 0, 0);
    for (const screen of [box(''), box('fix it'), dialog, box('mine')])
      for (const now of [0, 500, 4000, 20_000]) expect(bytes(step(delivery, see(screen, now)))).not.toContain('fix');
  });
});

describe('a notice over the input box', () => {
  const cline = KINDS.get('cline')!;
  const offer = [
    '      Try it now, for less',
    '  ────                                    ────',
    '  ❯ Wh Open the offer                       x',
    '       Press Enter to open, any other key to',
    '       close',
  ].join('\n');
  const prompt = `${'─'.repeat(40)}\n❯ ▏\n${'─'.repeat(40)}\n mock-1`;

  test('is closed by escape and never by enter; then the prompt is pasted', () => {
    const delivery = planDelivery(cline, 'fix it', 0);
    expect(bytes(step(delivery, see(offer, 0)))).toBe('\x1b');
    wrote(delivery, 'close', 10);
    expect(step(delivery, see(offer, 500))).toMatchObject({ do: 'wait' });
    expect(step(delivery, see(prompt, 600))).toMatchObject({ do: 'write', step: 'paste' });
  });

  test('escape goes as the program asked for keys', () => {
    const sight = see(offer, 0);
    const action = step(planDelivery(cline, 'fix it', 0), { ...sight, screen: { ...sight.screen, kittyFlags: 1 } });
    expect(bytes(action)).toBe('\x1b[27u');
  });

  test('that stays is not pressed at for ever', () => {
    const delivery = planDelivery(cline, 'fix it', 0);
    for (const at of [0, 5000]) {
      expect(step(delivery, see(offer, at))).toMatchObject({ do: 'write', step: 'close' });
      wrote(delivery, 'close', at);
    }
    expect(step(delivery, see(offer, 20_000))).toMatchObject({ done: 'refused' });
  });

  test('that comes up over a pasted prompt gets no key', () => {
    const delivery = resumeDelivery(cline, 'fix it', 'paste', 0, 0);
    for (const at of [100, 5000, 20_000]) expect(bytes(step(delivery, see(offer, at)))).toBe('');
  });
});

describe('where nothing is written', () => {
  const cases: [name: string, screen: string, o: Parameters<typeof see>[2], reason: RegExp][] = [
    ['C08: into a dialog', dialog, { state: 'blocked' }, /^blocked/],
    ['into a dialog that the state does not know yet', dialog, {}, /^blocked/],
    ['over a draft', box('my own'), {}, /draft/],
    ['while it works', box(''), { state: 'working' }, /works/],
    ['after its exit', box(''), { state: 'exited' }, /exited/],
    ['without an input box', '$ ▏', {}, /input box/],
    ['into a field between lines that is no box of its', `Settings\n${'═'.repeat(90)}\n ▏\n${'═'.repeat(90)}`, {}, /input box/],
  ];
  test.each(cases)('%s', (_name, screen, o, reason) => {
    // Later than an agent takes its box away for as it draws anew.
    const action = step(planDelivery(claude, 'fix it', 0), see(screen, 3000, o));
    expect(action).toMatchObject({ done: 'refused' });
    expect('reason' in action && action.reason).toMatch(reason);
  });

  test('what stands in its box only while it is drawn anew is no draft', () => {
    const delivery = planDelivery(claude, 'fix it', 0);
    expect(step(delivery, see(box('an older prompt'), 100))).toEqual({ do: 'wait', until: 600 });
    expect(bytes(step(delivery, see(box(''), 200)))).toContain('fix it');
    const other = planDelivery(claude, 'fix it', 0);
    step(other, see(box('my own'), 100));
    expect(step(other, see(box('my own'), 600))).toMatchObject({ done: 'refused' });
  });

  test('a dialog between paste and enter', () => {
    const delivery = resumeDelivery(claude, 'fix it', 'paste', 0, 0);
    expect(step(delivery, see(dialog, 100))).toMatchObject({ done: 'undelivered' });
  });

  test('a person types beside the pasted text', () => {
    const delivery = resumeDelivery(claude, 'fix it', 'paste', 0, 0);
    expect(step(delivery, see(box('fix it please'), 9000))).toMatchObject({ done: 'undelivered' });
  });

  test('another program in front', () => {
    expect(couldNotWrite(planDelivery(claude, 'x', 0), 'vim is in front')).toEqual({ done: 'refused', reason: 'vim is in front' });
  });

  test('an unknown command without bracketed paste; a shell', () => {
    expect(step(planDelivery(KINDS.get('generic')!, 'x', 0), see('> ▏', 0, { paste: false }))).toMatchObject({ done: 'refused' });
    expect(step(planDelivery(KINDS.get('shell')!, 'x', 0), see('$ ▏', 0))).toMatchObject({ done: 'refused' });
  });
});

describe('patience', () => {
  test('the first prompt waits through a start of 90 s and a trust dialog', () => {
    const delivery = planDelivery(claude, 'fix it', 0, 120_000);
    expect(step(delivery, see('', 1000))).toEqual({ do: 'wait', until: 120_000 });
    expect(step(delivery, see(dialog, 60_000, { state: 'blocked' }))).toMatchObject({ do: 'wait' });
    expect(bytes(step(delivery, see(box(''), 90_000)))).toContain('fix it');
  });

  test('an agent that has just drawn its box does not read keys yet', () => {
    const delivery = planDelivery(KINDS.get('codex')!, 'fix it', 0, 90_000);
    expect(step(delivery, { ...see('› ▏\n\n  model', 1000), stood: 500 })).toEqual({ do: 'wait', until: 3500 });
  });
});

describe('C10: what arrives', () => {
  test.each([
    ['a\r\nb\rc\td', 'a\nb\nc\td'],
    ['x\x1b[201~rm -rf /\r', 'x[201~rm -rf /'],
    ['x\x9b201~y\x7f\x00\x07', 'x201~y'],
    ['\n\nhello  \n\n', 'hello'],
    ['half \ud83d pair', 'half \ufffd pair'],
  ])('%j', (text, clean) => {
    expect(cleanPrompt(text)).toBe(clean);
  });

  test('40 kB in one paste with one end', () => {
    const pasted = new TextDecoder().decode(pasteBytes(cleanPrompt('é\x1b[201~\n'.repeat(8000))));
    expect(pasted.split('\x1b[201~')).toHaveLength(2);
    expect(pasted.endsWith('\x1b[201~')).toBe(true);
  });
});
