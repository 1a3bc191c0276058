import { expect, test } from 'vitest';
import { type Client, RequestError } from '../../wire/client.ts';
import { ConnectionError } from '../../wire/connection.ts';
import { SessionLink } from './session-link.ts';

/** A link over servers that answer as told, one after the other; what was asked of which, and how to end the connection to one. */
function over(...answers: ((method: string) => Promise<unknown>)[]) {
  const asked: string[] = [];
  const closes: (() => void)[] = [];
  let connections = 0;
  const link = new SessionLink({
    connect: async (_onEvent, onClose) => {
      const n = connections++;
      closes.push(onClose);
      const request = (method: string) => {
        asked.push(`${method} of ${n}`);
        return answers[n]!(method);
      };
      // One that ends before it takes us is passed by inside of here.
      onClose();
      return { request, close: () => {} } as unknown as Client;
    },
    onEvent: () => {},
    onConnect: () => {},
  });
  return { link, asked, closes };
}

const fails = (code: string) => () => Promise.reject(new ConnectionError({ code, message: code }));
const add = { repository: '/r', branch: 'b', commit: 'c' };

test.each(['disconnected', 'ending'])(
  'what ends with %s is asked of the next server; a late end of the first does not end the second',
  async (code) => {
    const { link, asked, closes } = over(fails(code), async () => ({ path: '/p', notes: [] }));
    expect(await link.request('worktree.add', add)).toMatchObject({ path: '/p' });
    closes[0]!();
    await link.request('worktree.add', add);
    expect(asked).toEqual(['worktree.add of 0', 'worktree.add of 1', 'worktree.add of 1']);
  },
);

test('many requests come back by one way; a refusal is an answer', async () => {
  const refusal = new RequestError({ code: 'not-found', message: 'no' });
  const { link, asked } = over(fails('disconnected'), (method) =>
    method === 'worktree.add' ? Promise.reject(refusal) : Promise.resolve({}),
  );
  const both = await Promise.allSettled([link.request('worktree.add', add), link.request('attempt.list', { prefix: 'x' })]);
  expect(both).toMatchObject([{ status: 'rejected', reason: refusal }, { status: 'fulfilled' }]);
  expect(asked).toEqual(['worktree.add of 0', 'attempt.list of 0', 'worktree.add of 1', 'attempt.list of 1']);
});
