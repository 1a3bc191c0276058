// herd session list, kill: all sessions of this user, found by their runtime folders.
import { readdirSync } from 'node:fs';
import { SESSION_NAME, sessionPaths, sessionsRoot } from '../../config/paths.ts';
import { counted } from '../../model/counted.ts';
import type { ServerStatus } from '../../wire/requests.ts';
import { connectLink } from '../link.ts';
import { age, columns } from '../output.ts';
import type { Call, RunVerb } from '../verb.ts';
import { stopServer } from './server.ts';

export const list: RunVerb = async (call) => {
  const found = await Promise.all(sessionNames(call).map(async (name) => ({ name, server: await serverOf(call, name) })));
  const sessions = found.filter((s): s is { name: string; server: ServerStatus } => s.server !== null);
  if (call.json) return call.out.json({ sessions });
  const now = Date.now();
  const rows = sessions.map(({ name, server }) => [
    name,
    counted(server.terminals, 'terminal'),
    counted(server.clients, 'client'),
    `up ${age(now - server.started)}`,
  ]);
  if (rows.length > 0) call.out.text(columns(rows));
  else call.out.note('No sessions.');
};

export const kill: RunVerb = async (call) => {
  const name = call.words[0]!;
  const paths = sessionPaths(name, call.env);
  const link = await connectLink(paths, 'now');
  const stopped = link && (await stopServer({ ...call, session: name, paths }, link));
  link?.close();
  if (stopped === null) {
    const { stopHolder } = await import('../holder-requests.ts');
    if (!(await stopHolder(paths))) call.out.note(`No session ${name} runs.`);
  }
  if (call.json) call.out.json({ stopped: name });
};

function sessionNames(call: Call): string[] {
  try {
    return readdirSync(sessionsRoot(call.env), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && SESSION_NAME.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/** Null when no server of that name answers, or one that this version cannot talk to. */
async function serverOf(call: Call, name: string): Promise<ServerStatus | null> {
  try {
    const link = await connectLink(sessionPaths(name, call.env), {});
    if (!link) return null;
    const server = await link.request('server.status', {});
    link.close();
    return server;
  } catch {
    return null;
  }
}
