import { expect, test } from 'vitest';
import type { OuterAct } from './face.ts';
import { ProgramLooks } from './program-looks.ts';

test('what the program in front wants is said once; the next one in front has its own', () => {
  const acts: OuterAct[] = [];
  const looks = new ProgramLooks({ act: (act) => void acts.push(act) });
  const busy = { cursorColour: '#ff0000', progress: { state: 1 as const, value: 50 } };
  for (const terminal of [{}, busy, busy, {}, null, { cursorColour: '#00ff00' }]) looks.show(terminal);
  expect(acts).toEqual([
    { act: 'cursor-colour', colour: '#ff0000' },
    { act: 'progress', state: 1, value: 50 },
    { act: 'cursor-colour', colour: null },
    { act: 'progress', state: 0, value: null },
    { act: 'cursor-colour', colour: '#00ff00' },
  ]);
});
