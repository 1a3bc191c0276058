// The first frame of both sides of a link: who speaks, in which version, with which token. Decides nothing but whether to go on.
import type { WireError } from './requests.ts';

/** Version of what clients and server say to each other; both must be of the same. */
export const CLIENT_PROTOCOL = 2;

/** Time for a peer's hello, ms: far above what a loaded machine needs, short enough that silent connections do not pile up. */
export const HELLO_TIMEOUT = 5000;

export interface Hello {
  protocol: number;
  /** herd's own version, for people. */
  version: string;
  pid: number;
  /** Content of the session's token file; sent by the side that connects. */
  token?: string;
  /** What the connecting side is: 'client'; on the holder's socket 'server', or 'control' for a command that needs no server. The accepting side has none. */
  role?: string;
}

/** What a client of a session's server says first. */
export function clientHello(version: string, token: string): Hello {
  return { protocol: CLIENT_PROTOCOL, version, pid: process.pid, token, role: 'client' };
}

/** A hello from parsed JSON; null when it is none. */
export function readHello(value: Record<string, unknown>): Hello | null {
  const { protocol, version, pid, token, role } = value;
  if (!Number.isSafeInteger(protocol) || typeof version !== 'string' || version.length > 64 || !Number.isSafeInteger(pid)) return null;
  if (token !== undefined && typeof token !== 'string') return null;
  if (role !== undefined && typeof role !== 'string') return null;
  return { protocol: protocol as number, version, pid: pid as number, token, role };
}

/** Why a hello's token is not good enough; null when it is. Compared in constant time. */
export function refuseToken(theirs: Hello, token: string): WireError | null {
  const given = Buffer.from(theirs.token ?? '');
  const wanted = Buffer.from(token);
  let differing = given.length ^ wanted.length;
  // Every byte is looked at, whatever differs. node:crypto has the same, but loading it would delay each client's first frame.
  for (let i = 0; i < wanted.length; i++) differing |= wanted[i]! ^ (given[i] ?? 0);
  if (differing === 0) return null;
  return { code: 'wrong-token', message: 'The session’s token was not given.', hint: 'Connect as the user who started the session.' };
}

/** Why a client of this protocol and a server of that one cannot talk; null when they can. Names both versions. */
export function refuseClientProtocol(client: Hello, server: Hello): WireError | null {
  if (client.protocol === server.protocol) return null;
  return {
    code: 'version-mismatch',
    message: `This herd is ${client.version} (protocol ${client.protocol}), the session's server is ${server.version} (protocol ${server.protocol}).`,
    hint: 'Run: herd server restart - agents go on while the server changes its version.',
    detail: { client: client.version, server: server.version },
  };
}
