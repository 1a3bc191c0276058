// A prompt's way to an agent and a comment's way there and back, by the command line, with a scripted agent in a real PTY.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { makeRepository } from '../support/repository.ts';

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname;
const agent = (name: string) => ['--', process.execPath, MAIN, 'demo-agent', name, '--speed', '20'];

interface Status {
  path: string;
  queue: number;
  agent: { state: string; turn: number; question: { id: string; options: { label: string }[] } | null };
  comments: Record<string, number>;
}

/** Branch `docs` with the demo's repository as its base. */
async function withAgent(name: string) {
  const { REPOSITORY } = await import('../../src/cli/demo/scripts.ts');
  const repository = makeRepository();
  for (const [path, content] of Object.entries(REPOSITORY)) repository.put(path, content);
  repository.commit('shop');
  const herd = new Driver({ cwd: repository.dir });
  await herd.ok(['new', name, '--prompt', 'Go.', ...agent(name)]);
  return { herd, repository };
}

const state = (herd: Driver, name: string) => herd.json<Status>(['status', name]);
const until = (herd: Driver, name: string, wanted: string) => herd.ok(['wait', name, '--until', wanted, '--timeout', '120']);

test('a first prompt, then a second: each one turn, each with a receipt', async () => {
  const { herd, repository } = await withAgent('docs');
  await using _herd = herd;
  using _repository = repository;
  await until(herd, 'docs', 'done,idle');
  const { receipt } = await herd.json<{ receipt: { outcome: string; prompt: number } }>(['send', 'docs', 'And one more.']);
  expect(receipt).toMatchObject({ outcome: 'accepted', prompt: 2 });
  await until(herd, 'docs', 'done,idle');
  expect((await state(herd, 'docs')).agent.turn).toBe(2);
});

test('a blocked agent gets no byte of a prompt; queued it waits; the dialog is answered by its identity', async () => {
  const { herd, repository } = await withAgent('fix-login');
  await using _herd = herd;
  using _repository = repository;
  await until(herd, 'fix-login', 'blocked');
  const before = await herd.screen('fix-login');
  const refused = await herd.run(['send', 'fix-login', 'yes please', '--json']);
  expect([refused.code, JSON.parse(refused.stdout).receipt.outcome]).toEqual([1, 'refused']);
  expect(refused.stdout).toMatch(/blocked/);
  expect((await herd.json<{ prompts: unknown[] }>(['queue', 'fix-login'])).prompts).toEqual([]);
  const queued = await herd.json<{ receipt: { outcome: string } }>(['send', 'fix-login', 'later', '--queue']);
  expect(queued.receipt.outcome).toBe('queued');
  expect(await herd.screen('fix-login')).toBe(before);

  const question = await eventually(async () => {
    const { agent: seen } = await state(herd, 'fix-login');
    return seen.question && seen.question.options.length > 0 ? seen.question : null;
  }, 'the dialog and its options are known');
  const stale = await herd.run(['answer', 'fix-login', 'approve', '--dialog', 'another']);
  expect([stale.code, stale.stderr]).toEqual([1, expect.stringMatching(/Nothing was sent/)]);
  expect(await herd.screen('fix-login')).toBe(before);
  await herd.ok(['answer', 'fix-login', 'approve', '--dialog', question.id]);
  await eventually(async () => (await state(herd, 'fix-login')).queue === 0, 'the queued prompt was delivered');
  await until(herd, 'fix-login', 'done,idle,blocked');
});

test('comments: kept over a killed server, sent as one prompt, addressed by the agent, found again after its edit', async () => {
  const { herd, repository } = await withAgent('docs');
  await using _herd = herd;
  using _repository = repository;
  await until(herd, 'docs', 'done,idle');
  const { path } = await state(herd, 'docs');
  await herd.ok(['comment', 'add', 'docs', 'README.md:1', 'Say what it sells.']);
  await herd.ok(['comment', 'add', 'docs', '.', 'Keep it short.']);
  process.kill(await herd.serverPid(), 'SIGKILL');
  const { comments } = await herd.json<{ comments: { id: number; state: string; excerpt: string[] }[] }>(['comment', 'list', 'docs']);
  expect(comments.map(({ id, state: at }) => [id, at])).toEqual([
    [1, 'draft'],
    [2, 'draft'],
  ]);
  await herd.see('docs', /./);
  const sent = await eventually(async () => {
    const ran = await herd.run(['comment', 'send', 'docs', '--json']);
    return ran.code === 0 ? (JSON.parse(ran.stdout) as { receipt: { outcome: string }; comments: number[] }) : null;
  }, 'the agent is known again and takes the comments');
  expect(sent).toMatchObject({ receipt: { outcome: 'accepted' }, comments: [2, 1] });
  await until(herd, 'docs', 'done,idle');
  const first = async () => {
    const list = await herd.json<{ comments: { id: number; state: string; place: { range: { start: number } | null } }[] }>([
      'comment',
      'list',
      'docs',
    ]);
    return list.comments.find(({ id }) => id === 1)!;
  };
  const file = join(path, 'README.md');
  /** Whether it stands where its line, the title, now is. */
  const follows = async () => {
    const title = readFileSync(file, 'utf8').split('\n').indexOf('# shop') + 1;
    return (await first()).place.range?.start === title && title;
  };
  expect(await eventually(follows, 'the comment is found after the agent’s edit')).toBe(2);
  writeFileSync(file, `one more line\n${readFileSync(file, 'utf8')}`);
  expect(await eventually(follows, 'the comment has moved with its line')).toBe(3);
  await herd.ok(['comment', 'addressed', '1', 'Now it says teapots.'], { env: { HERD_WORKSPACE: '1' } });
  expect((await first()).state).toBe('addressed');
  await herd.ok(['comment', 'resolve', '1']);
  expect((await state(herd, 'docs')).comments).toMatchObject({ resolved: 1 });
});

test('states, turns and the queue outlive the server', async () => {
  const { herd, repository } = await withAgent('fix-login');
  await using _herd = herd;
  using _repository = repository;
  await until(herd, 'fix-login', 'blocked');
  await herd.ok(['send', 'fix-login', 'one', '--queue']);
  await herd.ok(['send', 'fix-login', 'two', '--queue']);
  await herd.ok(['queue', 'fix-login', 'move', '3', '2']);
  process.kill(await herd.serverPid(), 'SIGKILL');
  await eventually(async () => (await state(herd, 'fix-login')).agent.state === 'blocked', 'it is known to be blocked');
  const { prompts } = await herd.json<{ prompts: { text: string }[] }>(['queue', 'fix-login']);
  expect(prompts.map((prompt) => prompt.text)).toEqual(['two', 'one']);
  expect((await state(herd, 'fix-login')).agent.turn).toBe(1);
});

test('a review sent by three clients at once reaches the agent once; what is not there to be sent is refused by its reason', async () => {
  const { herd, repository } = await withAgent('docs');
  await using _herd = herd;
  using _repository = repository;
  await until(herd, 'docs', 'done,idle');
  for (const place of ['README.md:1', 'README.md:3', '.']) await herd.ok(['comment', 'add', 'docs', place, `about ${place}`]);
  const clients = await Promise.all([herd.client(), herd.client(), herd.client()]);
  const sent = await Promise.allSettled(
    clients.map((client, i) => client.request('comment.send', { workspace: 'docs', comments: [2, 1, 2], queue: i > 0 })),
  );
  expect(sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toMatchObject([
    { receipt: { outcome: 'accepted' }, comments: [1, 2] },
  ]);
  const refusals = sent.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
  expect(refusals).toEqual(Array(2).fill('Comment 2 is on its way already.'));
  for (const client of clients) client.close();
  const prompts = await herd.json<{ prompts: unknown[] }>(['queue', 'docs']);
  expect(prompts).toEqual({ prompts: [] });

  await until(herd, 'docs', 'done,idle');
  await herd.ok(['comment', 'resolve', '3']);
  await herd.ok(['comment', 'add', 'docs', '.', 'a note', '--author', 'agent']);
  const refused = async (id: number) => (await herd.run(['comment', 'send', 'docs', `${id}`])).stderr.split('\n')[0];
  expect([await refused(1), await refused(3), await refused(4)]).toEqual([
    expect.stringMatching(/^herd: Comment 1 is (sent|addressed) already\.$/),
    'herd: Comment 3 is resolved already.',
    'herd: Comment 4 is an agent’s own note: it is not sent.',
  ]);
  await herd.ok(['comment', 'reopen', '1']);
  // Another workspace's agent gets it: what changes since is what changes in the comment's own.
  await herd.ok(['new', 'other', '--prompt', 'Go.', ...agent('docs')]);
  await until(herd, 'other', 'done,idle');
  expect(await herd.json(['comment', 'send', 'docs', '--to', 'other'])).toMatchObject({ receipt: { outcome: 'accepted' }, comments: [1] });
  const { path } = await state(herd, 'docs');
  await eventually(async () => (await herd.run(['diff', 'docs', '--scope', 'round:2'])).code === 0, 'the round has its picture');
  writeFileSync(join(path, 'since.txt'), 'new\n');
  await eventually(
    async () => (await herd.ok(['diff', 'docs', '--scope', 'round:2'])).includes('+++ b/since.txt'),
    'what changed since is told',
  );
  const { comments } = await herd.json<{ comments: { rounds: number[] }[] }>(['comment', 'list', 'docs']);
  expect(comments.map(({ rounds }) => rounds)).toEqual([[1, 2], [1], [], []]);
});
