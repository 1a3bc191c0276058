// Ends a session that has a holder but no server.
import { readFileSync } from 'node:fs';
import type { SessionPaths } from '../config/paths.ts';
import { isLive } from '../wire/socket-file.ts';
import { VERSION } from './version.ts';

/** ms that programs get to end by themselves. */
const GRACE = 5000;

/** False when the session has no holder either. */
export async function stopHolder(paths: SessionPaths): Promise<boolean> {
  if (!(await isLive(paths.holderSocket))) return false;
  const { openHolderLink } = await import('../server/holder-link.ts');
  const token = readFileSync(paths.token, 'utf8').trim();
  const link = await openHolderLink({ socket: paths.holderSocket, token, version: VERSION, role: 'control' });
  await link.ask({ do: 'stop', grace: GRACE }).catch(() => null);
  link.close();
  return true;
}
