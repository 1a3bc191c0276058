// Workspaces as verbs print them: the public JSON shape, a row, a block.
import type { AgentState, AgentStatus } from '../model/agent.ts';
import { counted } from '../model/counted.ts';
import type { Workspace } from '../model/workspace.ts';
import { age, columns, plain } from './output.ts';

/** Told apart without colour. */
const GLYPHS: Record<AgentState, string> = { blocked: '▲', done: '●', working: '◐', idle: '○', exited: '✕', unknown: '?' };

/** W of `herd ls --json`; `diff.age` in seconds, null before the first reading. */
export function publicWorkspace(workspace: Workspace, now: number): Workspace & { diff: { age: number | null } } {
  const { at } = workspace.diff;
  return { ...workspace, diff: { ...workspace.diff, age: at === null ? null : Math.max(0, Math.round((now - at) / 1000)) } };
}

/** id, name, state, age, diff size, what matters now. */
export function workspaceRow(workspace: Workspace, now: number): string[] {
  const { agent } = workspace;
  return [
    String(workspace.id),
    plain(workspace.name),
    `${GLYPHS[agent.state]} ${agent.state}${markWord(agent)}`,
    age(now - agent.since),
    diffSize(workspace),
    plain(headline(workspace)),
  ];
}

/** Everything about one workspace, a line each. */
export function workspaceBlock(workspace: Workspace, now: number): string {
  const { agent, base } = workspace;
  const comments = Object.entries(workspace.comments).filter(([, n]) => n! > 0);
  const rows: [string, string | null][] = [
    ['workspace', `${workspace.name} (${workspace.id})`],
    ['path', workspace.path],
    ['branch', workspace.branch ?? (workspace.head ? `detached at ${workspace.head}` : null)],
    ['base', base ? `${base.name} at ${base.commit.slice(0, 8)}` : null],
    ['agent', `${agent.kind}, ${agent.state} for ${age(now - agent.since)}: ${agent.why}`],
    ['asks', agent.question?.text ?? null],
    ['answers', agent.question?.options.map((o, i) => `${i + 1} ${o.label}`).join(' · ') || null],
    [
      'limit',
      agent.marks.limit ? `${agent.marks.limit.kind}${agent.marks.limit.resets ? `, resets ${agent.marks.limit.resets}` : ''}` : null,
    ],
    ['error', agent.marks.error ?? null],
    ['stalled', agent.marks.stalled ? 'no sign of life for long' : null],
    ['task', agent.marks.task ?? null],
    ['background', agent.marks.background ?? null],
    ['progress', agent.marks.progress === undefined ? null : `${agent.marks.progress} %`],
    ['context', agent.marks.context ?? null],
    ['cost', agent.marks.cost ?? null],
    [
      'conversation',
      agent.state === 'exited' && workspace.conversation !== null ? `${workspace.conversation}, herd resume ${workspace.id}` : null,
    ],
    ['diff', workspace.diff.at === null ? null : diffSize(workspace)],
    ['comments', comments.map(([state, n]) => `${n} ${state}`).join(', ') || null],
    ['queue', workspace.queue > 0 ? `${workspace.queue} prompts` : null],
    ['trouble', workspace.trouble],
  ];
  return columns(rows.filter((row): row is [string, string] => row[1] !== null).map(([name, value]) => [name, plain(value)]));
}

/** The mark that matters most, behind the state. */
function markWord({ state, marks }: AgentStatus): string {
  if (marks.limit)
    return marks.limit.resets ? ` (${marks.limit.kind} limit, resets ${plain(marks.limit.resets)})` : ` (${marks.limit.kind} limit)`;
  if (marks.stalled) return ' (stalled)';
  if (marks.error) return ' (error)';
  if (marks.background) return ' (jobs run on)';
  return marks.progress !== undefined && state === 'working' ? ` (${marks.progress} %)` : '';
}

function diffSize({ diff }: Workspace): string {
  if (diff.at === null) return '-';
  return `${counted(diff.files, 'file')} +${diff.added} -${diff.removed}`;
}

function headline({ agent, trouble }: Workspace): string {
  const text = trouble ?? agent.question?.text ?? agent.marks.error ?? agent.marks.background ?? agent.marks.task ?? '';
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
