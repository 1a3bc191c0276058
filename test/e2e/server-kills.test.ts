// The whole server, killed at random while recorded agents print and ask: screens, cursor and input are those of a run that nobody
// disturbed, and comments, queue and states are what they were. HERD_KILLS says how many kills.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver, isAlive } from '../support/driver.ts';
import { bundle, eventually } from '../support/held-session.ts';
import { createRandom } from '../support/random.ts';

const KILLS = Number(process.env.HERD_KILLS ?? 8);
const SEED = Number(process.env.HERD_SEED ?? Date.now() % 1_000_000);
/** Longest life of a server, ms: from before it listens to long after it has primed. */
const LIFE = 1500;
/** Pause of the agents between writes, ms. */
const PACE = 4;
const RECORDINGS = ['pi-approve-shell', 'codex-long'];

interface Workspace {
  agent: { kind: string; state: string };
  terminals: { title: string }[];
}

test(`${KILLS} kills of the whole server (seed ${SEED})`, { timeout: KILLS * 30_000 + 600_000 }, async () => {
  await using herd = new Driver();
  const logs = mkdtempSync(join(tmpdir(), 'hl-'));
  const agent = await bundle('replay-agent');
  const start = async (name: string, rounds: string, pace: number) => {
    const log = join(logs, `${name}-${pace}`);
    const cast = join(import.meta.dirname, `../fixtures/recordings/${name}.cast`);
    const argv = [process.execPath, agent, cast, log, rounds, String(pace)];
    const { workspace } = await herd.json<{ workspace: number }>(['run', '--session', 'm', '--detach', '--', ...argv]);
    return { id: String(workspace), log };
  };
  const outcome = async ({ id, log }: { id: string; log: string }) => {
    await eventually(
      async () => (await herd.json<Workspace>(['status', id])).terminals[0]?.title === 'finished',
      `agent ${id} has finished`,
      KILLS * 15_000 + 240_000,
    );
    return { screen: await herd.json(['read', id, '--ansi']), input: readFileSync(log, 'latin1') };
  };

  // They go on for as long as servers are killed.
  const runs: { name: string; end: string; id: string; log: string }[] = [];
  for (const name of RECORDINGS) {
    const end = join(logs, `${name}-rounds`);
    runs.push({ name, end, ...(await start(name, `until ${end}`, PACE)) });
  }
  for (let i = 0; i < 3; i++) await herd.ok(['comment', 'add', '1', '.', `comment ${i}`]);
  // No agent that could take a prompt: it waits.
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  await herd.ok(['send', '3', 'a prompt that waits', '--queue']);
  const kept = async () => ({
    comments: await herd.json(['comment', 'list']),
    texts: (await herd.json<{ prompts: { id: number; text: string; comments: number[] }[] }>(['queue', '3'])).prompts.map(
      ({ id, text, comments }) => [id, text, comments],
    ),
  });
  const before = await kept();
  const { holder } = await herd.json<{ holder: { pid: number } }>(['server', 'status']);

  const log = () => ['holder', 'server'].map((name) => readFileSync(join(herd.dir, 'state/m', `${name}.log`), 'utf8')).join('\n');
  const random = createRandom(SEED);
  for (let kill = 0; kill < KILLS; kill++) {
    const pid = await eventually(() => childOf(holder.pid), 'a server runs');
    await new Promise((resolve) => setTimeout(resolve, random(LIFE)));
    expect(isAlive(pid), `no server ends by itself:\n${log()}`).toBe(true);
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid), 'it has been killed');
  }
  for (const { end } of runs) writeFileSync(end, '');
  const ends = [];
  for (const run of runs) ends.push(await outcome(run));
  expect(await kept()).toEqual(before);
  for (const [i, { name, end }] of runs.entries()) {
    const undisturbed = await outcome(await start(name, readFileSync(end, 'utf8'), 0));
    expect(ends[i]!.input.length).toBeGreaterThan(50);
    expect(ends[i], name).toEqual(undisturbed);
  }
  const { agent: live } = await herd.json<Workspace>(['status', '1']);
  expect(live.state).not.toBe('exited');
  rmSync(logs, { recursive: true, force: true });
});

/** The holder's server; null while there is none. Agents are children of the holder too, but not of this name. */
function childOf(holder: number): number | null {
  const children = readFileSync(`/proc/${holder}/task/${holder}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
  const isServer = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('server');
    } catch {
      return false;
    }
  };
  return children.find(isServer) ?? null;
}
