// herd resume: takes up the conversations of agents that have exited, one after the other. With --fresh a new agent is started in the place
// of one whose conversation is not known; never without.
import { setTimeout as pause } from 'node:timers/promises';
import type { Workspace } from '../../model/workspace.ts';
import { Failure, usage } from '../failure.ts';
import { plain } from '../output.ts';
import { place } from '../place.ts';
import type { RunVerb } from '../verb.ts';

/** ms between two starts: twenty agents at once take every core for half a minute. */
const STAGGER = 1500;

export const run: RunVerb = async (call) => {
  const { words, options } = call;
  if (options.all === true && words.length > 0) throw usage('Name workspaces or give --all, not both.');
  const link = await call.link();
  const refs =
    options.all === true ? resumable((await link.request('session.state', {})).workspaces) : words.length > 0 ? words : [undefined];
  const resumed: Workspace[] = [];
  const failures: { workspace: string | number; error: Failure }[] = [];
  for (const [i, ref] of refs.entries()) {
    if (i > 0) await pause(STAGGER);
    const workspace = typeof ref === 'number' ? ref : call.workspace(ref);
    try {
      resumed.push(
        (await link.request('workspace.resume', { workspace, place: place(call), fresh: options.fresh === true || undefined })).workspace,
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (refs.length === 1) throw error;
      failures.push({ workspace, error });
    }
  }
  for (const { error } of failures) call.out.note(error.message);
  if (call.json)
    call.out.json({ resumed, failed: failures.map(({ workspace, error }) => ({ workspace, code: error.code, message: error.message })) });
  else if (refs.length === 0) call.out.note('No agent that has exited has a conversation to resume.');
  else call.out.text(resumed.map((workspace) => plain(`${workspace.id}  ${workspace.name}  resumed`)).join('\n'));
  return failures.length === 0 ? 0 : 1;
};

/** Exited, with a conversation; each conversation once. */
function resumable(workspaces: Workspace[]): number[] {
  const exited = workspaces.filter(({ agent, conversation }) => agent.state === 'exited' && conversation !== null);
  const seen = new Set<string>();
  return exited
    .filter(({ agent, conversation }) => !seen.has(`${agent.kind} ${conversation}`) && seen.add(`${agent.kind} ${conversation}`))
    .map(({ id }) => id);
}
