// Start-up: first paint of an attach, reattach with a long history, a verb's cost, and the bytes of a screen on which nothing happens.
import { execFileSync } from 'node:child_process';
import { median, type Row } from './figures.ts';
import { environment, HERD, type Hosted, herd, startHost } from './hosts.ts';
import { Outer } from './outer.ts';

const RUNS = 11;
const MARK = 'ЖЩЮЯ';
/** Quiet time watched for bytes, ms. */
const QUIET = 5000;

/** Stands in the status bar, and nowhere before the chrome is there. */
const CHROME = 'ctrl+b';

/** From the start of a client until each of the marks is on the outer terminal, ms. */
async function timesTo(host: Hosted, ...marks: string[]): Promise<number[]> {
  const start = performance.now();
  const outer = host.attach!();
  const seen = await Promise.all(marks.map((mark) => outer.seen(mark, 20_000)));
  await outer.end();
  return seen.map((at) => at - start);
}

async function bareNode(cwd: string): Promise<number> {
  const start = performance.now();
  const outer = new Outer([process.execPath, '-e', '0'], { cols: 80, rows: 24, cwd, env: environment() });
  await outer.exited;
  return performance.now() - start;
}

export async function starts(): Promise<Row[]> {
  const empty = await startHost('herd', ['sh', '-c', `printf '%s%s\\n' ЖЩ ЮЯ; sleep 1000`]);
  const full = await startHost('herd', ['sh', '-c', `seq 1 10000; printf '%s%s\\n' ЖЩ ЮЯ; sleep 1000`]);
  const tmux = await startHost('tmux', ['sh', '-c', `printf '%s%s\\n' ЖЩ ЮЯ; sleep 1000`]);
  for (const host of [empty, full, tmux]) await host.outer.settled(1500);
  const before = empty.outer.bytes;
  await new Promise((r) => setTimeout(r, QUIET));
  const idle = empty.outer.bytes - before;
  const dir = empty.outer.pty ? process.cwd() : '.';
  const times = { node: [] as number[], empty: [] as number[], chrome: [] as number[], full: [] as number[], tmux: [] as number[] };
  for (let i = 0; i < RUNS; i++) {
    times.node.push(await bareNode(dir));
    const [paint, chrome] = await timesTo(empty, MARK, CHROME);
    times.empty.push(paint!);
    times.chrome.push(chrome!);
    times.full.push(...(await timesTo(full, MARK)));
    times.tmux.push(...(await timesTo(tmux, MARK)));
  }
  for (const host of [empty, full, tmux]) await host.stop();
  const node = median(times.node);
  const paint = median(times.empty) / node;
  const chrome = median(times.chrome) / node;
  const again = median(times.full) / median(times.empty);
  const detail = `ms: node -e 0 ${node.toFixed(0)}, tmux ${median(times.tmux).toFixed(0)}, herd ${median(times.empty).toFixed(0)}, with 10,000 lines ${median(times.full).toFixed(0)}`;
  return [
    { measure: 'first paint / node -e 0', must: '≤ 1.3x (first bar 1.6x)', figure: `${paint.toFixed(2)}x`, holds: paint <= 1.3, detail },
    {
      measure: 'chrome there / node -e 0',
      must: '≤ 3.5x',
      figure: `${chrome.toFixed(2)}x`,
      holds: chrome <= 3.5,
      detail: `${median(times.chrome).toFixed(0)} ms`,
    },
    { measure: 'reattach with 10,000 lines / with none', must: '≤ 1.5x', figure: `${again.toFixed(2)}x`, holds: again <= 1.5 },
    { measure: 'bytes in 5 s when nothing changes', must: '0', figure: String(idle), holds: idle === 0 },
    verbCost(),
  ];
}

/** `herd comment list --json` against a bare node, both as child processes. */
function verbCost(): Row {
  const dir = process.env.TMPDIR ?? '/tmp';
  const home = execFileSync('mktemp', ['-d', '-p', dir], { encoding: 'utf8' }).trim();
  herd(home, 'run', '--detach', '--', 'sleep', '1000');
  const time = (argv: string[]): number => {
    const start = performance.now();
    execFileSync(argv[0]!, argv.slice(1), { env: environment({ HERD_DIR: home }), stdio: 'ignore', cwd: home });
    return performance.now() - start;
  };
  const node: number[] = [];
  const verb: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    node.push(time([process.execPath, '-e', '0']));
    verb.push(time([...HERD, 'comment', 'list', '--json', '--session', 'bench']));
  }
  herd(home, 'server', 'stop', '--yes');
  execFileSync('rm', ['-rf', home]);
  const over = median(verb) - median(node);
  return {
    measure: 'comment list --json over node -e 0',
    must: '≤ 100 ms',
    figure: `${over.toFixed(0)} ms`,
    holds: over <= 100,
    detail: `${median(verb).toFixed(0)} − ${median(node).toFixed(0)} ms`,
  };
}
