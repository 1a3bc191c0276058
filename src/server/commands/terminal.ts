// terminal.*: more terminals in a workspace, typing into them, reading them.
import { join } from 'node:path';
import type { InputEvent } from '../../model/input.ts';
import type { WorkspaceRef } from '../../wire/requests.ts';
import type { ClientLink } from '../clients.ts';
import { dumpHistory } from '../dump-history.ts';
import { searchScreen, type TerminalText, textBetween } from '../find-in-screen.ts';
import { typedKeys } from '../key-names.ts';
import { userShell } from '../programs.ts';
import { readScreen } from '../read-screen.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { startTerminal } from '../start-terminal.ts';
import type { LiveTerminal } from '../state/terminals.ts';
import type { Family } from './handler.ts';

export const terminalHandlers: Family<'terminal'> = {
  'terminal.new': async (session, { workspace: ref, place, argv, cols, rows }) => {
    const workspace = session.workspaces.get(ref);
    const command = argv && argv.length > 0 ? argv : userShell(place.env);
    const terminal = await startTerminal(session, workspace, { role: 'shell', argv: command, place, kind: null, cols, rows });
    return { terminal: session.terminals.facts(terminal) };
  },
  'terminal.close': async (session, { terminal: id }) => {
    const { workspace: owner } = session.terminals.get(id);
    const leftovers = await session.terminals.close(id);
    const workspace = session.workspaces.find(owner);
    if (workspace) {
      await session.workspaces.update(workspace, { terminals: workspace.row.terminals.filter((t) => t.id !== id) });
    }
    return { leftovers };
  },
  'terminal.input': async (session, { terminal: id, events }, client) => {
    await takeInput(session, session.terminals.get(id), events, client);
    return {};
  },
  'terminal.read': async (session, params) => {
    const { screen } = terminalOf(session, params);
    const text = await readScreen(screen, params);
    const { cursor, cols, rows } = screen.text();
    return { text, cols, rows, cursor: { x: cursor.x, y: cursor.y } };
  },
  'terminal.keys': async (session, { workspace, terminal: id, text, keys = [] }) => {
    const terminal = terminalOf(session, { workspace, terminal: id });
    if (terminal.exit) throw new Refusal('exited', 'The program of this terminal has ended: nothing was sent.');
    await session.terminals.type(terminal, Buffer.concat([Buffer.from(text ?? ''), ...typedKeys(terminal.screen, keys)]));
    return {};
  },
  'terminal.text': async (session, { terminal: id, from, to, rectangle }, client) => ({
    text: await textBetween(textOf(session, id, client), from, to, rectangle ?? false),
  }),
  'terminal.search': (session, { terminal: id, ...query }, client) => searchScreen(textOf(session, id, client), query),
  'terminal.dump': (session, params, client) => {
    const { id } = terminalOf(session, params);
    const path = join(session.paths.screens, `${id}.txt`);
    return dumpHistory(textOf(session, id, client), path, params.ansi ?? false, params.at);
  },
};

/** What a client's person does at a terminal. Null unless a prompt is being delivered there, which what is typed waits for. */
export function takeInput(
  session: Session,
  terminal: LiveTerminal,
  events: readonly InputEvent[],
  client: ClientLink,
): Promise<void> | null {
  const { id, screen } = terminal;
  const parts: Uint8Array[] = [];
  let [typed, pressed] = [false, false];
  for (const event of events) {
    typed ||= event.type === 'key' || event.type === 'paste';
    pressed ||= event.type === 'mouse' && event.action === 'press';
    const placed = event.type === 'mouse' ? { ...event, ...session.publisher.cellAt(client, id, event.x, event.y) } : event;
    const bytes = screen.encode(placed);
    if (bytes) parts.push(bytes);
  }
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  // Written first: while the program reads it there is time for the rest.
  const written = typed ? session.terminals.type(terminal, bytes) : null;
  if (!typed && !terminal.exit && bytes.length > 0) session.host.write(id, bytes);
  session.clients.touch(client);
  if (typed) {
    session.publisher.led(client);
    session.publisher.typed(client, id);
  } else if (pressed) session.publisher.pointed(client, id);
  return written;
}

/** A terminal's text as a client's person sees it: what they mark in may stand no longer on its screen. */
function textOf(session: Session, id: number, client: ClientLink): TerminalText {
  const { screen } = session.terminals.get(id);
  const held = session.publisher.reading(client, id);
  return { lineRanges: () => screen.lineRanges(held), scanLines: (from) => screen.scanLines(from, held) };
}

/** The one named, else the workspace's agent's, else its first. */
function terminalOf(session: Session, { workspace, terminal }: { workspace?: WorkspaceRef; terminal?: number }): LiveTerminal {
  if (terminal !== undefined) return session.terminals.get(terminal);
  const { row } = session.workspaces.get(workspace);
  const found = session.terminals.agentOf(row.id) ?? session.terminals.of(row.id)[0];
  if (!found) throw new Refusal('no-terminal', `Workspace ${row.name} has no terminal now.`, 'Resume its agent, or open a shell in it.');
  return found;
}
