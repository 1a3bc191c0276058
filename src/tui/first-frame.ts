// Before the app is loaded: connects, takes the tty and shows the frame that the server has ready for a client of this size, so that a
// person sees their panes while the rest of herd is still being read. Takes nothing from the socket but a look, and reads no key: both
// go to the app as they are. Whatever is unusual here ends quietly, and the app begins as if nothing had been tried.
import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { isPrivateDir, type SessionPaths, sessionPaths } from '../config/paths.ts';
import { Control } from '../wire/connection.ts';
import { DirectSocket } from '../wire/direct-socket.ts';
import { encodeJson, FrameDecoder } from '../wire/frame.ts';
import { clientHello } from '../wire/hello.ts';
import { catchSignals } from './signals.ts';
import { Tty } from './tty.ts';

/** What the app goes on with. */
export interface Opening {
  /** The hello was sent on it; everything the server said is still to be read. */
  socket: DirectSocket;
  tty: Tty;
  /** The tty was taken and shows the first frame. */
  painted: boolean;
  /** To be called when the app hears the signals itself. */
  release(): void;
}

/** Time for the server's first frame, ms: on a machine so busy that it takes longer, loading the app takes longer still. */
const FRAME_WAIT = 1000;

/** The opening of `herd` with these arguments; null when they want something else, or there is no such session to attach to. */
export async function openFirst(argv: readonly string[], env: NodeJS.ProcessEnv, version: string): Promise<Opening | null> {
  const session = sessionOf(argv, env);
  if (session === null || !isatty(0) || !isatty(1)) return null;
  const door = doorOf(session, env);
  if (door === null) return null;
  const tty = new Tty(process.stdin, 1);
  const hello = encodeJson(Control.hello, 0, clientHello(version, door.token));
  const socket = new DirectSocket();
  socket.connect(door.socket);
  socket.write(Buffer.concat([hello, beginRequest(tty.size(), env)]));
  const paint = await firstPaint(socket);
  if (paint === null) return null;
  if (paint === '') return { socket, tty, painted: false, release: () => {} };
  const release = catchSignals({ end: (code) => process.exit(code), stop: () => {}, wake: () => {} });
  tty.enter(paint);
  return { socket, tty, painted: true, release };
}

/** The session that a plain attach names; null for every other command line. */
function sessionOf(argv: readonly string[], { HERD_SESSION }: NodeJS.ProcessEnv): string | null {
  if (argv.length === 0) return HERD_SESSION || 'default';
  return argv.length === 2 && argv[0] === '--session' ? argv[1]! : null;
}

/** Where the session's server listens, and its token; null when there is none, or the folder is not safely ours: the app says why. */
function doorOf(session: string, env: NodeJS.ProcessEnv): { socket: string; token: string } | null {
  try {
    const paths: SessionPaths = sessionPaths(session, env);
    if (!isPrivateDir(paths.runtime)) return null;
    return { socket: paths.socket, token: readFileSync(paths.token, 'utf8').trim() };
  } catch {
    return null;
  }
}

/** No reply is wanted (id 0): the answer is an event. */
function beginRequest({ cols, rows }: { cols: number; rows: number }, { TERM, COLORTERM, TERM_PROGRAM }: NodeJS.ProcessEnv): Buffer {
  const params = { cols, rows, env: { TERM, COLORTERM, TERM_PROGRAM } };
  return encodeJson(Control.request, 0, { id: 0, method: 'client.begin', params });
}

/** What to paint: '' when the server has nothing or is late, null when there is no server. The bytes read are put back. */
function firstPaint(socket: DirectSocket): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const decoder = new FrameDecoder();
  const seen: Buffer[] = [];
  const read = (bytes: Buffer) => {
    seen.push(bytes);
    const paint = paintIn(decoder, bytes);
    if (paint !== null) end(paint);
  };
  const end = (paint: string | null) => {
    clearTimeout(timer);
    socket.off('error', gone).off('close', gone);
    if (paint === null) socket.destroy();
    else socket.putBack(seen);
    resolve(paint);
  };
  const gone = () => end(null);
  // One that comes before the app listens is seen by it: the socket is destroyed then.
  socket.on('error', () => {});
  const timer = setTimeout(() => end(''), FRAME_WAIT);
  socket.on('error', gone).on('close', gone).deliverTo(read);
  return promise;
}

/** The paint of the first-frame event among the frames that are whole now; null while it has not come. */
function paintIn(decoder: FrameDecoder, bytes: Buffer): string | null {
  try {
    decoder.push(bytes);
    for (let frame = decoder.next(); frame; frame = decoder.next()) {
      // A refusal, too, is for the app to read.
      if (frame.type === Control.refused) return '';
      if (frame.type !== Control.event) continue;
      const event = JSON.parse(frame.payload.toString()) as { event?: unknown; paint?: unknown };
      if (event.event === 'first-frame' && typeof event.paint === 'string') return event.paint;
    }
    return null;
  } catch {
    return '';
  }
}
