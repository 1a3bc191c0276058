import { expect, test, vi } from 'vitest';
import { KINDS } from '../../agents/kinds/table.ts';
import type { ScreenText } from '../../model/screen-text.ts';
import { AgentWatch } from './agent-watch.ts';
import { WakeUps } from './wake-ups.ts';

const screenOf = (rows: string[]): ScreenText => ({
  ...{ cols: 60, rows: rows.length, alternate: false, bracketedPaste: true, kittyFlags: 0 },
  lines: rows.map((text) => ({ text, wrapped: false, runs: [] })),
  cursor: { x: 0, y: 0, visible: true },
});

const DIALOG = ['Run this command?', '', '❯ 1. Yes', '  2. No', '', 'Enter to confirm · Esc to cancel'];

/** An agent of an unknown kind before a screen of `rows`, which `draw` changes. */
function watched(rows: string[]): { watch: AgentWatch; draw(rows: string[]): void; redraw(rows: string[]): void } {
  const screen = { changes: 1, synchronized: false, text: () => screenOf(rows) };
  const watch = new AgentWatch({
    ...{ kind: KINDS.get('generic')!, screen, started: Date.now(), headless: false, stallAfter: 60_000, known: null, said: [] },
    now: () => Date.now(),
    wakeUps: new WakeUps(() => performance.now()),
    onStatus: () => {},
  });
  const redraw = (now: string[]): void => {
    rows = now;
    watch.screenChanged();
  };
  const draw = (now: string[]): void => {
    screen.changes++;
    redraw(now);
  };
  redraw(rows);
  return { watch, draw, redraw };
}

test('who looks again and again whether its dialog still stands does not keep its state from being judged', () => {
  vi.useFakeTimers();
  try {
    const { watch, draw } = watched(DIALOG);
    watch.fact({ fact: 'terminal', report: { fact: 'status', report: { id: '', state: 'blocked' } } });
    vi.advanceTimersByTime(3000);
    expect(watch.status.state).toBe('blocked');
    watch.fact({ fact: 'input', by: 'person', submit: true });
    draw([...DIALOG, '']);
    // Reported before what replaces the dialog is drawn.
    watch.fact({ fact: 'terminal', report: { fact: 'status', report: { id: '', state: 'working' } } });
    for (let i = 0; i < 20; i++) {
      draw([`it runs ${i}`]);
      expect(watch.asks()).toBeNull();
      vi.advanceTimersByTime(40);
    }
    expect([watch.status.state, watch.status.question]).toEqual(['working', null]);
    watch.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a status reported before the rest of its output is parsed does not hide that output', () => {
  vi.useFakeTimers();
  try {
    const { watch, redraw } = watched(['nothing yet']);
    vi.advanceTimersByTime(1000);
    watch.fact({ fact: 'terminal', report: { fact: 'status', report: { id: '', state: 'blocked', message: 'Run it?' } } });
    // The same parse goes on: its count does not.
    redraw(DIALOG);
    vi.advanceTimersByTime(2000);
    expect(watch.status.question?.options.map((option) => option.label)).toEqual(['Yes', 'No']);
    watch.close();
  } finally {
    vi.useRealTimers();
  }
});
