// An attempt as a live pane: a workspace on its worktree, its prompt delivered like any other, ended when the agent's turn has ended. A
// person may look, answer and steer meanwhile.
import type { AgentState } from '../../model/agent.ts';
import { RequestError } from '../../wire/client.ts';
import type { ClientPlace } from '../../wire/requests.ts';
import type { Claim } from '../task.ts';
import type { Told } from './headless.ts';
import type { SessionLink } from './session-link.ts';

/** One wait for a change of state, ms: the server answers sooner, or says that time is up. */
const WAIT = 30_000;

export interface LiveWork {
  /** How it ended: code 0 when the turn ended. */
  over: Promise<{ code: number | null; signal: string | null }>;
  /** Ends the agent and closes the workspace. */
  close(): Promise<void>;
  told: (() => Told) | null;
}

export interface LiveOptions {
  link: SessionLink;
  place: ClientPlace;
  claim: Claim;
  /** Known from an earlier runner. */
  workspace: number | null;
  onWorkspace(id: number): Promise<void>;
  /** The agent asks something, or (null) does not any more. */
  onBlocked(question: string | null): void;
}

/** Opens the workspace (again) and sees to it that the prompt was given once. */
export async function startLive(o: LiveOptions): Promise<LiveWork> {
  const { link, claim, place } = o;
  const { spec } = claim;
  const { workspace } = await link.request('workspace.open', {
    ...{ place, path: place.cwd, agent: spec.agent === 'command' ? undefined : spec.agent, argv: spec.command ?? undefined },
  });
  if (o.workspace !== workspace.id) await o.onWorkspace(workspace.id);
  const { prompts } = await link.request('prompt.list', { workspace: workspace.id });
  if (prompts.length === 0) await link.request('prompt.send', { workspace: workspace.id, text: spec.prompt, queue: true });
  let open = true;
  return {
    over: followTurn(o, workspace.id, () => open),
    told: null,
    close: async () => {
      open = false;
      await link.request('workspace.close', { workspace: workspace.id }).catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
      });
    },
  };
}

async function followTurn(o: LiveOptions, workspace: number, open: () => boolean): Promise<{ code: number | null; signal: string | null }> {
  let blocked: boolean = false;
  while (open()) {
    try {
      const until: AgentState[] = [blocked ? 'working' : 'blocked', 'done', 'exited'];
      const { state } = await o.link.request('agent.wait', { workspace, until, timeout: WAIT });
      const { workspace: now } = await o.link.request('workspace.get', { workspace });
      const queued = (await o.link.request('prompt.list', { workspace })).prompts.some((prompt) => prompt.state === 'queued');
      blocked = state === 'blocked';
      o.onBlocked(blocked ? (now.agent.question?.text ?? 'it waits for an answer') : null);
      if (state === 'done' && !queued) return { code: 0, signal: null };
      if (state === 'exited') return { code: now.agent.exit?.code ?? null, signal: now.agent.exit?.signal ?? null };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code !== 'timed-out') return { code: null, signal: null };
    }
  }
  return { code: null, signal: null };
}
