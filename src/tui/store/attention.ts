// Who needs the person: order of the attention queue, roll-ups, overlaps between worktrees. Pure questions to the state.
import type { AgentStatus } from '../../model/agent.ts';
import type { Workspace } from '../../model/workspace.ts';
import type { ClientState } from './state.ts';

/** What a row shows: the agent's state, or a mark that outranks it. Worst first. */
export const LOOKS = ['blocked', 'stalled', 'limited', 'done', 'working', 'unknown', 'idle', 'exited'] as const;
export type LookName = (typeof LOOKS)[number];

/** What an agent is to the person: its state, or a mark that says more (its limit is reached, it gives no sign of life). */
export function lookOf(status: AgentStatus): LookName {
  if (status.state === 'blocked') return 'blocked';
  if (status.marks.limit && status.state !== 'exited') return 'limited';
  if (status.marks.stalled && status.state === 'working') return 'stalled';
  return status.state;
}

/** The looks that ask for a person, in queue order. */
const NEEDY: LookName[] = ['blocked', 'stalled', 'done'];

/** Workspaces that need the person: questions first, then the stalled, then what is done; the longest waiting first. */
export function attentionQueue(state: ClientState): Workspace[] {
  return state.workspaces
    .filter((workspace) => NEEDY.includes(lookOf(workspace.agent)))
    .sort((a, b) => NEEDY.indexOf(lookOf(a.agent)) - NEEDY.indexOf(lookOf(b.agent)) || a.agent.since - b.agent.since || a.id - b.id);
}

/** The attention list of a narrow screen: those that need the person, then all others as the sidebar has them. */
export function attentionList(state: ClientState): Workspace[] {
  const first = attentionQueue(state);
  return [...first, ...state.workspaces.filter((workspace) => !first.includes(workspace))];
}

/** The next after the one shown, in queue order; blocked ones only while there are any. */
export function nextNeedy(state: ClientState): Workspace | null {
  const queue = attentionQueue(state);
  const at = queue.findIndex(({ id }) => id === state.shown);
  return queue[(at + 1) % Math.max(1, queue.length)] ?? null;
}

/** The question a one-key answer would go to: the shown workspace's, else that of the longest waiting. */
export function questionAtHand(state: ClientState): Workspace | null {
  const shown = state.workspaces.find(({ id }) => id === state.shown);
  if (shown?.agent.question) return shown;
  return attentionQueue(state).find((workspace) => workspace.agent.question !== null) ?? null;
}

export type RollUp = Record<LookName, number>;

/** How many workspaces have each look. */
export function rollUp(workspaces: readonly Workspace[]): RollUp {
  const counts = Object.fromEntries(LOOKS.map((look) => [look, 0])) as RollUp;
  for (const { agent } of workspaces) counts[lookOf(agent)]++;
  return counts;
}

/** Worktrees of one repository that hold the same changed path: 'A and B both edit file'. Most names first; `limit` at most. */
export function overlaps(state: ClientState, limit: number): { names: string[]; path: string; more: number }[] {
  const byPair = new Map<string, { names: string[]; paths: string[] }>();
  const seen = new Map<string, Workspace[]>();
  for (const workspace of state.workspaces) {
    for (const path of workspace.repository === null ? [] : (state.paths[workspace.id] ?? [])) {
      const key = `${workspace.repository}\0${path}`;
      seen.set(key, [...(seen.get(key) ?? []), workspace]);
    }
  }
  for (const [key, holders] of seen) {
    if (holders.length < 2) continue;
    const pair = holders.map(({ id }) => id).join();
    const entry = byPair.get(pair) ?? { names: holders.map(({ name }) => name), paths: [] };
    entry.paths.push(key.slice(key.indexOf('\0') + 1));
    byPair.set(pair, entry);
  }
  const found = [...byPair.values()].map(({ names, paths }) => ({ names, path: paths[0]!, more: paths.length - 1 }));
  return found.sort((a, b) => b.names.length - a.names.length || b.more - a.more).slice(0, limit);
}

/** Repositories with their workspaces, in the list's order. The name is the folder's; a plain folder has none. */
export function groupByRepository(
  workspaces: readonly Workspace[],
): { repository: string | null; name: string; workspaces: Workspace[] }[] {
  const groups = new Map<string | null, Workspace[]>();
  for (const workspace of workspaces) groups.set(workspace.repository, [...(groups.get(workspace.repository) ?? []), workspace]);
  return [...groups].map(([repository, members]) => ({
    repository,
    name: repository === null ? 'folders' : repositoryName(repository),
    workspaces: members,
  }));
}

/** Last folder of a repository's path; that of the folder around it for '.git' and '.bare'. */
export function repositoryName(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? path;
  return (/^\.(git|bare)$/.test(last) ? parts.at(-2) : last.replace(/\.git$/, '')) ?? last;
}
