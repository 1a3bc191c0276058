import { expect, test } from 'vitest';
import { changesetOf, commentOn, fileOf } from '../../test/support/diff-samples.ts';
import { applyDiff, type DiffIntent } from './diff/intents.ts';
import { createDiffView } from './diff/view.ts';
import { diffHead, diffHeadKey } from './diff-head.ts';

const files = [fileOf('a'), fileOf('b')];
const taken = (more = {}): DiffIntent => ({
  do: 'take-changeset',
  changeset: changesetOf(files, { added: 3, removed: 0, ...more }),
  viewed: {},
});

test.each<[string, DiffIntent[], name: string, brief: string, facts: string]>([
  ['before anything is known', [], 'diff', 'diff', ''],
  ['the base', [taken()], 'since main · 2 files +3', 'since main +3', ''],
  [
    'whitespace left out',
    [taken(), { do: 'whitespace' }],
    'since main · without whitespace · 2 files +3',
    'since main · without whitespace +3',
    '',
  ],
  [
    'a commit',
    [taken({ scope: { commit: '0123456789ab' }, subject: 'Keep the old path' })],
    'commit 0123456 · 2 files +3 · Keep the old path',
    'commit 0123456 +3',
    '',
  ],
  [
    'comments',
    [taken(), { do: 'take-comments', comments: [commentOn(1, 'a', 1, 'x')] }],
    'since main · 2 files +3 · 1 comment',
    'since main +3',
    '',
  ],
  ['a file viewed', [taken(), { do: 'viewed' }], 'since main · 2 files +3', 'since main +3', '1/2 viewed'],
  ['a scope without changes', [taken({ files: [], added: 0, scope: 'turn' })], 'last turn · no changes', 'last turn', ''],
  [
    'trouble in another scope',
    [taken(), { do: 'scope', scope: 'look' }, { do: 'take-trouble', trouble: 'Nobody has looked yet.' }],
    'since last look',
    'since last look',
    '',
  ],
  [
    'what is under way, a base that is gone, a listing that was cut',
    [
      taken({
        operation: 'rebasing 2/5',
        base: { name: 'main', commit: 'abc', recorded: 'abc', moved: true, gone: true },
        notes: ['Too many.'],
      }),
    ],
    'since main · 2+ files +3',
    'since main +3',
    'Too many.  main is gone  rebasing 2/5',
  ],
  [
    'a base that moved',
    [taken({ base: { name: 'main', commit: 'abc', recorded: 'abc', moved: true } })],
    'since main · 2 files +3',
    'since main +3',
    'main has moved',
  ],
  ['trouble', [taken(), { do: 'take-trouble', trouble: 'git is slow' }], 'diff', 'diff', 'git is slow'],
])('%s', (_what, intents, name, brief, facts) => {
  const head = diffHead(intents.reduce(applyDiff, createDiffView(80, 20)));
  expect([head.name, head.brief, head.facts.map(({ text }) => text).join('')]).toEqual([name, brief, facts]);
});

test.each<[string, DiffIntent[], string]>([
  ['as it is', [], 'diff'],
  ['lines are selected', [{ do: 'line', by: 1 }, { do: 'select' }], 'selection'],
  ['the selection is dropped', [{ do: 'select' }, { do: 'cancel' }], 'diff'],
  ['the files are listed', [{ do: 'list' }], 'files'],
])('the keys told, and the head drawn anew for them: %s', (_what, intents, keys) => {
  const before = applyDiff(createDiffView(80, 20), taken());
  const view = intents.reduce(applyDiff, before);
  expect(diffHead(view).keys).toBe(keys);
  expect(diffHeadKey(view).every((value, i) => value === diffHeadKey(before)[i])).toBe(keys === 'diff');
});
