import { expect, test } from 'vitest';
import { type AgentView, drawAgent } from './agent-screen.ts';

test.each([1, 20, 21, 60])(
  'text of %i rows in the box of a screen of 24 rows: as many rows as there are, the last of them shown',
  (count) => {
    const composer = Array.from({ length: count }, (_, i) => `row ${i + 1}.`).join('\n');
    const transcript: AgentView['transcript'] = Array.from({ length: 30 }, (_, i) => ({ kind: 'agent', text: `said ${i + 1}` }));
    const drawn = drawAgent({ transcript, status: null, composer, dialog: null }, 40, 24, 0);
    const rows = [...drawn.matchAll(/\x1b\[(\d+);1H([^\x1b]*)/g)].map(([, row, text]) => [Number(row), text]);
    expect(rows.map(([row]) => row)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
    expect(drawn).toContain(`row ${count}.`);
  },
);
