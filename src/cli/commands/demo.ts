// herd demo: the whole loop on a throw-away repository with three scripted agents, in a session of its own.
import { join } from 'node:path';
import type { ClientPlace } from '../../wire/requests.ts';
import { runScriptedAgent } from '../demo/agent.ts';
import { makeRepository } from '../demo/repository.ts';
import { SCRIPTS } from '../demo/scripts.ts';
import { Failure } from '../failure.ts';
import { place } from '../place.ts';
import type { Call, Link, RunVerb } from '../verb.ts';
import { run as attach } from './attach.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { workspaces } = await link.request('session.state', {});
  // A demo that goes on is come back to; one whose agents are gone begins anew.
  if (workspaces.every((w) => w.agent.state === 'exited')) {
    for (const { id } of workspaces) await link.request('workspace.close', { workspace: id });
    const folder = join(call.paths.state, 'demo', 'shop');
    await makeRepository(folder).catch((error: Error) => {
      throw new Failure('demo-repository', `The demo's repository could not be made: ${error.message.split('\n')[0]}.`, {
        hint: `Is git installed, and ${call.paths.state} writable?`,
      });
    });
    for (const script of SCRIPTS) await startAgent(call, link, folder, script);
  }
  return attach({ ...call, words: [] });
};

async function startAgent(call: Call, link: Link, repository: string, script: { name: string; prompt: string }): Promise<void> {
  const here: ClientPlace = { ...place(call), cwd: repository };
  const speed = (call.options.speed as string | undefined) ?? '1';
  const argv = [process.execPath, process.argv[1]!, 'demo-agent', script.name, '--speed', speed];
  await link.request('workspace.new', { place: here, repository, branch: script.name, base: 'main', argv, prompt: script.prompt });
}

/** herd demo-agent NAME: what runs in the demo's panes. */
export const agent: RunVerb = ({ words, options }) => {
  const speed = Number(options.speed ?? 1);
  if (!(speed > 0 && speed <= 100)) throw new Failure('usage', `--speed takes a number up to 100, not "${options.speed}".`, { exit: 2 });
  return runScriptedAgent(words[0]!, speed);
};
