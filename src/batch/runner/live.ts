// An attempt as a live pane: a workspace on its worktree, its prompt delivered like any other, ended when the agent's turn has ended. A
// person may look, answer and steer meanwhile.
import type { AgentState } from '../../model/agent.ts';
import type { Prompt } from '../../model/review/comment.ts';
import { RequestError } from '../../wire/client.ts';
import type { ClientPlace } from '../../wire/requests.ts';
import type { Claim } from '../task.ts';
import type { SessionLink } from './session-link.ts';

/** One wait for a change of state, ms: the server answers sooner, or says that time is up. */
const WAIT = 10_000;
/** A person who looks turns 'done' into 'idle'. */
const ALL: readonly AgentState[] = ['working', 'blocked', 'done', 'idle', 'exited'];

type End = { code: number | null; signal: string | null };

export interface LiveWork {
  /** How it ended: code 0 when the turn ended; null when a person has closed the workspace. */
  over: Promise<End | null>;
  /** Ends the agent and closes the workspace. */
  close(): Promise<void>;
}

export interface LiveOptions {
  link: SessionLink;
  place: ClientPlace;
  /** Its worktree's branch: what the workspace is found by. */
  branch: string;
  claim: Claim;
  /** Known from an earlier runner. */
  workspace: number | null;
  onWorkspace(id: number): Promise<void>;
  /** The agent asks something, or (null) does not any more. */
  onBlocked(question: string | null): void;
}

/** Finds the workspace, or opens it, and sees to it that the prompt was given once. */
export async function startLive(o: LiveOptions): Promise<LiveWork> {
  const { link, claim } = o;
  const id = await findOrOpen(o);
  let open = id !== null;
  if (id === null) return { over: Promise.resolve(null), close: async () => {} };
  const { prompts } = await link.request('prompt.list', { workspace: id, all: true });
  if (prompts.length === 0) await link.request('prompt.send', { workspace: id, text: claim.spec.prompt, queue: true });
  return {
    over: followTurn(o, id, () => open),
    close: async () => {
      open = false;
      await closeWorkspace(link, id);
    },
  };
}

/** Ends the agent of a workspace with all it has started, and closes it. One that is gone is no fault. */
export async function closeWorkspace(link: SessionLink, workspace: number): Promise<void> {
  try {
    const { leftovers } = await link.request('workspace.close', { workspace });
    for (const { pid } of leftovers) kill(pid);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
}

/** One that is there is never opened again: an agent that has exited meanwhile would be started a second time. Null: a person closed it. */
async function findOrOpen({ link, place, branch, claim, workspace: known, onWorkspace }: LiveOptions): Promise<number | null> {
  const { workspaces } = await link.request('session.state', {});
  const there = workspaces.find((workspace) => workspace.branch === branch);
  if (!there && known !== null) return null;
  const { agent, command } = claim.spec;
  const program = { agent: agent === 'command' ? undefined : agent, argv: command ?? undefined };
  const id = there?.id ?? (await link.request('workspace.open', { place, path: place.cwd, ...program })).workspace.id;
  if (id !== known) await onWorkspace(id);
  return id;
}

/** Until a turn has ended with nothing more to be delivered, the agent has exited, or the workspace is gone. */
async function followTurn(o: LiveOptions, workspace: number, open: () => boolean): Promise<End | null> {
  let until: AgentState[] = [...ALL];
  while (open()) {
    try {
      const { state: reached, closing } = await o.link.request('agent.wait', { workspace, until, timeout: WAIT });
      if (closing) return null;
      // Deliveries first: what the agent does after it got the last of them is what counts.
      const delivery = deliveryOf((await o.link.request('prompt.list', { workspace, all: true })).prompts);
      const { agent } = (await o.link.request('workspace.get', { workspace })).workspace;
      const { state } = agent;
      if (reached === 'exited') return { code: agent.exit?.code ?? null, signal: agent.exit?.signal ?? null };
      if ((state === 'done' || state === 'idle') && delivery === 'done' && agent.turn > 0) return { code: 0, signal: null };
      const question = state === 'blocked' ? (agent.question?.text ?? 'it waits for an answer') : null;
      o.onBlocked(question ?? (delivery === 'stuck' ? 'its prompt could not be delivered' : null));
      until = ALL.filter((other) => other !== state);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code !== 'timed-out') return null;
      until = [...ALL];
    }
  }
  return null;
}

/** Whether the agent has got all that it was to get. */
function deliveryOf(prompts: readonly Prompt[]): 'open' | 'done' | 'stuck' {
  if (prompts.some(({ state }) => state === 'queued' || state === 'delivering')) return 'open';
  return prompts.some(({ state }) => state === 'accepted') ? 'done' : 'stuck';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
