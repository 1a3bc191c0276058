// Two recorded agents, a holder, and a server that is killed at random: in the end their screens are those of a run that nobody
// disturbed, and what they were sent is the same byte for byte. HERD_KILLS says how many kills (500 for the full proof).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle, eventually, HeldSession } from '../support/held-session.ts';
import { ownFolder } from '../support/own-folder.ts';

const KILLS = Number(process.env.HERD_KILLS ?? 40);
const SEED = Number(process.env.HERD_SEED ?? Date.now() % 1_000_000);
/** Longest life of a server, ms: from before it has connected to long after it has primed. */
const LIFE = 500;
const RECORDINGS = ['pi-approve-shell', 'codex-long'];
/** Pause between events, ms. */
const PACE = 2;

let session: HeldSession;
let agent: string;

beforeAll(async () => {
  agent = await bundle('replay-agent');
  session = await HeldSession.start();
});
afterAll(() => session?.stop());

interface Agent {
  terminal: number;
  log: string;
}

async function startAgent(name: string, pace: number, rounds: string): Promise<Agent> {
  const log = join(ownFolder(), 'input');
  const cast = join(import.meta.dirname, `../fixtures/recordings/${name}.cast`);
  return { log, terminal: await session.spawn([process.execPath, agent, cast, log, rounds, String(pace)]) };
}

async function outcome({ terminal, log }: Agent) {
  const seen = await eventually(
    async () => {
      const reply = await session.ask({ do: 'see', terminal });
      return reply.title === 'finished' ? reply : null;
    },
    `agent ${terminal} has finished`,
    600_000,
  );
  const { title, picture, cursor, modes } = seen;
  return {
    title,
    picture,
    cursor,
    modes,
    input: readFileSync(log, 'latin1'),
    history: await session.ask({ do: 'history', terminal }),
    checkpoint: (await session.ask({ do: 'checkpoint', terminal })).vt,
  };
}

test(`${KILLS} kills of the server (seed ${SEED})`, { timeout: KILLS * 15_000 + 600_000 }, async () => {
  // They go on for as long as servers are killed.
  const dir = ownFolder();
  const disturbed: (Agent & { name: string; end: string })[] = [];
  for (const name of RECORDINGS) {
    const end = join(dir, name);
    disturbed.push({ name, end, ...(await startAgent(name, PACE, `until ${end}`)) });
  }
  const random = mulberry(SEED);
  for (let kill = 0; kill < KILLS; kill++) {
    await new Promise((resolve) => setTimeout(resolve, random() * LIFE));
    await session.killServer();
  }
  for (const { end } of disturbed) writeFileSync(end, '');
  const ends = [];
  for (const run of disturbed) ends.push(await outcome(run));
  for (const [i, { name, end }] of disturbed.entries()) {
    const undisturbed = await outcome(await startAgent(name, 0, readFileSync(end, 'utf8')));
    expect(ends[i]!.input.length).toBeGreaterThan(100);
    expect(ends[i], name).toEqual(undisturbed);
  }
});

test(`a screen is the same in the next server, sizes changed in the midst of output (seed ${SEED})`, async () => {
  const random = mulberry(SEED);
  const terminals = [];
  for (const name of RECORDINGS) terminals.push(await startAgent(name, 0, '20'));
  for (let i = 0; i < 60; i++) {
    const { terminal } = terminals[i % 2]!;
    await session.ask({ do: 'resize', terminal, cols: 20 + Math.floor(random() * 140), rows: 5 + Math.floor(random() * 50) });
    if (i % 15 === 14) await session.killServer();
  }
  for (const run of terminals) {
    const before = await outcome(run);
    await session.killServer();
    expect(await outcome(run)).toEqual(before);
    const held = (await session.link.ask({ do: 'list' })).terminals!.find(({ id }) => id === run.terminal)!;
    expect(held.gap, 'nothing was lost').toBeNull();
  }
});

test(`every line once, whatever was on disk when the server died (seed ${SEED})`, async () => {
  const random = mulberry(SEED);
  // About 2 MB, far more than is live, with several checkpoints; slow enough that a server that takes ten seconds to start loses nothing.
  // Half of it waits until servers have been killed.
  const go = join(ownFolder(), 'go');
  const print =
    `let n=0;const burst=()=>{if(n===15000&&!require('node:fs').existsSync('${go}'))return void setTimeout(burst,20);` +
    "if(n===30000)return void setTimeout(()=>process.stdout.write('\\x1b]2;finished\\x07'),50).ref();let t='';" +
    "for(const end=n+100;n<end;n++)t+='\\x1b[3'+n%8+'mline '+n+'\\x1b[m '+'x'.repeat(n%90)+'.\\r\\n';process.stdout.write(t,()=>setTimeout(burst,20))};" +
    'burst();setInterval(()=>{},1e6)';
  const terminal = await session.spawn([process.execPath, '-e', print]);
  let kills = 0;
  const finished = async () => (await session.ask({ do: 'see', terminal })).title === 'finished';
  while (!(await finished()) && kills < 12) {
    await new Promise((resolve) => setTimeout(resolve, random() * LIFE));
    await session.killServer();
    if (++kills === 3) writeFileSync(go, '');
  }
  await eventually(finished, 'all lines were printed', 120_000);
  const { text } = await session.ask({ do: 'text', terminal });
  const lines = (text as string).trimEnd().split('\n');
  const wrong = lines.findIndex((line, n) => line !== `line ${n} ${'x'.repeat(n % 90)}.`);
  expect(wrong === -1 ? null : lines.slice(wrong - 1, wrong + 2)).toBeNull();
  expect(lines).toHaveLength(30_000);
});

/** A small seeded generator (mulberry32), 0 ≤ x < 1. */
function mulberry(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
