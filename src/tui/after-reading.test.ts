import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../../test/support/listening.ts';
import { afterReading } from './after-reading.ts';

test('what came while the process could not run is read first, and may take the call back', async () => {
  const { server, socket } = await listening();
  const writer = createConnection(socket);
  const [reader] = (await once(server, 'connection')) as [Socket];
  for (const socket of [writer, reader]) onTestFinished(() => void socket.destroy());
  const order: string[] = [];
  const silence = afterReading(5, () => order.push('silence'));
  const late = Promise.withResolvers<void>();
  afterReading(5, () => late.resolve(void order.push('late')));
  reader.on('data', (bytes) => {
    order.push(bytes.toString());
    silence();
  });
  await new Promise((turn) => setImmediate(turn));
  writer.write('read');
  for (const end = performance.now() + 20; performance.now() < end; );
  await late.promise;
  expect(order).toEqual(['read', 'late']);
});
