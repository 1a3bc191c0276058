// The holder's life: it owns the terminals, accepts one server and any number of commands on its socket, and keeps a server running.
// No screens, no git, no files but its socket.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { Connection, type Json } from '../wire/connection.ts';
import { direct, READ } from '../wire/direct-socket.ts';
import type { Frame } from '../wire/frame.ts';
import { type Hello, refuseToken } from '../wire/hello.ts';
import { decodeStretch, encodeOffset, HOLDER_PROTOCOL, HolderFrame, type Leftover, type SpawnSpec } from '../wire/holder-protocol.ts';
import { FRAME_PAUSE, Later } from '../wire/later.ts';
import type { WireError } from '../wire/requests.ts';
import { bindSocket, socketIsThere } from '../wire/socket-file.ts';
import type { System } from './end-terminal.ts';
import { type Follower, Held } from './held-terminal.ts';
import { answer, type Holding } from './requests.ts';
import { ServerProcess, type Unparsed } from './server-process.ts';
import { Typing } from './typing.ts';

/** ms between two rounds in which programs that print often are read: what one of them asks is still answered within 50. */
const ROUND = 40;
/** Pause between looks whether the socket's file is still there, ms. */
const SOCKET_CHECK = 5000;

export interface HolderOptions {
  session: string;
  version: string;
  /** Path to listen on; only called for while this process has the session's lock. */
  socket: string;
  token: string;
  startServer: ConstructorParameters<typeof ServerProcess>[0]['start'];
  system: System;
  /** Makes the socket's folder anew, with what was in it: a log-out may have taken it away. */
  restoreFolder(): void;
  /** A program was started. */
  onStart?(pid: number): void;
  log(line: string): void;
}

export class Holder implements Holding {
  readonly terminals = new Map<number, Held>();
  highest = 0;
  readonly #o: HolderOptions;
  readonly #markStart: string;
  readonly #mark: string;
  readonly #links = new Set<Link>();
  readonly #server: ServerProcess;
  #listener: { server: Server; inode: number } | null = null;
  #check: NodeJS.Timeout | null = null;
  #unparsed: Unparsed[] = [];
  readonly #later = new Later(FRAME_PAUSE, (send) => this.#together(send));
  readonly #rounds = new Later(ROUND, (read) => this.#together(() => untraced(read)));
  readonly typing: Typing;
  readonly #room = Buffer.allocUnsafeSlow(READ);
  readonly #finished: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(options: HolderOptions) {
    this.#o = options;
    this.typing = new Typing(options.system.now);
    // The same start for every holder of this session: what an earlier one left behind can be found.
    this.#markStart = `HERD_HOLDER=${createHash('sha256').update(options.socket).digest('hex').slice(0, 16)}.`;
    this.#mark = `${this.#markStart}${randomBytes(8).toString('hex')}`;
    this.#server = new ServerProcess({
      start: options.startServer,
      unparsed: (pid) => this.#lastUnparsed(pid),
      now: () => Date.now(),
      log: options.log,
    });
  }

  /** Resolves when `stop` was asked for and all is done. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  get serverPid(): number | null {
    return this.#server.pid;
  }

  async open(): Promise<void> {
    await this.#listen();
    this.#check = setInterval(() => this.#checkSocket(), SOCKET_CHECK);
    this.#server.start();
  }

  start(id: number, spec: SpawnSpec): Held {
    const { system } = this.#o;
    const held = new Held({
      id,
      spec,
      mark: `${this.#mark}.${id}`,
      system,
      now: Date.now(),
      later: this.#later,
      rounds: this.#rounds,
      typing: this.typing,
      room: this.#room,
    });
    this.#o.onStart?.(held.pid);
    this.highest = Math.max(this.highest, id);
    this.terminals.set(id, held);
    held.exited.then(() => this.#tellExit(held));
    return held;
  }

  restartServer(): void {
    this.#server.restart();
  }

  /** Programs that an earlier holder of this session had started and that outlived it. */
  strays(): Leftover[] {
    const { processes } = this.#o.system;
    const pids = new Set(processes.withEnvironmentLike(this.#markStart, this.#mark));
    return processes
      .list()
      .filter((row) => pids.has(row.pid) && !row.zombie)
      .map(({ pid, command }) => ({ pid, command }));
  }

  /** Ends every terminal, then all. */
  async stop(grace: number): Promise<void> {
    await Promise.all([...this.terminals.values()].map((held) => held.end(grace)));
    this.finish();
  }

  finish(): void {
    setImmediate(async () => {
      if (this.#check) clearInterval(this.#check);
      await this.#server.stop();
      this.#listener?.server.close();
      for (const link of this.#links) link.connection.close();
      this.#finished.resolve();
    });
  }

  /** Why a peer may not come in. One server at a time: a second one on the same session would undo the first one's work. */
  admit(hello: Hello): WireError | null {
    const wrong = refuseToken(hello, this.#o.token);
    if (wrong || hello.role !== 'server') return wrong;
    const other = this.#serverLink();
    if (!other) return null;
    return { code: 'server-running', message: `Session ${this.#o.session} has a server already (pid ${other.connection.theirs?.pid}).` };
  }

  opened(link: Link): void {
    if (link.isServer) this.#server.spoke();
  }

  closed(link: Link): void {
    this.#links.delete(link);
    if (!link.isServer) return;
    this.#unparsed = [];
    for (const held of this.terminals.values()) {
      const stretch = held.unfollow(link);
      if (stretch) this.#unparsed.push({ terminal: held.id, ...stretch });
    }
  }

  /** A terminal that nobody follows (set aside) ends too; its follower is told with the output. */
  #tellExit(held: Held): void {
    const { exit, end } = held.describe();
    if (exit && !held.followed) this.#serverLink()?.event({ event: 'exit', terminal: held.id, ...exit, end });
  }

  #together(send: () => void): void {
    const link = this.#serverLink();
    if (link) link.connection.together(send);
    else send();
  }

  #serverLink(): Link | undefined {
    return [...this.#links].find((link) => link.isServer);
  }

  /** What the server that died had not parsed. What it still said is in the socket; dropping it is as if it had died before. */
  #lastUnparsed(pid: number | undefined): Unparsed[] {
    const link = this.#serverLink();
    if (link && link.connection.theirs?.pid === pid) link.connection.close({ code: 'dead', message: 'The server has died.' });
    const unparsed = this.#unparsed;
    this.#unparsed = [];
    return unparsed;
  }

  #accept(socket: Socket): void {
    const hello: Hello = { protocol: HOLDER_PROTOCOL, version: this.#o.version, pid: process.pid };
    this.#links.add(new Link(socket, hello, this, this.#o.log));
  }

  async #listen(): Promise<void> {
    this.#listener?.server.close();
    this.#listener = null;
    const server = createServer((socket) => this.#accept(direct(socket)));
    this.#listener = { server, inode: await bindSocket(server, this.#o.socket) };
  }

  async #restore(): Promise<void> {
    this.#o.restoreFolder();
    await this.#listen();
  }

  /** A socket file that was removed comes back; connections that are open do not notice. */
  #checkSocket(): void {
    if (this.#listener && socketIsThere(this.#o.socket, this.#listener.inode)) return;
    this.#o.log('the socket has vanished: making it anew');
    this.#restore().catch((error: Error) => this.#o.log(`the socket could not be made: ${error.message}`));
  }
}

/** Runs `work` with errors that do not know where they were made: that is a third of what an error costs, and each terminal without output makes one. */
function untraced(work: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** One connection to the holder. */
class Link implements Follower {
  readonly connection: Connection;
  readonly #holder: Holder;

  constructor(socket: Socket, hello: Hello, holder: Holder, log: (line: string) => void) {
    this.#holder = holder;
    this.connection = new Connection(socket, {
      hello,
      admit: (theirs) => holder.admit(theirs),
      onOpen: () => holder.opened(this),
      onRequest: (request) => this.#answer(request),
      onFrame: (frame) => this.#take(frame),
      onDrain: () => {
        for (const held of holder.terminals.values()) held.pump();
      },
      onClose: () => holder.closed(this),
      onFault: (error) => log(`a link failed: ${error instanceof Error ? error.stack : String(error)}`),
    });
  }

  get isServer(): boolean {
    return this.connection.theirs?.role === 'server';
  }

  output(terminal: number, offset: number, bytes: Uint8Array): boolean {
    return this.connection.send(HolderFrame.output, terminal, encodeOffset(offset), bytes);
  }

  event(event: Parameters<Follower['event']>[0]): void {
    this.connection.event(event);
  }

  async #answer(request: Json & { id: number }): Promise<void> {
    this.connection.reply(request.id, await answer(request, this, this.#holder));
  }

  #take(frame: Frame): void {
    const held = this.#holder.terminals.get(frame.channel);
    if (!held || !this.isServer) return;
    if (frame.type === HolderFrame.input) {
      this.#holder.typing.note(held.id);
      held.write(frame.payload);
    }
    if (frame.type !== HolderFrame.processed) return;
    const stretch = decodeStretch(frame.payload);
    if (stretch) held.parsed(this, stretch.offset, stretch.bytes);
  }
}
