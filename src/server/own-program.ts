// What panes find of herd: a private folder whose `herd` runs this very program on this very node, and a link to the agent socket of
// the client that came last.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPaths } from '../config/paths.ts';

/** Writes `bin/herd`. `node` and `main` are absolute paths of the running program. On a full disk the one of an earlier server stays. */
export function writeOwnProgram(paths: SessionPaths, node: string, main: string): void {
  mkdirSync(paths.bin, { recursive: true, mode: 0o700 });
  const fresh = join(paths.bin, `.herd.${process.pid}`);
  try {
    writeFileSync(fresh, `#!/bin/sh\nexec ${quoted(node)} ${quoted(main)} "$@"\n`, { mode: 0o700 });
    renameSync(fresh, join(paths.bin, 'herd'));
  } catch (error) {
    rmSync(fresh, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Points the session's agent link at `socket`, unless that is the link itself. A session that cannot have one goes on without. */
export function linkAgentSocket(paths: SessionPaths, socket: string | undefined): void {
  if (!socket || socket === paths.sshAgent || !socket.startsWith('/')) return;
  const fresh = `${paths.sshAgent}.${process.pid}`;
  try {
    rmSync(fresh, { force: true });
    symlinkSync(socket, fresh);
    renameSync(fresh, paths.sshAgent);
  } catch {
    rmSync(fresh, { force: true });
  }
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
