// The file mailbox: what lies in it for the agent, what letters do, and that nothing in it is followed.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../test/support/held-session.ts';
import type { Comment } from '../model/review/comment.ts';
import { type Letter, readLetters } from '../model/review/letter.ts';
import { StoreError } from '../store/store-error.ts';
import { Mailboxes } from './mailbox.ts';

let gitDir: string;
let boxes: Mailboxes;
let taken: Letter[];
/** Workspaces whose box was used. */
let used: number[];
let full: StoreError | null;
let refused: number;
let slow: Promise<void> | null;
let comments: (Comment & { excerpt: string[] })[];

beforeEach(() => {
  gitDir = mkdtempSync(join(tmpdir(), 'herd-mailbox-'));
  taken = [];
  [full, refused, slow] = [null, 0, null];
  used = [];
  comments = [{ id: 1, body: 'why?', excerpt: ['x'] } as unknown as Comment & { excerpt: string[] }];
  boxes = new Mailboxes({
    gitDir: async (workspace) => {
      used.push(workspace);
      return gitDir;
    },
    comments: () => comments,
    take: async (_workspace, letter) => {
      if (letter.do !== 'note' && letter.comment === 9) throw new Error('There is no comment 9 here.');
      if (full) refused++;
      if (full) throw full;
      taken.push(letter);
      await slow;
    },
    now: Date.now,
    log: () => {},
  });
});

afterEach(async () => {
  await boxes.close();
  rmSync(gitDir, { recursive: true, force: true });
});

const inbox = () => join(gitDir, 'herd', 'inbox');
const written = () => existsSync(join(gitDir, 'herd', 'comments.json'));

/** As an agent does: written beside, then renamed. */
function leave(name: string, value: unknown): void {
  writeFileSync(join(inbox(), '.new'), typeof value === 'string' ? value : JSON.stringify(value));
  renameSync(join(inbox(), '.new'), join(inbox(), name));
}

function answers(): { file: string; error: string | null }[] {
  const path = join(gitDir, 'herd', 'answers.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { answers: { file: string; error: string | null }[] }).answers : [];
}

test('comments lie there; letters are taken and answered', async () => {
  boxes.touch(1);
  await eventually(async () => written(), 'comments are written');
  expect(JSON.parse(readFileSync(join(gitDir, 'herd', 'comments.json'), 'utf8'))).toEqual({ comments });
  leave('a.json', { do: 'addressed', comment: 1, text: 'done' });
  leave('b.json', { do: 'addressed', comment: 9 });
  await eventually(async () => answers().length === 2, 'both are answered');
  expect(taken).toEqual([{ do: 'addressed', comment: 1, text: 'done' }]);
  expect(answers()).toMatchObject([
    { file: 'a.json', error: null },
    { file: 'b.json', error: 'There is no comment 9 here.' },
  ]);
});

test('a letter that cannot be kept now stays, and is taken when it can be; one that was not begun is the next server’s', async () => {
  boxes.touch(1);
  await eventually(async () => written(), 'comments are written');
  full = new StoreError('full', 'No room left.');
  leave('a.json', { do: 'reply', comment: 1, text: 'kept' });
  await eventually(() => refused > 0, 'it was tried');
  expect(existsSync(join(inbox(), 'a.json'))).toBe(true);
  full = null;
  await eventually(() => answers().length === 1, 'it is taken');
  expect(answers()).toMatchObject([{ file: 'a.json', error: null }]);
  const gate = Promise.withResolvers<void>();
  slow = gate.promise;
  for (const name of ['b.json', 'c.json']) leave(name, { do: 'reply', comment: 1, text: name });
  await eventually(() => taken.length === 2, 'the first of them is begun');
  const closing = boxes.close();
  gate.resolve();
  await closing;
  expect([taken.map(({ text }) => text), readdirSync(inbox())]).toEqual([['kept', 'b.json'], ['c.json']]);
});

test('links, pipes and folders are removed unread; a link in place of a file herd writes is replaced', async () => {
  const secret = join(gitDir, 'secret.json');
  writeFileSync(secret, JSON.stringify({ do: 'reply', comment: 1, text: 'stolen' }));
  mkdirSync(inbox(), { recursive: true });
  symlinkSync(secret, join(gitDir, 'herd', 'comments.json'));
  symlinkSync(secret, join(inbox(), 'link.json'));
  mkdirSync(join(inbox(), 'folder.json'));
  boxes.touch(1);
  await eventually(async () => answers().length === 2, 'both are answered');
  expect(taken).toEqual([]);
  // The comments are written beside the answers, in no order.
  await eventually(() => !lstatSync(join(gitDir, 'herd', 'comments.json')).isSymbolicLink(), 'the link is replaced');
  expect(readFileSync(secret, 'utf8')).toContain('stolen');
});

test('a mailbox whose folder is a link is not used', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'herd-elsewhere-'));
  symlinkSync(elsewhere, join(gitDir, 'herd'));
  boxes.touch(1);
  await boxes.close();
  expect(existsSync(join(elsewhere, 'comments.json'))).toBe(false);
  rmSync(elsewhere, { recursive: true });
});

const LETTERS: [name: string, json: string, expected: unknown][] = [
  ['a reply', '{"do":"reply","comment":1,"text":"why?"}', [{ do: 'reply', comment: 1, text: 'why?' }]],
  ['several', '[{"do":"addressed","comment":1},{"do":"addressed","comment":2}]', { length: 2 }],
  [
    'a note on lines',
    '{"do":"note","file":"src/a.ts","line":3,"end":4,"text":"x"}',
    [{ do: 'note', file: 'src/a.ts', range: { start: 3, end: 4 }, text: 'x' }],
  ],
  ['no JSON', '{', 'it is not JSON'],
  ['too many', JSON.stringify(Array(51).fill({ do: 'addressed', comment: 1 })), expect.stringContaining('51')],
  ['resolving', '{"do":"resolve","comment":1}', expect.stringContaining('"do" must be')],
  ['a path outside', '{"do":"note","file":"../x","text":"x"}', expect.stringContaining('worktree')],
  ['an absolute path', '{"do":"note","file":"/etc/passwd","text":"x"}', expect.stringContaining('worktree')],
  ['a comment that is no number', '{"do":"addressed","comment":"1; rm"}', expect.stringContaining('number')],
  ['a reply without text', '{"do":"reply","comment":1}', expect.stringContaining('text')],
  ['lines the wrong way', '{"do":"note","file":"a","line":4,"end":3,"text":"x"}', expect.stringContaining('lines')],
  ['null', 'null', expect.stringContaining('object')],
];

for (const [name, json, expected] of LETTERS) {
  test(`letters: ${name}`, () => {
    const read = readLetters(json);
    if (typeof expected === 'object' && expected !== null && 'length' in expected)
      expect(read).toHaveLength((expected as { length: number }).length);
    else expect(read).toEqual(expected);
  });
}

test('a letter of the limit is taken, one byte more is told', async () => {
  const letter = (bytes: number) => {
    const bare = JSON.stringify({ do: 'addressed', comment: 1, text: '' });
    return `${bare}${' '.repeat(bytes - bare.length)}`;
  };
  mkdirSync(inbox(), { recursive: true });
  leave('full.json', letter(256 * 1024));
  leave('over.json', letter(256 * 1024 + 1));
  boxes.touch(1);
  await eventually(async () => answers().length === 2, 'both are answered');
  expect(answers()).toMatchObject([{ error: null }, { error: expect.stringContaining('at most 262144 bytes') }]);
  expect(taken).toHaveLength(1);
});

test('a box that is forgotten before its turn is not used', async () => {
  boxes.touch(1);
  boxes.forget(1);
  boxes.touch(2);
  await eventually(async () => written(), 'the other box is written');
  await boxes.close();
  expect(used).toEqual([2]);
});
