import { expect, test } from 'vitest';
import { Stock } from './stock.ts';

/** A stock whose worktrees are made by hand: each call waits for its turn. */
function stockByHand() {
  const asked: PromiseWithResolvers<string>[] = [];
  const stock = new Stock(() => {
    asked.push(Promise.withResolvers<string>());
    return asked.at(-1)!.promise;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { stock, asked, settled };
}

test('two are made at a time, as many as wanted and no more', async () => {
  const { stock, asked, settled } = stockByHand();
  stock.want(3);
  expect([asked.length, stock.ready]).toEqual([2, 0]);
  asked[0]!.resolve('a');
  await settled();
  expect([asked.length, stock.ready, stock.size]).toEqual([3, 1, 3]);
  asked[1]!.resolve('b');
  asked[2]!.resolve('c');
  await settled();
  stock.want(3);
  expect([asked.length, stock.ready]).toEqual([3, 3]);
  expect([stock.take(), stock.take(), stock.size]).toEqual(['a', 'b', 1]);
});

test('when less is wanted meanwhile, nothing further is begun', async () => {
  const { stock, asked, settled } = stockByHand();
  stock.want(5);
  stock.want(1);
  asked[0]!.resolve('a');
  asked[1]!.resolve('b');
  await settled();
  expect([asked.length, stock.ready]).toEqual([2, 2]);
});

test('one that cannot be made counts, so that its taker tells why', async () => {
  const { stock, asked, settled } = stockByHand();
  stock.want(1);
  asked[0]!.reject(new Error('disk full'));
  await settled();
  expect([stock.ready, stock.take(), stock.ready]).toEqual([1, null, 0]);
});

test('closing waits for what is in the making and makes nothing more', async () => {
  const { stock, asked } = stockByHand();
  stock.want(4);
  const closed = stock.close();
  asked[0]!.resolve('a');
  asked[1]!.resolve('b');
  await closed;
  expect([asked.length, stock.size]).toEqual([2, 0]);
});
