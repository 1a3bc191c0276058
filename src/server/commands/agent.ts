// agent.explain, answer, interrupt, wait, report: what is known of agents, and what is said to them besides prompts.
import type { Question } from '../../model/agent.ts';
import type { WorkspaceRef } from '../../wire/requests.ts';
import { typedKeys } from '../key-names.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import type { AgentWatch } from '../state/agent-watch.ts';
import type { LiveTerminal } from '../state/terminals.ts';
import { waitForState } from '../state/waiting.ts';
import type { OpenWorkspace } from '../state/workspaces.ts';
import type { Family } from './handler.ts';

/** States a hook may report. */
const REPORTED = ['working', 'blocked', 'idle', 'done'] as const;

export const agentHandlers: Family<'agent'> = {
  'agent.explain': (session, { workspace: ref }) => {
    const workspace = session.workspaces.get(ref);
    const status = session.workspaces.status(workspace);
    const terminal = session.terminals.agentOf(workspace.row.id);
    const screen = terminal ? terminal.screen.text().lines.map((line) => line.text) : [];
    return { status, evidence: status.evidence, screen };
  },
  'agent.answer': async (session, { workspace: ref, answer, dialog }) => {
    const { workspace, terminal, watch } = liveAgent(session, ref);
    const { question } = watch.status;
    if (!question) throw new Refusal('no-question', 'The agent asks nothing now: nothing was sent.', 'herd status shows its state.');
    if (dialog !== undefined && dialog !== question.id) {
      throw new Refusal('changed', 'The dialog has changed: nothing was sent.', `It asks now: ${question.text.slice(0, 200)}`, {
        question,
      });
    }
    const { keys, said } = answerKeys(answer, question, watch);
    session.log.add('answer', workspace.row.id, `${said} - to: ${question.text}`, { dialog: question.id });
    for (const bytes of keys(terminal)) {
      if (!(await session.host.writeIfForeground(terminal.id, terminal.pid, bytes))) {
        throw new Refusal('not-in-front', 'Another program is in front of the agent: nothing was sent.');
      }
    }
    watch.fact({ fact: 'input', by: 'person', submit: true });
    return { answered: said };
  },
  'agent.interrupt': async (session, { workspace: ref }) => {
    const { workspace, terminal, watch } = liveAgent(session, ref);
    const keys = watch.kind.keys.interrupt.length > 0 ? watch.kind.keys.interrupt : ['ctrl+c'];
    for (const bytes of typedKeys(terminal.screen, keys)) session.host.write(terminal.id, bytes);
    watch.fact({ fact: 'input', by: 'person', submit: false });
    session.log.add('interrupt', workspace.row.id, `interrupted by ${keys.join(' ')}`);
    return {};
  },
  'agent.wait': async (session, { workspace: ref, until, timeout }, client) => {
    const workspace = session.workspaces.get(ref);
    const watch = session.terminals.agentOf(workspace.row.id)?.watch;
    if (!watch) {
      if (until.includes('exited')) return { state: 'exited', at: workspace.lastStatus.since };
      throw new Refusal('exited', 'The agent has exited.', 'Resume it first.');
    }
    const gone = new AbortController();
    client.disposers.push(() => gone.abort());
    const signal = AbortSignal.any([gone.signal, workspace.closing.signal]);
    return waitForState(watch, until, session.prompts.deliveries(workspace.row.id), timeout, signal);
  },
  'agent.report': (session, { terminal: id, token, seq, state, message, session: conversation }) => {
    const terminal = session.terminals.get(id);
    if (token !== terminal.token) throw new Refusal('wrong-token', 'This is not the pane that the report is about.');
    const known = REPORTED.find((name) => name === state);
    if (known) terminal.watch?.fact({ fact: 'hook', sequence: seq, state: known, message: message?.slice(0, 500) });
    const workspace = session.workspaces.find(terminal.workspace);
    const kind = terminal.watch?.kind.id;
    if (conversation && kind && workspace && /^[\w.:-]{1,128}$/.test(conversation) && !conversation.startsWith('-')) {
      void session.workspaces.update(workspace, { resume: { ...workspace.row.resume, [kind]: conversation } });
    }
    return {};
  },
};

/** Throws Refusal 'exited' when there is no agent that lives. */
export function liveAgent(session: Session, ref: WorkspaceRef): { workspace: OpenWorkspace; terminal: LiveTerminal; watch: AgentWatch } {
  const workspace = session.workspaces.get(ref);
  const terminal = session.terminals.agentOf(workspace.row.id);
  if (!terminal?.watch || terminal.exit) throw new Refusal('exited', `The agent of ${workspace.row.name} has exited.`, 'Nothing was sent.');
  return { workspace, terminal, watch: terminal.watch };
}

type Answer = 'approve' | 'reject' | number | { text: string };

/** What to press for an answer, and how the log says it. */
function answerKeys(answer: Answer, question: Question, watch: AgentWatch): { keys: (to: LiveTerminal) => Uint8Array[]; said: string } {
  const { approve, reject } = watch.kind.keys;
  const press = (names: string[], said: string) => ({ keys: (to: LiveTerminal) => typedKeys(to.screen, names), said });
  if (typeof answer === 'number') {
    const option = question.options[answer - 1];
    if (!option)
      throw new Refusal('no-option', `The dialog has ${question.options.length} answers, not ${answer}.`, undefined, { question });
    return press(option.keys, `${answer} ${option.label}`);
  }
  if (answer === 'approve') {
    const first = question.options[0];
    return press(approve.length > 0 ? approve : (first?.keys ?? ['enter']), first ? `approve (${first.label})` : 'approve');
  }
  if (answer === 'reject') return press(reject.length > 0 ? reject : ['escape'], 'reject');
  if (/[\r\n\x1b]/.test(answer.text)) throw new Refusal('usage', 'An answer is one line of text.');
  return {
    said: answer.text,
    keys: (to) => [Buffer.from(answer.text), ...typedKeys(to.screen, ['enter'])],
  };
}
