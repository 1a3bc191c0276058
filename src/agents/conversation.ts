// Ids by which agents take up an earlier conversation: found in what they print as they end, put into the command that takes it up. Pure.
import type { ScreenText } from '../model/screen-text.ts';
import type { Kind } from './kinds/kind.ts';

/** Rows looked at from the last one up: what an agent says as it ends stands there. */
const ROWS = 24;
const ID = /^[A-Za-z0-9][\w.:-]{3,127}$/;

/** Whether a text can be an id: never an option, never anything that a command line could take for more. */
export function isConversation(text: string): boolean {
  return ID.test(text);
}

/** The id in the last words of an agent that has ended; null when it said none. Narrow panes break the row. */
export function conversationIn(kind: Kind, screen: ScreenText): string | null {
  if (!kind.farewell) return null;
  // As it was written: a row that the terminal wrapped ends in the middle of an id.
  const written = screen.lines.map((line) => line.text + (line.wrapped ? '' : '\n')).join('');
  const last = written.split('\n').filter((row) => row.trim() !== '');
  const farewell = new RegExp(kind.farewell, 'imu');
  const id = last
    .slice(-ROWS)
    .map((row) => farewell.exec(row)?.[1])
    .findLast((found) => found !== undefined);
  return id !== undefined && isConversation(id) ? id : null;
}

/**
 * The command that takes conversation `id` up again, with the person's own options where the agent was started by its own command; null when
 * the kind has none.
 */
export function resumeCommand(kind: Kind, started: readonly string[], id: string): string[] | null {
  if (!kind.resume || !isConversation(id)) return null;
  const [program, ...words] = kind.resume.map((word) => word.replaceAll('{id}', id));
  const option = kind.resume.find((word) => word.startsWith('-'));
  const known = kind.detect.programs.includes((started[0] ?? '').replace(/^.*\//, ''));
  const again = started.some((word) => word === option || /^(--continue|-c|--resume|-r|resume)$/.test(word));
  return known && !again ? [...started, ...words] : [program!, ...words];
}
