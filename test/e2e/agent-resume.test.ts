// Conversations outlive their agents: the id that an agent prints as it ends, or that its hook reports, takes it up again, once, and never is
// a fresh agent put in its place. One prompt to several; C07: what a lost holder and a stopped server leave.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Workspace } from '../../src/model/workspace.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';

/** Says that it is pi, reports by OSC 7501, draws pi's box, runs its hook when asked to, and says how to go on as it ends. */
const AGENT = `#!/bin/sh
echo "$0 $*" >> "$HERD_DIR/started"
printf '\\033[?2004h\\033]7501;state=idle\\033\\\\'
rule=$(printf '─%.0s' $(seq 40))
printf '%s\\r\\n\\r\\n%s\\r\\n' "$rule" "$rule"
while read -r word; do
  case "$word" in
    hook) printf '{"hook_event_name":"SessionStart","session_id":"from-the-hook-1"}' | herd hook pi; echo told;;
    work) printf '\\033]7501;state=working\\033\\\\'; echo begun;;
    rest) printf '\\033]7501;state=idle\\033\\\\'; echo rested;;
    other) printf '{"hook_event_name":"SessionStart","session_id":"of-a-nested-one"}' | herd hook pi; echo heard;;
    child) printf '{"hook_event_name":"SubagentStart","agent_id":"a1"}' | herd hook pi; echo started;;
    gone) printf '{"hook_event_name":"SubagentStop","agent_id":"a1"}' | herd hook pi; echo stopped;;
    quit) printf 'To resume this session:\\r\\npi --session 01a229ee-9e3a-77ea\\r\\n'; exit 0;;
  esac
done
`;

async function withAgents(names: string[]) {
  const herd = new Driver();
  const bin = join(herd.dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'pi'), AGENT);
  chmodSync(join(bin, 'pi'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  for (const name of names) {
    const folder = join(herd.dir, 'work', name);
    mkdirSync(folder, { recursive: true });
    await herd.ok(['open', folder, '--', 'pi', '--mine'], { env });
    await herd.ok(['wait', name, '--until', 'idle', '--timeout', '120']);
  }
  const see = (name: string) => herd.json<Workspace>(['status', name]);
  const started = () =>
    readFileSync(join(herd.dir, 'started'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^.*\/pi /, ''));
  return { herd, env, see, started };
}

test('an agent that exited is resumed by the id it printed, with its own options, once', async () => {
  const { herd, env, see, started } = await withAgents(['one', 'two']);
  await using _herd = herd;
  for (const name of ['one', 'two']) {
    await herd.ok(['keys', name, '--text', 'quit', 'enter']);
    await herd.ok(['wait', name, '--until', 'exited', '--timeout', '120']);
  }
  await eventually(async () => (await see('one')).conversation === '01a229ee-9e3a-77ea', 'the id is kept');
  const { resumed } = await herd.json<{ resumed: Workspace[] }>(['resume', '--all'], { env });
  expect(resumed).toHaveLength(1);
  await eventually(() => started().length === 3, 'it runs again');
  expect(started()).toEqual(['--mine', '--mine', '--mine --session 01a229ee-9e3a-77ea']);
  const other = resumed[0]!.name === 'one' ? 'two' : 'one';
  const again = await herd.run(['resume', other], { env });
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/runs in (one|two) already/)]);
  const running = await herd.run(['resume', resumed[0]!.name], { env });
  expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/still runs/)]);
});

test('without an id nothing is started unless a fresh one is asked for; a hook tells the id before the end', async () => {
  const { herd, env, see, started } = await withAgents(['one', 'two']);
  await using _herd = herd;
  await herd.ok(['keys', 'two', '--text', 'hook', 'enter']);
  await herd.see('two', /told/);
  expect((await see('two')).conversation).toBe('from-the-hook-1');
  for (const name of ['one', 'two']) process.kill((await see(name)).terminals[0]!.pid!, 'SIGKILL');
  for (const name of ['one', 'two']) await herd.ok(['wait', name, '--until', 'exited', '--timeout', '120']);
  const refused = await herd.run(['resume', 'one'], { env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/no conversation of one/)]);
  expect(started()).toHaveLength(2);
  await herd.ok(['resume', 'two'], { env });
  await herd.ok(['resume', 'one', '--fresh'], { env });
  await eventually(async () => started().length === 4, 'both run again');
  expect(started().slice(2)).toEqual(['--mine --session from-the-hook-1', '--mine']);
});

test('a nested agent’s id is not the pane’s; a sub-agent that works is a mark and no state', async () => {
  const { herd, see } = await withAgents(['one']);
  await using _herd = herd;
  const say = async (word: string, answer: RegExp) => {
    await herd.ok(['keys', 'one', '--text', word, 'enter']);
    await herd.see('one', answer);
  };
  await say('hook', /told/);
  await say('work', /begun/);
  await herd.ok(['wait', 'one', '--until', 'working', '--timeout', '120']);
  await say('other', /heard/);
  expect((await see('one')).conversation).toBe('from-the-hook-1');
  await say('rest', /rested/);
  await eventually(async () => (await see('one')).agent.state !== 'working', 'its turn ended');
  await say('child', /started/);
  await eventually(async () => (await see('one')).agent.marks.background !== undefined, 'the sub-agent is marked');
  expect((await see('one')).agent.state).not.toBe('working');
  await say('gone', /stopped/);
  await eventually(async () => (await see('one')).agent.marks.background === undefined, 'it is over');
});

test('a report needs the pane’s own token', async () => {
  const { herd, see } = await withAgents(['one']);
  await using _herd = herd;
  const id = (await see('one')).terminals[0]!.id;
  const input = '{"hook_event_name":"SessionStart","session_id":"not-mine-1"}';
  const forged = await herd.run(['hook', 'pi'], { input, env: { HERD_TERMINAL: String(id), HERD_TOKEN: 'guessed' } });
  expect([forged.code, forged.stdout, forged.stderr]).toEqual([0, '', '']);
  expect((await see('one')).conversation).toBeNull();
});

test('integration install shows the change, uninstall brings back what was there', async () => {
  await using herd = new Driver();
  const file = join(herd.dir, '.claude/settings.json');
  mkdirSync(join(herd.dir, '.claude'));
  writeFileSync(file, '{\n  "model": "opus"\n}\n');
  const asked = await herd.run(['integration', 'install', 'claude'], { input: 'n\n' });
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/\+ .*herd hook claude[\s\S]*Nothing was changed/)]);
  await herd.ok(['integration', 'install', 'claude', '--yes']);
  expect(readFileSync(file, 'utf8')).toContain('"model": "opus"');
  await herd.ok(['integration', 'uninstall', 'claude', '--yes']);
  expect(readFileSync(file, 'utf8')).toBe('{\n  "model": "opus"\n}\n');
  await herd.ok(['integration', 'install', 'pi', '--yes']);
  await herd.ok(['integration', 'uninstall', 'pi', '--yes']);
  expect(existsSync(join(herd.dir, '.pi/agent/extensions/herd.ts'))).toBe(false);
});

test('one prompt to several: a receipt for each, and what one refuses the others still get', async () => {
  const { herd } = await withAgents(['one', 'two']);
  await using _herd = herd;
  await herd.ok(['keys', 'two', '--text', 'quit', 'enter']);
  await herd.ok(['wait', 'two', '--until', 'exited', '--timeout', '120']);
  const ran = await herd.run(['send', 'one,two,three', 'hello', '--json']);
  const { sent } = JSON.parse(ran.stdout) as { sent: { workspace: string; receipt?: { outcome: string }; error?: { code: string } }[] };
  expect(ran.code).toBe(1);
  expect(
    sent.map(({ workspace, receipt, error }) => [workspace, receipt?.outcome === 'refused' ? 'refused' : (error?.code ?? 'written')]),
  ).toEqual([
    ['one', 'written'],
    ['two', 'refused'],
    ['three', 'not-found'],
  ]);
});

test('C07: a server that was stopped for a while forgets nothing; after the holder’s end nothing is said to run, and can be resumed', async () => {
  const { herd, env, see, started } = await withAgents(['one']);
  await using _herd = herd;
  await herd.ok(['keys', 'one', '--text', 'hook', 'enter']);
  await herd.see('one', /told/);
  const before = (await see('one')).agent;
  const server = await herd.serverPid();
  process.kill(server, 'SIGSTOP');
  const slow = see('one');
  // Shorter than the verb waits for a server's first word.
  await new Promise((done) => setTimeout(done, 2500));
  process.kill(server, 'SIGCONT');
  expect((await slow).agent).toEqual(before);
  const { holder } = await herd.json<{ holder: { pid: number } }>(['server', 'status']);
  process.kill(holder.pid, 'SIGKILL');
  await eventually(async () => (await herd.run(['server', 'ping'])).code !== 0, 'the server went with its holder');
  await herd.ok(['resume', 'one'], { env });
  await eventually(async () => started().length === 2, 'it runs again');
  expect(started()[1]).toBe('--mine --session from-the-hook-1');
});
