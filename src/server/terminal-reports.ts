// What the session does when a terminal reports something: publish, tell clients, log, move the queue on.
import { conversationIn } from '../agents/conversation.ts';
import type { TerminalFact } from '../model/terminal-facts.ts';
import type { ServerEvent } from '../wire/requests.ts';
import { keepConversation } from './resume-agent.ts';
import type { Session } from './session.ts';
import type { LiveTerminal, TerminalsOptions } from './state/terminals.ts';

type Reports = Pick<TerminalsOptions, 'onChange' | 'onOutput' | 'onFact' | 'onStatus' | 'onExit' | 'onGone'>;

/** Facts that are part of what everyone sees of a terminal. */
const SHOWN_FACTS: ReadonlySet<TerminalFact['fact']> = new Set(['title', 'cwd', 'progress', 'cursor-colour']);

/** `session` is asked for when something is reported; `onLast` after each exit. */
export function terminalReports(session: () => Session, onLast: () => void): Reports {
  const tell = (terminal: LiveTerminal) => {
    const { clients, terminals, workspaces } = session();
    clients.emit({ event: 'terminal', terminal: terminals.facts(terminal) });
    workspaces.touch(terminal.workspace);
  };
  return {
    onOutput: (terminal) => session().publisher.poke(terminal.id),
    onChange: tell,
    onFact: (terminal, fact) => {
      const event = factEvent(terminal, fact);
      // To the client whose person did something last: one clipboard, one bell.
      if (event) session().clients.leading()?.send(event);
      else if (SHOWN_FACTS.has(fact.fact)) tell(terminal);
      if (fact.fact === 'notification') session().attention.said(terminal.workspace, fact.title, fact.body);
    },
    onStatus: (terminal, status, before) => {
      const { workspaces, log, attention, prompts, memories } = session();
      const { workspace: id } = terminal;
      workspaces.touch(id);
      const workspace = workspaces.find(id);
      if (!workspace) return;
      const old = workspace.lastStatus;
      workspace.lastStatus = status;
      memories.note(terminal, status.state !== before || status.turn !== old.turn || status.question?.id !== old.question?.id);
      // An approval in the middle of a turn is no new one.
      if (status.turn > old.turn) void workspace.review?.turnBegan();
      if (status.state !== before) {
        log.add('state', id, `${before} to ${status.state}: ${status.why}`, { state: status.state, before, turn: status.turn });
        if (status.state !== 'working' && status.state !== 'blocked') workspace.review?.turnEnded();
      }
      attention.status(id, status, before);
      prompts.pump(id);
    },
    onExit: (terminal, exit) => {
      const { log, terminals, workspaces } = session();
      log.add('exit', terminal.workspace, `terminal ${terminal.id} ended ${exit.signal ? `by ${exit.signal}` : `with code ${exit.code}`}`);
      tell(terminal);
      const workspace = workspaces.find(terminal.workspace);
      const said = terminal.watch ? conversationIn(terminal.watch.kind, terminal.screen.text()) : null;
      if (said !== null && workspace) keepConversation(session(), workspace, said);
      if (terminal.role === 'shell' && workspace) {
        void terminals
          .close(terminal.id)
          .then(() => workspaces.update(workspace, { terminals: workspace.row.terminals.filter((t) => t.id !== terminal.id) }));
      }
      onLast();
    },
    onGone: (id) => {
      session().sizing.forget(id);
      session().publisher.forget(id);
    },
  };
}

function factEvent(terminal: LiveTerminal, fact: TerminalFact): ServerEvent | null {
  if (fact.fact === 'bell') return { event: 'bell', terminal: terminal.id };
  if (fact.fact === 'notification')
    return { event: 'notification', terminal: terminal.id, title: fact.title, body: fact.body, form: fact.source };
  if (fact.fact === 'clipboard' && fact.text !== '') return { event: 'clipboard', terminal: terminal.id, text: fact.text };
  return null;
}
