// session.state, session.reset, server.status, server.stop, server.restart.
import type { Session } from '../session.ts';
import type { Family } from './handler.ts';

export const sessionHandlers: Family<'session'> = {
  'session.state': (session) => ({
    session: session.name,
    version: session.version,
    workspaces: session.workspaces.all().map((workspace) => session.workspaces.describe(workspace)),
    selected: session.clients.leading()?.workspace ?? session.layouts.selected,
    layouts: session.layouts.panes,
    diffs: session.layouts.diffs,
    drafts: session.layouts.drafts,
    notices: session.notices,
  }),
  /** Forgets what was noticed; nothing that a person made. */
  'session.reset': (session) => {
    session.notices.length = 0;
    return {};
  },
};

export const serverHandlers: Family<'server'> = {
  'server.status': (session) => {
    const live = session.terminals.all().filter((terminal) => !terminal.exit);
    return {
      session: session.name,
      version: session.version,
      protocol: session.protocol,
      pid: process.pid,
      holder: session.host.holder,
      started: session.started,
      clients: session.clients.size,
      terminals: live.length,
      agents: live.filter((terminal) => terminal.role === 'agent' && terminal.watch?.kind.id !== 'shell').length + liveAttempts(session),
      quarantined: session.quarantined,
    };
  },
  'server.stop': async (session) => {
    const agents = session.terminals.all().filter((terminal) => !terminal.exit && terminal.watch).length + liveAttempts(session);
    session.log.add('server', null, 'the session is ended');
    session.clients.emit({ event: 'server.stopping', restart: false });
    await session.end('stop');
    return { agents };
  },
  'server.restart': async (session) => {
    session.clients.emit({ event: 'server.stopping', restart: true });
    await session.end('restart');
    return {};
  },
};

/** Attempts of batches are agents too: ending the session ends them. */
function liveAttempts(session: Session): number {
  return session.host.plain().filter((program) => !program.exit).length;
}
