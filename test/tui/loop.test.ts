// The whole loop by hand in a real terminal: an agent works, asks, is answered; a comment on its diff becomes a prompt, the agent edits
// once more, the diff refreshes, the comment stands where its line went and says that it was addressed.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository } from '../../src/cli/demo/repository.ts';
import { REPOSITORY } from '../../src/cli/demo/scripts.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

interface Listed {
  comments: {
    id: number;
    state: string;
    place: { placement: string; range: { start: number } | null };
    rounds: number[];
    replies: { author: string; body: string }[];
  }[];
}

test('comment, prompt, edit, refresh, re-anchor', async () => {
  await using herd = new Driver();
  const repository = join(herd.dir, 'work', 'shop');
  await makeRepository(repository);
  expect(Object.keys(REPOSITORY).length).toBeGreaterThan(0);
  const agent = [process.execPath, MAIN, 'demo-agent', 'fix-login', '--speed', '20'];
  await herd.ok(['new', 'fix-login', '--prompt', 'Send expired sessions to the login page.', '--', ...agent], { cwd: repository });
  await herd.ok(['wait', 'fix-login', '--until', 'blocked', '--timeout', '120']);

  const outer = new Outer({ cols: 160, rows: 48, argv: [process.execPath, MAIN, '--session', 'm'], env: herd.env, cwd: repository });
  const see = (wanted: RegExp): Promise<unknown> => eventually(() => wanted.test(outer.rows().join('\n')), `the screen shows ${wanted}`);
  await see(/Run this command\?[\s\S]*❯ 1\. Yes/);
  await see(/▲ 1/);
  await see(/src\/auth\/login\.js/);
  outer.send('\r');
  await see(/Expired and unknown sessions now go to the login page/);

  // To the diff, to the first added line of login.js, a comment there.
  outer.send('\x02\t');
  await see(/c comment/);
  await see(/\+ +if \(!session \|\| session\.expired\)/);
  outer.send('g/session.expired\r');
  outer.send('c');
  await see(/ctrl\+s save/);
  outer.send('keep the old path for API callers');
  outer.send('\x13');
  await see(/draft[\s\S]*keep the old path for API callers/);
  const before = await herd.json<Listed>(['comment', 'list', 'fix-login']);
  expect(before.comments).toMatchObject([{ state: 'draft', place: { placement: 'exact' } }]);

  outer.send('S');
  await see(/ctrl\+s send/);
  outer.send('\x13');
  await see(/I noted your comment in the code/);
  await see(/addressed/);
  const after = await eventually(async () => {
    const { comments } = await herd.json<Listed>(['comment', 'list', 'fix-login']);
    const moved = comments[0]!.place.range!.start === before.comments[0]!.place.range!.start + 1;
    return comments[0]!.state === 'addressed' && moved ? comments[0]! : null;
  }, 'the comment went down a line with its code and is addressed');
  expect(after.replies).toMatchObject([{ author: 'agent', body: 'noted in the code' }]);
  await see(/\/\/ keep the old path for API callers/);

  outer.send('\x02d');
  expect((await outer.exited).code).toBe(0);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: repository, encoding: 'utf8' })).toBe('');
});
