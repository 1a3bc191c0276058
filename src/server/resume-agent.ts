// Takes an agent's conversation up again in its workspace. Never starts a fresh agent in its place unless that was asked for, and never one
// conversation in two terminals.
import { resumeCommand } from '../agents/conversation.ts';
import type { ClientPlace } from '../wire/requests.ts';
import { Refusal } from './refusal.ts';
import type { Session } from './session.ts';
import { startTerminal } from './start-terminal.ts';
import type { OpenWorkspace } from './state/workspaces.ts';

/** Throws Refusal: 'running', 'no-conversation', 'in-use', or why the program cannot be started. */
export async function resumeAgent(session: Session, workspace: OpenWorkspace, place: ClientPlace, fresh: boolean): Promise<void> {
  const { row } = workspace;
  const old = session.terminals.agentOf(row.id);
  if (old && !old.exit) throw new Refusal('running', `The agent of ${row.name} still runs.`);
  const kind = session.kinds.get(row.agentKind) ?? session.kinds.get('generic')!;
  const conversation = fresh ? undefined : row.resume[row.agentKind];
  const argv = fresh ? row.argv : conversation === undefined ? null : resumeCommand(kind, row.argv, conversation);
  if (!argv) {
    throw new Refusal(
      'no-conversation',
      `herd knows no conversation of ${row.name} that could be resumed.`,
      `Start a new one in its place: herd resume ${row.id} --fresh`,
    );
  }
  const other = conversation === undefined ? null : holderOf(session, row.agentKind, conversation);
  if (other)
    throw new Refusal('in-use', `That conversation runs in ${other.row.name} already.`, `Go there, or start a new one with --fresh.`);
  if (old) await session.terminals.close(old.id);
  const terminal = await startTerminal(session, workspace, { role: 'agent', argv, place, kind });
  terminal.conversation = conversation ?? null;
  session.log.add('workspace', row.id, conversation ? `resumed conversation ${conversation}` : 'started the agent anew', { argv });
}

/** The workspace whose agent lives and has the conversation. */
function holderOf(session: Session, kind: string, conversation: string): OpenWorkspace | undefined {
  return session.workspaces.all().find((workspace) => {
    const terminal = session.terminals.agentOf(workspace.row.id);
    return terminal && !terminal.exit && workspace.row.agentKind === kind && terminal.conversation === conversation;
  });
}

/** Keeps the id by which the agent in `terminal` is resumed. */
export function keepConversation(session: Session, workspace: OpenWorkspace, conversation: string): void {
  const { row } = workspace;
  if (row.resume[row.agentKind] === conversation) return;
  void session.workspaces.update(workspace, { resume: { ...row.resume, [row.agentKind]: conversation } });
}
