// What a drawing client takes, and what one that has stopped reading costs its server while its terminal goes on printing.
import { readFileSync } from 'node:fs';
import { memoryMb, pidsOf, type Row } from './figures.ts';
import { HERD, startHost } from './hosts.ts';

/** MB that stream past the stopped client. */
const STREAMED = 50;

export async function clients(): Promise<Row[]> {
  const script = `read go; yes '${'x'.repeat(99)}' | head -c ${STREAMED}000000; read rest`;
  const host = await startHost('herd', ['sh', '-c', script]);
  try {
    await host.outer.settled(1500);
    const client = host.outer.pty.pid;
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${client}/status`, 'utf8'))![1]) / 1024;
    const [server] = pidsOf(HERD[1]!, 'server', 'bench') as [number];
    const watcher = host.attach!();
    await watcher.settled(1500);
    const before = memoryMb(server);
    process.kill(client, 'SIGSTOP');
    watcher.write('\r');
    await watcher.settled(1500, 90_000);
    const stopped = memoryMb(server);
    process.kill(client, 'SIGCONT');
    await watcher.end();
    // The same stream with nobody stopped is what the server needs anyway.
    const plain = await streamedMemory(script);
    const cost = stopped - before - plain;
    return [
      { measure: 'client with its chrome, RSS', must: '≤ 90 MB', figure: `${rss.toFixed(0)} MB`, holds: rss <= 90 },
      {
        measure: `a stopped client while ${STREAMED} MB stream`,
        must: '< 5 MB',
        figure: `${cost.toFixed(1)} MB`,
        holds: cost < 5,
        detail: `server grew ${(stopped - before).toFixed(1)} MB, without a stopped client ${plain.toFixed(1)} MB`,
      },
    ];
  } finally {
    await host.stop();
  }
}

/** How much a server grows by the stream alone, MB. */
async function streamedMemory(script: string): Promise<number> {
  const host = await startHost('herd', ['sh', '-c', script]);
  try {
    await host.outer.settled(1500);
    const watcher = host.attach!();
    await watcher.settled(1500);
    const [server] = host.pids().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server')) as [number];
    const before = memoryMb(server);
    watcher.write('\r');
    await watcher.settled(1500, 90_000);
    const grown = memoryMb(server) - before;
    await watcher.end();
    return grown;
  } finally {
    await host.stop();
  }
}
