// What a program wrote before it ended, byte for byte, whether its reader kept up or was paused over the exit.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { openHolderLink } from '../src/server/holder-link.ts';
import { eventually, HeldSession } from '../test/support/held-session.ts';
import type { Row } from './figures.ts';

const RUNS = 50;
/** How long a paused reader says nothing, ms: longer than the 200 after which node-pty drops what is unread. */
const PAUSE = 400;
/** Lines each program writes before it ends: more than the kernel and node buffer, little enough to be read in pauses. */
const LINES = 40_000;

export async function exits(): Promise<Row[]> {
  const session = await HeldSession.start({ HERD_TEST_NO_SERVER: '1' });
  const runs = new Map<number, { hash: ReturnType<typeof createHash>; bytes: number; paused: boolean }>();
  const link = await eventually(
    () =>
      openHolderLink({
        ...{ socket: session.paths.holderSocket, token: session.token, version: 'bench', role: 'server' },
        onOutput(terminal, offset, bytes) {
          const run = runs.get(terminal)!;
          run.hash.update(bytes);
          run.bytes += bytes.length;
          const parsed = () => link.processed(terminal, offset + bytes.length, new Uint8Array(0));
          if (run.paused) setTimeout(parsed, PAUSE);
          else parsed();
        },
      }).catch(() => null),
    'the holder takes a server',
  );
  const expected = createHash('sha256')
    .update(`${Array.from({ length: LINES }, (_, i) => i + 1).join('\r\n')}\r\nEND\r\n`)
    .digest('hex');
  let same = 0;
  for (let id = 1; id <= RUNS; id++) {
    const run = { hash: createHash('sha256'), bytes: 0, paused: id % 2 === 0 };
    runs.set(id, run);
    const argv = ['sh', '-c', `seq 1 ${LINES}; echo END`];
    const spec = { argv, cwd: tmpdir(), env: { PATH: process.env.PATH! }, cols: 120, rows: 40 };
    await link.ask({ do: 'spawn', terminal: id, spec });
    await link.ask({ do: 'follow', terminal: id, from: 0 });
    await eventually(async () => {
      const held = (await link.ask({ do: 'list' })).terminals!.find((terminal) => terminal.id === id)!;
      return held.exit && run.bytes === held.end;
    }, 'all of the output came');
    if (run.hash.digest('hex') === expected) same++;
    await link.ask({ do: 'forget', terminal: id });
  }
  link.close();
  await session.stop();
  return [{ measure: `output at exit identical, ${RUNS} runs, half paused`, must: `${RUNS}`, figure: String(same), holds: same === RUNS }];
}
