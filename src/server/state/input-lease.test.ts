import { expect, test, vi } from 'vitest';
import { InputLease } from './input-lease.ts';

test('keys wait for a delivery, in their order, and go on when it ends', async () => {
  const lease = new InputLease();
  const delivery = lease.take()!;
  expect(lease.take()).toBeNull();
  const order: string[] = [];
  const first = lease.wait().then(() => order.push('first'));
  const second = lease.wait().then(() => order.push('second'));
  await Promise.resolve();
  expect(order).toEqual([]);
  delivery.release();
  await Promise.all([first, second]);
  expect([order, delivery.signal.aborted]).toEqual([['first', 'second'], false]);
});

test('a delivery that takes too long is told to give up', async () => {
  vi.useFakeTimers();
  try {
    const lease = new InputLease();
    const delivery = lease.take()!;
    void lease.wait();
    vi.advanceTimersByTime(2000);
    expect(delivery.signal.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('a delivery after another is waited for as well, and a release of the first does not end it', async () => {
  const lease = new InputLease();
  const first = lease.take()!;
  first.release();
  const second = lease.take()!;
  first.release();
  let typed = false;
  const waiting = lease.wait().then(() => {
    typed = true;
  });
  await new Promise((later) => setImmediate(later));
  expect([typed, lease.taken]).toEqual([false, true]);
  second.release();
  await waiting;
  expect([typed, lease.taken]).toEqual([true, false]);
});
