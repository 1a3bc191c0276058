// Every act on a pane that shows nothing yet: none throws, none asks for anything.
import { expect, test } from 'vitest';
import { actTarget } from './act-target.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import { needsOf } from './needs.ts';
import { createDiffView } from './view.ts';
import { hunkPatch, targetOf, yankText } from './yank.ts';

const view = createDiffView(60, 20);

test('there is nothing to act on', () => {
  expect([actTarget(view), hunkPatch(view, 0, 0), targetOf(view), yankText(view), needsOf(view)]).toEqual([null, null, null, '', []]);
});

const INTENTS: DiffIntent[] = [
  ...(['line', 'page', 'half', 'scroll', 'sideways'] as const).map((what) => ({ do: what, by: 1 })),
  ...(['hunk', 'file', 'comment'] as const).map((what) => ({ do: what, by: -1 as const })),
  ...(['top', 'bottom', 'fold', 'fold-hunk', 'fold-all', 'viewed', 'whole-file', 'load', 'wrap', 'select', 'cancel', 'list'] as const).map(
    (what) => ({ do: what }),
  ),
  { do: 'context', whole: true },
  { do: 'go', path: 'a.ts', line: 3, side: 'new' },
  { do: 'search-step', by: 1 },
];

for (const intent of INTENTS) test(`${intent.do} does nothing`, () => expect(applyDiff(view, intent).cursor).toEqual({ file: 0, row: 0 }));
