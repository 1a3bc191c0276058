// A logged event as one line.
import type { LoggedEvent } from '../wire/requests.ts';
import { plain } from './output.ts';

/** "12  2026-01-02 03:04:05  3  state  …", local time. */
export function eventLine(event: LoggedEvent): string {
  const at = new Date(event.at);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return plain(`${event.seq}  ${day} ${time}  ${event.workspace ?? '-'}  ${event.kind}  ${event.text}`.replaceAll('\n', ' '));
}
