// What the holder costs alone: its memory with 20 quiet and 20 full terminals, and the bytes a second it carries to a server that
// parses nothing. `node bench/holder.ts` prints JSON.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openHolderLink } from '../src/server/holder-link.ts';
import { eventually, HeldSession } from '../test/support/held-session.ts';

const TERMINALS = 20;
/** Lines of the stream that is timed: 15.9 MB as they arrive. */
const LINES = 2_000_000;

const session = await HeldSession.start({ HERD_TEST_NO_SERVER: '1' });
const pid = session.link.holder.pid;
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const cpu = () => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const empty = memory();
let received = 0;
const link = await eventually(
  () =>
    openHolderLink({
      ...{ socket: session.paths.holderSocket, token: session.token, version: 'bench', role: 'server' },
      onOutput(terminal, offset, bytes) {
        received += bytes.length;
        link.processed(terminal, offset + bytes.length, new Uint8Array(0));
      },
    }).catch(() => null),
  'the holder takes a server',
);
const spawn = (terminal: number, script: string) =>
  link.ask({
    ...{ do: 'spawn', terminal },
    spec: { argv: ['sh', '-c', script], cwd: tmpdir(), env: { PATH: process.env.PATH! }, cols: 120, rows: 40 },
  });
for (let id = 1; id <= TERMINALS; id++) await spawn(id, 'exec cat');
const quiet = memory();
for (let id = TERMINALS + 1; id <= 2 * TERMINALS; id++) await spawn(id, 'seq 1 500000; exec cat');
await eventually(async () => (await link.ask({ do: 'list' })).terminals!.filter(({ end }) => end > 3_388_000).length === TERMINALS, 'full');
const full = memory();
await spawn(100, `until [ -e ${session.paths.state}/go ]; do sleep 0.01; done; seq 1 ${LINES}`);
await link.ask({ do: 'follow', terminal: 100, from: 0 });
const [at, used] = [performance.now(), cpu()];
await spawn(101, `touch ${session.paths.state}/go`);
await eventually(async () => (await link.ask({ do: 'list' })).terminals!.find(({ id }) => id === 100)!.exit, 'the stream has ended');
const seconds = (performance.now() - at) / 1000;
const result = {
  holderMB: { empty, quiet, full, perQuiet: (quiet - empty) / TERMINALS, perFull: (full - quiet) / TERMINALS },
  stream: { MB: received / 1e6, MBps: received / 1e6 / seconds, cpuMsPerMB: (cpu() - used) / (received / 1e6) },
};
console.log(JSON.stringify(result, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 2));
link.close();
await session.stop();
process.exit(0);
