// Redraws in place as agents and full-screen programs make them: MB a second until the end is on the outer terminal, and what share of
// the bytes that terminal had to take. A program draws for the size that its pane has, so each host gets the stream for its own.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from './figures.ts';
import { run } from './flood.ts';
import { type HostName, startHost } from './hosts.ts';

/** Bytes of each stream: about a second, of which the first frames and the last do not count for much; little enough for three rounds of all. */
const SIZE = 24 * 1024 * 1024;
const ROUNDS = 3;
const ESC = '\x1b';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

interface Size {
  cols: number;
  rows: number;
}

/** Every cell with colours and three attributes of its own. */
function denseCells(frame: number, { cols, rows }: Size): string {
  let text = `${ESC}[H`;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < cols - 1; x++) {
      const i = x + y + frame;
      text += `${ESC}[38;5;${(i % 156) + 100};48;5;${255 - (i % 156)};1;3;4m${LETTERS[frame % 26]}`;
    }
    text += `${ESC}[m\r\n`.slice(0, y === rows - 1 ? 3 : undefined);
  }
  return text;
}

/** A whole frame inside synchronized output. */
function syncFrame(frame: number, { rows }: Size): string {
  let text = `${ESC}[?2026h`;
  for (let y = 0; y < rows; y++)
    text += `${ESC}[${y + 1};1H${ESC}[2K${ESC}[38;2;${(frame * 3) % 255};${y};120m frame ${frame} line ${y} ${'#'.repeat((frame + y) % 40)}${ESC}[m`;
  return `${text}${ESC}[?2026l`;
}

/** Lines that come in above a spinner that is erased and drawn at each step. */
function agentStep(step: number): string {
  const line = step % 12 === 0 ? `${ESC}[1A${ESC}[2K  const value${step} = compute(${step});\r\n` : '';
  return `\r${ESC}[2K${line}${ESC}[38;5;174m${SPINNER[step % 10]}${ESC}[39m Thinking… (${step}s · ↑ ${step * 3} tokens · esc to interrupt)`;
}

const STREAMS: [name: string, piece: (n: number, size: Size) => string][] = [
  ['agent stream', agentStep],
  ['sync frames', syncFrame],
  ['dense cells', denseCells],
];

export async function streams(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'herd-bench-'));
  try {
    const hosts = await Promise.all((['tmux', 'herd'] as const).map(async (name) => ({ name, size: await paneSize(name, dir) })));
    const rows: Row[] = [];
    for (const [name, piece] of STREAMS) rows.push(...(await compare(name, piece, hosts, dir)));
    return rows;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The size that a program has in this host. */
async function paneSize(name: HostName, dir: string): Promise<Size> {
  const file = join(dir, `${name}.size`);
  const host = await startHost(name, ['sh', '-c', `read go; stty size >${file}.new; mv ${file}.new ${file}; sleep 1000`]);
  try {
    await host.outer.settled(800);
    host.outer.write('\r');
    while (!existsSync(file)) await new Promise((r) => setTimeout(r, 50));
    const [rows = 0, cols = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
    return { cols, rows };
  } finally {
    await host.stop();
  }
}

async function compare(
  name: string,
  piece: (n: number, size: Size) => string,
  hosts: { name: HostName; size: Size }[],
  dir: string,
): Promise<Row[]> {
  const end = 'the end of it';
  const file = (host: HostName): string => join(dir, host);
  const input = new Map<HostName, number>();
  for (const host of hosts) {
    let text = '';
    for (let n = 0; text.length < SIZE; n++) text += piece(n, host.size);
    writeFileSync(file(host.name), `${text}${ESC}[m${ESC}[H${ESC}[2J${end}`);
    input.set(host.name, Buffer.byteLength(text));
  }
  const speed = new Map<HostName, number[]>(hosts.map((host) => [host.name, []]));
  const out: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name: host } of hosts) {
      const result = await run(host, `cat ${file(host)}`, end);
      speed.get(host)!.push(input.get(host)! / 1e3 / result.ms);
      if (host === 'herd') out.push(result.out / input.get(host)!);
    }
  }
  const [tmux, herd] = hosts.map((host) => median(speed.get(host.name)!)) as [number, number];
  const share = median(out);
  return [
    {
      measure: `${name}, MB/s herd / tmux`,
      must: '≥ 0.8x',
      figure: `${(herd / tmux).toFixed(2)}x`,
      holds: herd / tmux >= 0.8,
      detail: `tmux ${tmux.toFixed(1)}, herd ${herd.toFixed(1)} MB/s`,
    },
    { measure: `bytes to the tty, ${name}`, must: '≤ 5 %', figure: `${(100 * share).toFixed(2)} %`, holds: share <= 0.05 },
  ];
}
