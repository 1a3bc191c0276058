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

test('a status reported before the rest of its output is parsed does not hide that output', () => {
  vi.useFakeTimers();
  try {
    let rows = ['nothing yet'];
    const screen = { changes: 1, synchronized: false, text: () => screenOf(rows) };
    const watch = new AgentWatch({
      ...{ kind: KINDS.get('generic')!, screen, started: Date.now(), headless: false, stallAfter: 60_000, known: null, said: [] },
      now: () => Date.now(),
      wakeUps: new WakeUps(() => performance.now()),
      onStatus: () => {},
    });
    vi.advanceTimersByTime(1000);
    watch.fact({ fact: 'terminal', report: { fact: 'status', report: { id: '', state: 'blocked', message: 'Run it?' } } });
    // The same parse goes on: its count does not.
    rows = ['Run this command?', '', '❯ 1. Yes', '  2. No', '', 'Enter to confirm · Esc to cancel'];
    watch.screenChanged();
    vi.advanceTimersByTime(2000);
    expect(watch.status.question?.options.map((option) => option.label)).toEqual(['Yes', 'No']);
    watch.close();
  } finally {
    vi.useRealTimers();
  }
});
