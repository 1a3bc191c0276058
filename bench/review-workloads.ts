// Repositories to measure the diff pane on, the same bytes on every machine: many files, one very long change, new files, wide text, one
// line of 400,000 characters. Each shows a word of its own in its first change, by which the first frame is known.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom } from '../test/support/random.ts';

export interface Workload {
  name: string;
  /** Keys once it is open, before anything is measured: "w" to wrap. */
  keys: string;
  /** Files of the base and of the worktree; null where there is none. */
  files(mark: string): Iterable<{ path: string; before: string | null; after: string }>;
}

const WORDS = 'pane agent tree branch prompt queue cell frame token patch anchor cursor buffer signal layout scroll'.split(' ');

function code(seed: number, count: number): string[] {
  const random = createRandom(seed);
  const word = () => WORDS[random(WORDS.length)]!;
  return Array.from({ length: count }, (_, i) => `  const ${word()}${i} = items.filter((item) => item.${word()} !== ${random(1000)});`);
}

/** `count` files of 200 lines with four hunks each. */
function* manyFiles(count: number, mark: string) {
  for (let f = 0; f < count; f++) {
    const before = code(f, 200);
    const after = [...before];
    for (const at of [20, 70, 120, 170]) after.splice(at, 4, ...code(f * 10 + at, 5));
    if (f === 0) after[20] = `  const ${mark} = 1;`;
    yield {
      path: `src/m${String(Math.floor(f / 50)).padStart(2, '0')}/file${String(f).padStart(4, '0')}.ts`,
      before: text(before),
      after: text(after),
    };
  }
}

/** One file with `hunks` hunks of seven changed lines. */
function* longChange(hunks: number, mark: string) {
  const before = code(1, hunks * 40);
  const after = [...before];
  for (let h = 0; h < hunks; h++) for (let i = 0; i < 7; i++) after[h * 40 + 10 + i] = `  const changed${h}_${i} = ${h};`;
  after[10] = `  const ${mark} = 1;`;
  yield { path: 'src/long.ts', before: text(before), after: text(after) };
}

function* wideText(mark: string) {
  const line = (i: number) => `${i}\t日本語のテキスト 한국어 👩‍👩‍👧‍👦 é ${'漢字'.repeat(i % 30)}`;
  const before = Array.from({ length: 2000 }, (_, i) => line(i));
  const after = before.map((old, i) => (i % 20 === 10 ? `${old} 変更` : old));
  after[10] = `${mark} 変更`;
  yield { path: 'wide.txt', before: text(before), after: text(after) };
}

function* longLine(mark: string) {
  const long = 'abcdefgh '.repeat(44_444);
  // Lines between the two: wrapped, what was removed fills a hundred screens before what came instead.
  const between = ['two', 'three', 'four'];
  yield { path: 'long.txt', before: text(['one', ...between, long]), after: text([mark, ...between, `${long}changed`]) };
}

function* newFiles(count: number, lines: number, mark: string) {
  for (let f = 0; f < count; f++)
    yield {
      path: `new/file${String(f).padStart(4, '0')}.ts`,
      before: null,
      after: text([...(f === 0 ? [`const ${mark} = 1;`] : []), ...code(f, lines)]),
    };
}

export const WORKLOADS: Workload[] = [
  { name: '1 file', keys: '', files: (mark) => manyFiles(1, mark) },
  { name: '100 files', keys: '', files: (mark) => manyFiles(100, mark) },
  { name: '1,000 files', keys: '', files: (mark) => manyFiles(1000, mark) },
  { name: '1,000 files, wrapped', keys: 'w', files: (mark) => manyFiles(1000, mark) },
  { name: 'one file, 20,000 rows', keys: '', files: (mark) => longChange(1000, mark) },
  { name: 'one file, 100,000 rows', keys: 'L', files: (mark) => longChange(5000, mark) },
  { name: 'one new file, 12,000 lines', keys: '', files: (mark) => newFiles(1, 12_000, mark) },
  { name: '1,000 new files', keys: '', files: (mark) => newFiles(1000, 40, mark) },
  { name: 'wide text', keys: '', files: wideText },
  { name: 'a line of 400,000 characters, wrapped', keys: 'w', files: longLine },
];

/** Makes the repository of a workload in `dir`, which must not exist. */
export function makeWorkload(workload: Workload, dir: string, mark: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd: dir, stdio: 'ignore' });
  mkdirSync(dir, { recursive: true });
  git('init', '-q', '-b', 'main');
  const files = [...workload.files(mark)];
  for (const { path, before } of files) if (before !== null) put(join(dir, path), before);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'base');
  for (const { path, after } of files) put(join(dir, path), after);
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
