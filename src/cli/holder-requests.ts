// What a command asks of a session's holder when the server is not there or cannot be asked.
import type { SessionPaths } from '../config/paths.ts';
import type { HolderLink } from '../server/holder-link.ts';
import { isLive } from '../wire/socket-file.ts';
import { asFailure } from './link.ts';
import { isAbsence, readToken } from './start.ts';
import { VERSION } from './version.ts';

/** ms that programs get to end by themselves. */
const GRACE = 5000;

/** Ends every program, the server and the holder. False when the session has no holder. */
export function stopHolder(paths: SessionPaths): Promise<boolean> {
  return withHolder(paths, (link) => link.ask({ do: 'stop', grace: GRACE }));
}

/** Ends the server, whatever state it is in, and starts another. False when the session has no holder. */
export function restartServer(paths: SessionPaths): Promise<boolean> {
  return withHolder(paths, (link) => link.ask({ do: 'restart-server' }));
}

async function withHolder(paths: SessionPaths, act: (link: HolderLink) => Promise<unknown>): Promise<boolean> {
  const { openHolderLink } = await import('../server/holder-link.ts');
  try {
    const token = readToken(paths.token);
    if (token === null || !(await isLive(paths.holderSocket))) return false;
    const link = await openHolderLink({ socket: paths.holderSocket, token, version: VERSION, role: 'control' });
    await act(link).catch(() => null);
    link.close();
    return true;
  } catch (error) {
    // One that has just ended.
    if (isAbsence(error)) return false;
    throw asFailure(error);
  }
}
