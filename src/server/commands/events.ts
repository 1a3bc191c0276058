// events.follow, events.log.
import type { Family } from './handler.ts';

/** Entries given when no limit is asked for. */
const DEFAULT_LIMIT = 1000;

export const eventHandlers: Family<'events'> = {
  'events.follow': async (session, { since }, client) => {
    client.follows = true;
    const events = since === undefined ? [] : await session.store.events({ since });
    return { events };
  },
  'events.log': async (session, { workspace, limit = DEFAULT_LIMIT, grep }) => ({
    events: await session.store.events({
      limit,
      grep,
      workspace: workspace === undefined ? undefined : session.workspaces.get(workspace).row.id,
    }),
  }),
};
