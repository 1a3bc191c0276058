// The session's public socket: takes connections, checks hello and token, and binds again when somebody removed the file. What a
// connection sends reaches the session only through `dispatch`, but for typed keys, which are decoded here.
import { createServer, type Server, type Socket } from 'node:net';
import { ClientFrame, decodeKeys } from '../wire/client-frames.ts';
import { Connection } from '../wire/connection.ts';
import { direct } from '../wire/direct-socket.ts';
import { CLIENT_PROTOCOL, refuseClientProtocol, refuseToken } from '../wire/hello.ts';
import { bindSocket, socketIsThere } from '../wire/socket-file.ts';
import type { ClientLink } from './clients.ts';
import { takeInput } from './commands/terminal.ts';
import { dispatch } from './dispatch.ts';
import type { Session } from './session.ts';

/** ms between looks whether the socket's file is still there. */
const LOOK_EVERY = 2000;
/** Connections at a time: each costs a descriptor; more are an accident or an attack. */
const MAX_CONNECTIONS = 1000;

export interface Listening {
  /** Takes no more connections; resolves when those that are there have ended. May be called again. */
  close(): Promise<void>;
  /** Looks now whether the socket's file is still there. */
  look(): void;
}

/** Resolves when clients can connect. Rejects when another server listens there. */
export async function listen(session: Session, token: string, onFault: (error: unknown, where: string) => void): Promise<Listening> {
  const accept = (socket: Socket) => open(session, token, direct(socket), onFault);
  let server: Server = createServer(accept);
  server.maxConnections = MAX_CONNECTIONS;
  let inode = await bindSocket(server, session.paths.socket);
  let binding = false;
  let closed: Promise<void> | null = null;
  const look = async () => {
    if (closed || binding || socketIsThere(session.paths.socket, inode)) return;
    binding = true;
    try {
      const next = createServer(accept);
      next.maxConnections = MAX_CONNECTIONS;
      inode = await bindSocket(next, session.paths.socket);
      if (closed) return void next.close();
      server.unref();
      server = next;
      session.log.add('server', null, 'the socket’s file was removed by somebody: bound again');
    } catch (error) {
      onFault(error, 'binding the socket again');
    } finally {
      binding = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY);
  return {
    look: () => void look(),
    close: () => {
      clearInterval(timer);
      closed ??= new Promise((done) => server.close(() => done()));
      return closed;
    },
  };
}

function open(session: Session, token: string, socket: Socket, onFault: (error: unknown, where: string) => void): void {
  const ours = { protocol: CLIENT_PROTOCOL, version: session.version, pid: process.pid };
  let client: ClientLink | null = null;
  const connection = new Connection(socket, {
    hello: ours,
    admit: (theirs) => refuseToken(theirs, token) ?? refuseClientProtocol(theirs, ours),
    onOpen: () => {
      client = session.clients.add(connection);
    },
    onRequest: (request) => {
      if (client) void dispatch(session, client, request, onFault);
    },
    onFrame: (frame) => {
      const terminal = client && frame.type === ClientFrame.keys ? session.terminals.find(frame.channel) : null;
      if (client && terminal)
        takeInput(session, terminal, decodeKeys(frame.payload), client)?.catch((error) => onFault(error, 'typed keys'));
    },
    onDrain: () => client && session.publisher.drained(client),
    onClose: () => client && session.clients.remove(client),
    onFault: (error) => onFault(error, 'a connection'),
  });
}
