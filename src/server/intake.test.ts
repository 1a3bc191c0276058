import { expect, test, vi } from 'vitest';
import { Intake } from './intake.ts';

test('what was begun is finished before the server ends, what comes later is turned away, and nobody finds this server again', async () => {
  const intake = new Intake();
  const order: string[] = [];
  intake.onClose = () => order.push('not listening');
  const gate = Promise.withResolvers<string>();
  const begun = intake.take('comment.add', () => gate.promise).then((said) => order.push(said));
  const waits = intake.take('agent.wait', () => new Promise(() => {}));
  const closing = intake.close().then(() => order.push('closed'));
  await expect(intake.take('comment.add', () => order.push('too late'))).rejects.toMatchObject({ code: 'ending' });
  expect(await intake.take('session.state', () => 'read')).toBe('read');
  await intake.take('terminal.input', () => order.push('typed'));
  gate.resolve('added');
  await Promise.all([begun, closing]);
  expect(order).toEqual(['not listening', 'typed', 'added', 'closed']);
  void waits;
});

test('a request that fails is waited for as one that succeeds is; one that takes too long is not', async () => {
  vi.useFakeTimers();
  try {
    const intake = new Intake();
    const failing = intake.take('comment.add', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    void intake.take('prompt.send', () => new Promise(() => {}));
    const closed = vi.fn();
    const closing = intake.close().then(closed);
    await vi.advanceTimersByTimeAsync(100);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    await closing;
    await intake.close();
  } finally {
    vi.useRealTimers();
  }
});
