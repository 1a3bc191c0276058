import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { afterReading } from './after-reading.ts';

test('what came while the process could not run is read first, and may take the call back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hw-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = createServer().listen(join(folder, 's'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const writer = createConnection(join(folder, 's'));
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
