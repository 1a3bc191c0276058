// client.attach, size, focus, outer; view.set, view.scroll: what a drawing client says of itself.
import type { ClientLink } from '../clients.ts';
import { linkAgentSocket } from '../own-program.ts';
import type { Session } from '../session.ts';
import type { Family } from './handler.ts';
import { sessionHandlers } from './server.ts';

export const clientHandlers: Family<'client'> = {
  'client.attach': async (session, { cols, rows, outer, place, workspace }, client) => {
    client.attached = { place, cols, rows };
    session.clients.touch(client);
    setOuter(session, outer);
    linkAgentSocket(session.paths, place.env.SSH_AUTH_SOCK);
    session.log.add('client', null, `a client attached, ${cols}x${rows}`);
    client.onEnd(() => {
      session.log.add('client', null, 'a client left');
      turnFrom(session, client.workspace);
      lookAgain(session);
    });
    const state = await sessionHandlers['session.state'](session, {}, client);
    return workspace === undefined ? state : { ...state, selected: session.workspaces.get(workspace).row.id };
  },
  'client.begin': ({ firstFrames }, { cols, rows, env }, client) => {
    client.send({ event: 'first-frame', ...firstFrames.begin(client, { cols, rows }, env) });
    return {};
  },
  'client.size': (session, { cols, rows }, client) => {
    if (client.attached) client.attached = { ...client.attached, cols, rows };
    session.clients.touch(client);
    session.publisher.led(client);
    return {};
  },
  'client.focus': (session, { focused, workspace }, client) => {
    const before = client.workspace;
    client.focused = focused;
    client.workspace = workspace;
    if (before !== workspace) turnFrom(session, before);
    if (workspace !== null) session.layouts.select(workspace);
    if (focused) {
      session.clients.touch(client);
      session.publisher.led(client);
    }
    lookAgain(session);
    return {};
  },
  'client.outer': (session, { outer }) => {
    setOuter(session, outer);
    return {};
  },
};

export const layoutHandlers: Family<'layout'> = {
  'layout.save': ({ workspaces, layouts }, { workspace, arrangement, diff }) => {
    if (!workspaces.find(workspace)) return {};
    if (arrangement) layouts.arrange(workspace, arrangement);
    if (diff) layouts.arrangeDiff(workspace, diff);
    return {};
  },
};

export const draftHandlers: Family<'draft'> = {
  'draft.keep': (session, { workspace, key, text }, client) => {
    if (!session.workspaces.find(workspace)) return {};
    session.layouts.keepDraft(workspace, key, text);
    for (const other of session.clients.attached()) if (other !== client) other.send({ event: 'draft', key, text });
    return {};
  },
};

export const viewHandlers: Family<'view'> = {
  'view.set': (session, { views, screen }, client) => {
    session.publisher.set(client, views);
    if (screen) session.firstFrames.remember(screen, views);
    return {};
  },
  'view.scroll': (session, { view: id, by, to }, client) => {
    const view = session.publisher.get(client, id);
    return view.scroll(to, by ?? 0);
  },
};

function setOuter(session: Session, outer: Session['outer'] & object): void {
  const before = JSON.stringify(session.outer);
  session.outer = outer;
  if (JSON.stringify(outer) !== before) for (const terminal of session.terminals.all()) terminal.screen.coloursChanged();
}

/** A client shows a workspace no longer: what comes from now on is new to those who come back. */
function turnFrom(session: Session, workspace: number | null): void {
  if (workspace === null || [...session.clients.attached()].some((client) => client.workspace === workspace)) return;
  void session.workspaces.find(workspace)?.review?.look();
}

/** Tells every agent whether a person has it before them now. */
export function lookAgain(session: Session, _client?: ClientLink): void {
  for (const terminal of session.terminals.all()) {
    if (terminal.role !== 'agent') continue;
    terminal.watch?.fact({ fact: 'watch', on: session.clients.watches(terminal.workspace) });
  }
}
