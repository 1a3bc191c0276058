// The kinds herd brings, as data that a user could have written, and what is said of data that is wrong.
import { describe, expect, test } from 'vitest';
import { parseKind } from './parse-kind.ts';
import { detectKind, KINDS } from './table.ts';

describe('data', () => {
  test.each([...KINDS.values()].map((kind) => [kind.id, kind] as const))('%s survives JSON and passes its own check', (_id, kind) => {
    expect(parseKind(JSON.parse(JSON.stringify(kind)))).toEqual({ kind });
  });

  test('an override names only what differs', () => {
    const parsed = parseKind({ motion: { rest: 900 }, command: ['claude-wrapper'] }, KINDS.get('claude'));
    expect('kind' in parsed && parsed.kind).toMatchObject({
      id: 'claude',
      command: ['claude-wrapper'],
      motion: { counts: true, rest: 900 },
    });
  });

  test.each([
    ['not a table', [], 'kind'],
    ['unknown key', { colour: 1 }, 'colour'],
    ['broken pattern', { titles: [{ match: '(', says: 'working' }] }, 'titles[0].match'],
    ['wrong word', { titles: [{ match: 'x', says: 'busy' }] }, 'titles[0].says'],
    ['pattern that can take for ever', { shows: { task: '(a+)+$' } }, 'shows.task'],
    ['number out of range', { motion: { counts: true, rest: -1 } }, 'motion.rest'],
    ['bad id', { id: 'My Agent' }, 'id'],
    ['newer version', { version: 2 }, 'version'],
  ])('%s', (_name, json, path) => {
    const parsed = parseKind(json, Array.isArray(json) ? undefined : KINDS.get('claude'));
    expect('problems' in parsed && parsed.problems.map((problem) => problem.path)).toContain(path);
  });
});

test.each([
  [['claude'], 'claude'],
  [['/usr/local/bin/codex', '--yolo'], 'codex'],
  [['node', '/opt/lib/node_modules/@google/gemini-cli/dist/index.js'], 'gemini'],
  [['env', 'A=1', 'pi'], 'pi'],
  [['npx', '-y', 'qwen'], 'qwen'],
  [['-zsh'], 'shell'],
  [['bash', '-c', 'make'], 'shell'],
  [['make', 'test'], 'generic'],
  [[], 'generic'],
])('%j is %s', (argv, kind) => {
  expect(detectKind(argv)).toBe(kind);
});
