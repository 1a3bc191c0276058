// Key to screen: a letter typed into `cat`, until its bytes reach the outer terminal.
import { median, percentile, type Row } from './figures.ts';
import { type Hosted, type HostName, startHost } from './hosts.ts';
import type { Outer } from './outer.ts';

/** Keys a round; rounds of the hosts are interleaved so that the machine's moods hit all alike. */
const KEYS = 25;
const ROUNDS = 8;

/** Keys until a session is what it is for the rest of its life, and the pause after each, ms: the code of a key is compiled by then. */
const WARM_UP = 1200;
const WARM_UP_PAUSE = 5;

/** Times tmux that the first keys may take, which cold code and V8 at work on it make slow. */
const FIRST_KEYS = 4;

/** Quiet, of a session just started and after its first thousand keys; and with a neighbour in another pane that prints as fast as it can. */
export async function keyToScreen(): Promise<Row[]> {
  return [...(await measureQuiet()), ...(await measureBesideFlood())];
}

const FLOOD = ['sh', '-c', 'while :; do seq 1 100000; done'];

async function measureQuiet(): Promise<Row[]> {
  const names: HostName[] = ['raw', 'tmux', 'herd'];
  return withHosts(names, async (hosts) => {
    const first = await inTurns(hosts);
    for (const { outer } of hosts) await typeInto(outer, WARM_UP, [], () => WARM_UP_PAUSE);
    return [...rowsOf('', names, await inTurns(hosts)), ...rowsOf(', first 200 keys of a session', names, first, FIRST_KEYS).slice(0, 1)];
  });
}

/** One host's neighbour at a time: two floods at once would measure the machine. */
async function measureBesideFlood(): Promise<Row[]> {
  const names: HostName[] = ['tmux', 'herd'];
  return withHosts(names, async (hosts) => {
    const times: number[][] = [];
    for (const host of hosts) {
      await typeInto(host.outer, WARM_UP, [], () => WARM_UP_PAUSE);
      const own: number[] = [];
      await whileFlooding(host, () => typeInto(host.outer, ROUNDS * KEYS, own));
      times.push(own);
    }
    return rowsOf(', a neighbour floods', names, times);
  });
}

async function withHosts(names: readonly HostName[], measure: (hosts: Hosted[]) => Promise<Row[]>): Promise<Row[]> {
  const hosts = await Promise.all(names.map((name) => startHost(name, ['cat'])));
  try {
    for (const host of hosts) await host.outer.settled(1000);
    return await measure(hosts);
  } finally {
    for (const host of hosts) await host.stop();
  }
}

/** ROUNDS times KEYS keys to each, in turns. */
async function inTurns(hosts: readonly Hosted[]): Promise<number[][]> {
  const times: number[][] = hosts.map(() => []);
  for (let round = 0; round < ROUNDS; round++) for (const [i, { outer }] of hosts.entries()) await typeInto(outer, KEYS, times[i]!);
  return times;
}

async function whileFlooding(host: Hosted, run: () => Promise<void>): Promise<void> {
  const stop = host.beside!(FLOOD);
  await new Promise((r) => setTimeout(r, 500));
  await run();
  stop();
}

/** Types letters that stand nowhere else on the screen, two bytes each and narrow: Latin Extended-A and B. */
async function typeInto(outer: Outer, keys: number, times: number[], pause = (k: number) => 15 + (k % 5) * 5): Promise<void> {
  for (let k = 0; k < keys; k++) {
    const letter = String.fromCharCode(0x100 + (times.length % 190));
    const seen = outer.seen(letter, 5000);
    const sent = performance.now();
    outer.write(letter);
    times.push((await seen) - sent);
    await new Promise((r) => setTimeout(r, pause(k)));
    if (k % KEYS === KEYS - 1) outer.write('\r');
  }
  await outer.settled(60, 500);
}

function rowsOf(label: string, names: HostName[], times: number[][], most = 2.5): Row[] {
  const of = Object.fromEntries(names.map((name, i) => [name, { p50: median(times[i]!), p95: percentile(times[i]!, 0.95) }])) as Record<
    HostName,
    P
  >;
  const { tmux, herd } = of;
  const ratio = herd.p50 / tmux.p50;
  return [
    {
      measure: `key to screen p50, herd / tmux${label}`,
      must: `≤ ${most}x`,
      figure: `${ratio.toFixed(2)}x`,
      holds: ratio <= most,
      detail: `ms p50/p95: ${names.map((name) => `${name} ${f(of[name])}`).join(', ')}`,
    },
    {
      measure: `key to screen p95, herd − tmux${label}`,
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
