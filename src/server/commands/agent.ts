// agent.explain, answer, interrupt, wait, report: what is known of agents, and what is said to them besides prompts.
import { planAnswer } from '../../agents/answer.ts';
import { isConversation } from '../../agents/conversation.ts';
import type { TerminalFact } from '../../model/terminal-facts.ts';
import type { WorkspaceRef } from '../../wire/requests.ts';
import { runAnswer, standingQuestion } from '../answer-run.ts';
import { typedKeys } from '../key-names.ts';
import { Refusal } from '../refusal.ts';
import { keepConversation } from '../resume-agent.ts';
import type { Session } from '../session.ts';
import type { AgentWatch } from '../state/agent-watch.ts';
import { type LiveTerminal, proofOf } from '../state/terminals.ts';
import { waitForState } from '../state/waiting.ts';
import type { OpenWorkspace } from '../state/workspaces.ts';
import type { Family } from './handler.ts';

/** States a hook may report. */
const REPORTED = ['working', 'blocked', 'idle', 'done'] as const;

export const agentHandlers: Family<'agent'> = {
  'agent.explain': (session, { workspace: ref }) => {
    const workspace = session.workspaces.get(ref);
    const terminal = session.terminals.agentOf(workspace.row.id);
    const evidence = terminal?.watch?.evidence();
    const status = session.workspaces.status(workspace);
    const screen = terminal ? terminal.screen.text().lines.map((line) => line.text) : [];
    return { status, evidence: evidence ?? status.evidence, screen };
  },
  'agent.answer': async (session, { workspace: ref, answer, dialog }) => {
    const { workspace, terminal, watch } = liveAgent(session, ref);
    const question = await standingQuestion(watch);
    const plan = planAnswer(watch.kind, question, answer, dialog);
    if ('refused' in plan) {
      const code = question === null ? 'no-question' : dialog !== undefined && dialog !== question.id ? 'changed' : 'no-option';
      throw new Refusal(code, `Nothing was sent: ${plan.refused}.`, 'herd status shows what it asks.', question ? { question } : undefined);
    }
    session.log.add('answer', workspace.row.id, `${plan.label} - to: ${question!.text}`, { dialog: question!.id });
    await runAnswer({ host: session.host, terminal, watch, question: question!, now: session.now }, plan.steps);
    return { answered: plan.label };
  },
  'agent.interrupt': async (session, { workspace: ref }) => {
    const { workspace, terminal, watch } = liveAgent(session, ref);
    const keys = watch.kind.keys.interrupt.length > 0 ? watch.kind.keys.interrupt : ['ctrl+c'];
    for (const bytes of typedKeys(terminal.screen, keys)) {
      if (await session.host.writeIfForeground(terminal.id, terminal.pid, bytes)) continue;
      throw new Refusal('not-in-front', 'Another program is in front of the agent: it was not interrupted.');
    }
    watch.fact({ fact: 'input', by: 'person', submit: false });
    session.log.add('interrupt', workspace.row.id, `interrupted by ${keys.join(' ')}`);
    return {};
  },
  'agent.wait': async (session, { workspace: ref, until, timeout }, client) => {
    const workspace = session.workspaces.get(ref);
    const watch = session.terminals.agentOf(workspace.row.id)?.watch;
    if (!watch) {
      if (until.includes('exited')) return { state: 'exited', at: workspace.lastStatus.since, closing: workspace.ending };
      throw new Refusal('exited', 'The agent has exited.', 'Resume it first.');
    }
    const gone = new AbortController();
    const withdraw = client.onEnd(() => gone.abort());
    const signal = AbortSignal.any([gone.signal, workspace.closing.signal]);
    try {
      const found = await waitForState(watch, until, session.prompts.deliveries(workspace.row.id), timeout, signal);
      return { ...found, closing: workspace.ending };
    } finally {
      withdraw();
    }
  },
  'agent.report': (session, { terminal: id, token, seq, state, message, session: conversation, child }) => {
    const terminal = session.terminals.get(id);
    if (proofOf(token) !== terminal.proof) throw new Refusal('wrong-token', 'This is not the pane that the report is about.');
    const { watch } = terminal;
    const workspace = session.workspaces.find(terminal.workspace);
    if (!watch || !workspace) return {};
    const known = REPORTED.find((name) => name === state);
    const said = message?.slice(0, 500);
    if (child !== undefined) watch.fact({ fact: 'terminal', report: childReport(child, known, said) });
    else if (known) watch.fact({ fact: 'hook', sequence: seq, state: known, message: said });
    // While a turn runs it is a nested agent that begins: its conversation is not the pane's.
    const own = terminal.conversation === null || watch.status.state !== 'working';
    if (conversation !== undefined && isConversation(conversation) && own) {
      terminal.conversation = conversation;
      keepConversation(session, workspace, conversation);
    }
    return {};
  },
};

/** A sub-agent as OSC 7501 would have it: a record of its own below the program's, gone when it has ended. */
function childReport(child: string, state: (typeof REPORTED)[number] | undefined, message: string | undefined): TerminalFact {
  const id = `hook/${child.replace(/[^\w.-]/g, '_')}`;
  return { fact: 'status', report: { id, state: state === 'working' ? 'working' : 'clear', ...(message ? { message } : {}) } };
}

/** Throws Refusal 'exited' when there is no agent that lives. */
export function liveAgent(session: Session, ref: WorkspaceRef): { workspace: OpenWorkspace; terminal: LiveTerminal; watch: AgentWatch } {
  const workspace = session.workspaces.get(ref);
  const terminal = session.terminals.agentOf(workspace.row.id);
  if (!terminal?.watch || terminal.exit) throw new Refusal('exited', `The agent of ${workspace.row.name} has exited.`, 'Nothing was sent.');
  return { workspace, terminal, watch: terminal.watch };
}
