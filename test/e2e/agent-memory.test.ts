// A server that is killed with -9 is followed by one that says the same of every agent: state, since when, turn, question. No turn begins or
// ends by it, and nobody is told twice.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Workspace } from '../../src/model/workspace.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';

/** Reports by OSC 7501 what its arguments say, each when there is a file of its number in the folder. */
const REPORTER = `
import { existsSync } from 'node:fs';
const [, , ...states] = process.argv;
process.stdout.write('ready\\r\\n');
let said = 0;
setInterval(() => {
  if (said === states.length || !existsSync(String(said))) return;
  const state = states[said++];
  process.stdout.write('\\x1b]7501;state=' + state + '\\x1b\\\\now ' + state.split(':')[0] + '\\r\\n');
}, 50);
`;

const MESSAGE = Buffer.from('approve Bash: npm test').toString('base64');
const AGENTS: Record<string, { says: string[]; ends: string }> = {
  rests: { says: ['idle'], ends: 'idle' },
  works: { says: ['idle', 'working'], ends: 'working' },
  asks: { says: ['idle', 'working', `blocked:kind=permission:msg=${MESSAGE}`], ends: 'blocked' },
  finished: { says: ['idle', 'working', 'done'], ends: 'done' },
  failed: { says: ['idle', 'working', 'error'], ends: 'done' },
  silent: { says: [], ends: 'unknown' },
};

test('every state outlives kill -9 of the server', async () => {
  await using herd = new Driver();
  const script = join(herd.dir, 'reporter.mjs');
  writeFileSync(script, REPORTER);
  for (const [name, { says }] of Object.entries(AGENTS)) {
    const folder = join(herd.dir, 'work', name);
    mkdirSync(folder, { recursive: true });
    await herd.ok(['open', folder, '--', process.execPath, script, ...says]);
  }
  const list = async () => {
    const { workspaces } = await herd.json<{ workspaces: Workspace[] }>(['ls']);
    return workspaces.map(({ name, agent }) => ({ name, agent }));
  };
  const settled = async () => {
    const seen = await list();
    // A question is told a moment after its agent blocks: once its dialog is drawn, or none comes.
    const isTold = ({ state, question }: Workspace['agent']) => state !== 'blocked' || question !== null;
    return seen.every(({ name, agent }) => agent.state === AGENTS[name]!.ends && isTold(agent)) ? seen : null;
  };
  // One report after the other: a state that is over in the same breath is none.
  for (let step = 0; step < 3; step++) {
    for (const [name, { says }] of Object.entries(AGENTS)) if (says[step]) writeFileSync(join(herd.dir, 'work', name, String(step)), '');
    const isAt = ({ says, ends }: (typeof AGENTS)[string]) => (step < says.length - 1 ? says[step] : ends);
    await eventually(
      async () => (await list()).every(({ name, agent }) => step >= AGENTS[name]!.says.length || agent.state === isAt(AGENTS[name]!)),
      `all agents have reported ${step + 1} times`,
    );
  }
  await eventually(settled, 'all agents are where they end');
  const told = async () => (await herd.ok(['log', '--lines', '1000'])).split('\n').filter((line) => /\b(state|attention)\b/.test(line));
  await eventually(
    async () => (await told()).filter((line) => /attention/.test(line)).length >= 3,
    'what is blocked and done has been told',
  );
  const before = await list();
  const log = await told();
  // Twice, so that what the first one kept is kept by the next. A third death in a minute would set terminals aside.
  for (let kill = 0; kill < 2; kill++) {
    process.kill(await herd.serverPid(), 'SIGKILL');
    await eventually(async () => (await herd.run(['server', 'ping'])).code === 0, 'another server is up');
  }
  await herd.ok(['wait', 'finished', '--until', 'done', '--timeout', '120']);
  expect(await list()).toEqual(before);
  // What a first look would have changed, it would have changed by now: a screen is looked at within two seconds.
  await eventually(async () => Date.now() - before[0]!.agent.since > 10_000, 'ten seconds have passed');
  expect(await list()).toEqual(before);
  expect(await told()).toEqual(log);
  await herd.ok(['server', 'restart']);
  expect(await list()).toEqual(before);
});
