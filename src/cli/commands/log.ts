// herd log: the event log, of one workspace or all, the newest last.
import { eventLine } from '../event-line.ts';
import { whole } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { events } = await link.request('events.log', {
    workspace: call.words[0] === undefined ? undefined : call.workspace(call.words[0]),
    grep: call.options.grep as string | undefined,
    limit: whole(call.options.lines, 'lines') ?? 200,
  });
  if (call.json) call.out.json({ events });
  else call.out.text(events.map(eventLine).join('\n'));
};
