// herd events: the log from a number on; with --follow it goes on until the session ends or this is interrupted.
import type { LoggedEvent } from '../../wire/requests.ts';
import { eventLine } from '../event-line.ts';
import type { Output } from '../output.ts';
import { whole } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const since = whole(call.options.since, 'since');
  const link = await call.link();
  if (call.options.follow !== true) {
    const { events } = await link.request('events.log', {});
    const wanted = events.filter((event) => event.seq > (since ?? 0));
    for (const event of wanted) print(call.out, call.json, event);
    return;
  }
  let last = since ?? 0;
  const show = (event: LoggedEvent) => {
    if (event.seq <= last) return;
    last = event.seq;
    print(call.out, call.json, event);
  };
  const early: LoggedEvent[] = [];
  let live = false;
  link.listen((event) => {
    if (event.event !== 'log') return;
    if (live) show(event.entry);
    else early.push(event.entry);
  });
  const { events } = await link.request('events.follow', { since });
  for (const event of [...events, ...early]) show(event);
  live = true;
  await link.closed;
};

function print(out: Output, json: boolean, event: LoggedEvent): void {
  if (json) out.ndjson(event);
  else out.text(eventLine(event));
}
