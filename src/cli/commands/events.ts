// herd events: the log from a number on; with --follow it goes on until the session ends or this is interrupted.
import type { LoggedEvent } from '../../wire/requests.ts';
import { eventLine } from '../event-line.ts';
import type { Output } from '../output.ts';
import { whole } from '../values.ts';
import type { Call, Link, RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const since = whole(call.options.since, 'since');
  const link = await call.link();
  if (call.options.follow !== true) {
    const { events } = await link.request('events.log', {});
    const wanted = events.filter((event) => event.seq > (since ?? 0));
    for (const event of wanted) print(call.out, call.json, event);
    return;
  }
  let last = since ?? (await link.request('events.log', { limit: 1 })).events.at(-1)?.seq ?? 0;
  // From server to server: what the next one noted before it was asked is not missed.
  for (let next: Link | null = link; next; next = await call.running()) last = await follow(call, next, last);
};

/** Prints what is newer than `since` until the server ends; returns the number of the last one. */
async function follow(call: Call, link: Link, since: number): Promise<number> {
  let last = since;
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
  return last;
}

function print(out: Output, json: boolean, event: LoggedEvent): void {
  if (json) out.ndjson(event);
  else out.text(eventLine(event));
}
