// Task files, from text to tasks: what is read, what is refused and in which line.
import { expect, test } from 'vitest';
import type { Plan } from '../task.ts';
import { advise, chooseCanaries, estimate, findOverlaps } from './advice.ts';
import { type Fault, type Format, readDocument } from './document.ts';
import { expand, fillTemplate, sourceKey, sourcesOf, taskId } from './expand.ts';
import { inOrder, longestLine } from './order.ts';
import { allowed, overlaps } from './paths.ts';
import { readTaskFile } from './task-file.ts';

function planOf(text: string, format: Format = 'toml', lists: Record<string, string[]> = {}): Plan | Fault[] {
  const file = readTaskFile(text, format);
  if (Array.isArray(file)) return file;
  const known = new Map(sourcesOf(file).map((source) => [sourceKey(source), lists['glob' in source ? source.glob : 'command'] ?? []]));
  return expand(file, known);
}

function tasksOf(text: string, format: Format = 'toml', lists: Record<string, string[]> = {}): Plan['tasks'] {
  const plan = planOf(text, format, lists);
  if (Array.isArray(plan)) throw new Error(JSON.stringify(plan));
  return plan.tasks;
}

const TOML = `name = "docs"
[vars]
tone = "short"
[defaults]
agent = "pi"
timeout = "90s"
allow = ["docs/**"]

[[task]]
id = "doc-{{file.stem}}"
prompt = """
Document {{file}}, {{tone}}.
[[task]]
"""
matrix = { file = { glob = "src/**/*.ts" } }

[[task]]
id = "index"
prompt = "Write the index."
needs = ["doc-a", "doc-b"]
copies = 2
checks = [["test", "-f", "docs/index.md"], "true && true"]
priority = 5
`;

test('a TOML file gives its tasks: variables, a matrix over a glob, copies, dependencies', () => {
  const tasks = tasksOf(TOML, 'toml', { 'src/**/*.ts': ['src/a.ts', 'src/b.ts'] });
  expect(tasks.map(({ id, needs, group, timeout }) => ({ id, needs, group, timeout }))).toEqual([
    { id: 'doc-a', needs: [], group: null, timeout: 90_000 },
    { id: 'doc-b', needs: [], group: null, timeout: 90_000 },
    { id: 'index.1', needs: ['doc-a', 'doc-b'], group: 'index', timeout: 90_000 },
    { id: 'index.2', needs: ['doc-a', 'doc-b'], group: 'index', timeout: 90_000 },
  ]);
  expect(tasks[0]!.prompt).toBe('Document src/a.ts, short.\n[[task]]\n');
  expect(tasks[2]!.checks).toEqual([
    ['test', '-f', 'docs/index.md'],
    ['/bin/sh', '-c', 'true && true'],
  ]);
});

test('YAML and JSON lines give the same', () => {
  const yaml = 'name: x\ndefaults: {agent: codex}\ntasks:\n  - id: a\n    prompt: do a\n  - id: b\n    prompt: do b\n    needs: [a]\n';
  const jsonl =
    '{"batch":{"name":"x","defaults":{"agent":"codex"}}}\n{"id":"a","prompt":"do a"}\n\n{"id":"b","prompt":"do b","needs":["a"]}\n';
  const plain = (format: Format, text: string) => tasksOf(text, format).map(({ line: _, ...task }) => task);
  expect(plain('jsonl', jsonl)).toEqual(plain('yaml', yaml));
});

const faulty: [name: string, text: string, format: Format, line: number, message: RegExp][] = [
  ['broken TOML', 'name = "x"\nname = [', 'toml', 2, /is not TOML/],
  ['broken YAML', 'name: x\ntasks: [a\nb: : c', 'yaml', 3, /is not YAML/],
  ['broken JSON line', '{"id":"a","prompt":"x"}\n{"id":', 'jsonl', 2, /is not JSON/],
  [
    'an unknown key, and the one meant',
    'name = "x"\n[[task]]\nid = "a"\nprompt = "x"\ntime_out = "2m"',
    'toml',
    5,
    /time_out.*did you mean timeout/,
  ],
  [
    'a wrong type in the second task',
    '[[task]]\nid = "a"\nprompt = "x"\n[[task]]\nid = "b"\nprompt = "x"\npriority = "high"',
    'toml',
    7,
    /task 2: priority must be a number/,
  ],
  ['a wrong time in YAML', 'tasks:\n  - id: a\n    prompt: x\n    timeout: soon\n', 'yaml', 4, /timeout must be a time/],
  ['no tasks', 'name = "x"', 'toml', 1, /at least one task/],
  ['no id', 'tasks:\n  - prompt: x\n', 'yaml', 2, /has no id/],
  ['neither prompt nor command', '[[task]]\nid = "a"', 'toml', 2, /neither prompt nor command/],
  ['an id twice', '[[task]]\nid = "a"\nprompt = "x"\n\n[[task]]\nid = "A"\nprompt = "x"', 'toml', 6, /there twice \(first in line 2\)/],
  ['an unknown need', '[[task]]\nid = "a"\nprompt = "x"\nneeds = ["b"]', 'toml', 2, /needs b, which is no task/],
  [
    'a circle',
    '{"id":"a","prompt":"x","needs":["c"]}\n{"id":"b","prompt":"x","needs":["a"]}\n{"id":"c","prompt":"x","needs":["b"]}',
    'jsonl',
    1,
    /circle: a needs c needs b needs a/,
  ],
  ['an unknown variable', '[[task]]\nid = "a"\nprompt = "{{who}}"', 'toml', 2, /\{\{who\}\} has no value/],
  ['a path outside', '[[task]]\nid = "a"\nprompt = "x"\nallow = ["../b/**"]', 'toml', 2, /inside the repository/],
  ['an empty matrix', '[[task]]\nid = "a{{f}}"\nprompt = "x"\nmatrix = { f = { glob = "*.zz" } }', 'toml', 2, /nothing matched/],
];

test.each(faulty)('refused with its line: %s', (_, text, format, line, message) => {
  const faults = planOf(text, format);
  expect(Array.isArray(faults) && faults[0]).toEqual({ line, message: expect.stringMatching(message) });
});

test('lines of nested values are found in TOML', () => {
  const document = readDocument(TOML, 'toml');
  if (Array.isArray(document)) throw new Error('faults');
  expect(
    [
      ['vars', 'tone'],
      ['task', 0, 'matrix'],
      ['task', 1, 'needs', 1],
      ['task', 1],
    ].map((path) => document.lineOf(path)),
  ).toEqual([3, 15, 20, 17]);
});

const meeting: [string, string, boolean][] = [
  ['src/**', 'src/a.ts', true],
  ['src/*.ts', 'src/a/*.ts', false],
  ['src/**/x.ts', 'src/a/b/x.ts', true],
  ['docs/', 'docs/a/b.md', true],
  ['a*.ts', '*b.ts', true],
  ['a?c', 'abd', false],
  ['**', 'anything/at/all', true],
  ['src/a/**', 'src/b/**', false],
];

test.each(meeting)('%s and %s meet: %s', (a, b, meet) => {
  expect([overlaps(a, b), overlaps(b, a)]).toEqual([meet, meet]);
});

test('a path is allowed by any of its patterns, and all are when there is none', () => {
  expect(allowed('src/a/b.ts', ['src/**'])).toBe(true);
  expect(allowed('src.ts', ['src/**'])).toBe(false);
  expect(allowed('docs/x.md', ['docs/'])).toBe(true);
  expect(allowed('a.b', ['a?b'])).toBe(true);
  expect(allowed('anything', [])).toBe(true);
});

test('overlaps, order and advice', () => {
  const tasks = tasksOf(
    '[[task]]\nid="a"\nprompt="x"\nallow=["src/**"]\n[[task]]\nid="b"\nprompt="x"\nallow=["src/x.ts"]\n[[task]]\nid="c"\nprompt="x"\nallow=["src/x.ts"]\nneeds=["a","b"]',
  );
  expect(findOverlaps(tasks)).toEqual([{ a: 'a', b: 'b', patterns: ['src/**', 'src/x.ts'] }]);
  expect(inOrder([tasks[2]!, tasks[1]!, tasks[0]!]).map((task) => task.id)).toEqual(['a', 'b', 'c']);
  expect(longestLine(tasks)).toBe(2);
  const line = planOf(
    '[[task]]\nid="a"\nprompt="x"\n[[task]]\nid="b"\nprompt="x"\nneeds=["a"]\n[[task]]\nid="c"\nprompt="x"\nneeds=["b"]',
  ) as Plan;
  expect(advise(line).join('\n')).toMatch(/3 of 3 tasks stand in a line/);
});

test('canaries stand for every kind of agent, and the estimate says what is not known', () => {
  const text = Array.from({ length: 9 }, (_, i) => `{"id":"t${i}","prompt":"x","agent":"${i === 5 ? 'codex' : 'pi'}"}`).join('\n');
  expect(chooseCanaries(tasksOf(text, 'jsonl'), 3)).toEqual(['t0', 't5', 't3']);
  expect(chooseCanaries(tasksOf(text, 'jsonl').slice(0, 3), 3)).toEqual([]);
  const trials = [
    { ok: true, cost: 0.2, tokens: null, time: 1000 },
    { ok: false, cost: 0.4, tokens: null, time: 3000 },
    { ok: true, cost: null, tokens: null, time: 2000 },
  ];
  const each = { cost: expect.closeTo(0.3), tokens: null, time: 2000 };
  expect(estimate(trials, 100, 20)).toEqual({ tasks: 100, passRate: 2 / 3, cost: expect.closeTo(30), tokens: null, time: 10_000, each });
});

test('variables are filled in whole or in part, and one that is not there is told', () => {
  const missing: string[] = [];
  expect(fillTemplate('{{f}} {{ f.stem }} {{f.dir}} {{f.base}} {{x}}', { f: 'src/a.b.ts' }, (name) => missing.push(name))).toBe(
    'src/a.b.ts a.b src a.b.ts ',
  );
  expect(missing).toEqual(['x']);
  expect(['a b', '../x', 'ü/ö', 'x.lock', '--'].map(taskId)).toEqual(['a-b', 'x', 'ü-ö', 'x-lock', '']);
});
