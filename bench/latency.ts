// Key to screen: a letter typed into `cat`, until its bytes reach the outer terminal.
import { median, percentile, type Row } from './figures.ts';
import { type HostName, startHost } from './hosts.ts';

/** Keys a round; rounds of the hosts are interleaved so that the machine's moods hit all alike. */
const KEYS = 25;
const ROUNDS = 8;

export async function keyToScreen(): Promise<Row[]> {
  const names: HostName[] = ['raw', 'tmux', 'herd'];
  const hosts = await Promise.all(names.map((name) => startHost(name, ['cat'])));
  const times: number[][] = names.map(() => []);
  for (const host of hosts) await host.outer.settled(1000);
  let n = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { outer }] of hosts.entries()) {
      for (let k = 0; k < KEYS; k++) {
        // Latin Extended-A and B: two bytes each, narrow, and nowhere else on the screen.
        const letter = String.fromCharCode(0x100 + (n++ % 190));
        const seen = outer.seen(letter, 5000);
        const sent = performance.now();
        outer.write(letter);
        times[i]!.push((await seen) - sent);
        await new Promise((r) => setTimeout(r, 15 + (k % 5) * 5));
      }
      outer.write('\r');
      await outer.settled(60, 500);
    }
  }
  for (const host of hosts) await host.stop();
  const [raw, tmux, herd] = times.map((t) => ({ p50: median(t), p95: percentile(t, 0.95) })) as [P, P, P];
  const ratio = herd.p50 / tmux.p50;
  const detail = `ms p50/p95: raw ${f(raw)}, tmux ${f(tmux)}, herd ${f(herd)}`;
  return [
    {
      measure: 'key to screen p50, herd / tmux',
      must: '≤ 2.5x (first bar 4x)',
      figure: `${ratio.toFixed(2)}x`,
      holds: ratio <= 2.5,
      detail,
    },
    {
      measure: 'key to screen p95, herd − tmux',
      must: '≤ 5 ms',
      figure: `${(herd.p95 - tmux.p95).toFixed(1)} ms`,
      holds: herd.p95 - tmux.p95 <= 5,
    },
  ];
}

interface P {
  p50: number;
  p95: number;
}

const f = (p: P): string => `${p.p50.toFixed(2)}/${p.p95.toFixed(2)}`;
