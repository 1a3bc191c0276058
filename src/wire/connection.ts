// Frames over one socket, with hello, requests and replies by id, events, binary frames and keep-alive. Knows no command. Whatever a
// peer sends, only its own connection is closed for it.
import type { Socket } from 'node:net';
import type { DirectSocket } from './direct-socket.ts';
import { encodeFrame, encodeJson, FRAME_HEADER, type Frame, FrameDecoder, FrameError, MAX_PAYLOAD } from './frame.ts';
import { HELLO_TIMEOUT, type Hello, readHello } from './hello.ts';
import type { WireError } from './requests.ts';

/** Frame types that every link shares; all others are the link's own and go to `onFrame`. */
export const Control = { hello: 1, request: 2, reply: 3, event: 4, ping: 240, pong: 241, refused: 242 } as const;

/** Unsent bytes at which a peer that no longer reads is given up. Screens are skipped long before; this bounds events. */
const MAX_QUEUED = 64 * 1024 * 1024;

/** Id of requests that want no reply: each reply to a key would cost both ends a wake-up while its echo is on the way. */
const UNANSWERED = 0;

/** Bytes that cost less to copy into a frame than to write beside it. */
const COPIED = 4 * 1024;

const DISCONNECTED: WireError = { code: 'disconnected', message: 'The other side closed the connection.' };

export type Json = Record<string, unknown>;

/** The link ended before an answer came, or was refused. `code` as in WireError. */
export class ConnectionError extends Error {
  readonly code: string;
  readonly hint?: string;
  readonly detail?: Record<string, unknown>;
  constructor(why: WireError) {
    super(why.message);
    this.code = why.code;
    this.hint = why.hint;
    this.detail = why.detail;
  }
}

export interface ConnectionOptions {
  /** Ours. With a role (the connecting side) it is sent at once; without one (the accepting side) only after theirs was admitted. */
  hello: Hello;
  /** Ours was sent on this socket before. */
  greeted?: boolean;
  /** Judges theirs; a WireError is told to the peer and closes the link. */
  admit(theirs: Hello): WireError | null;
  onOpen?(theirs: Hello): void;
  onRequest?(request: Json & { id: number }): void;
  onEvent?(event: Json): void;
  /** The payload is a view: copy what is kept. */
  onFrame?(frame: Frame): void;
  /** Called once, whatever ended the link. */
  onClose?(why: WireError): void;
  /** What was queued has left this process. */
  onDrain?(): void;
  /** A handler threw: a bug. The connection is closed for it, the process lives. */
  onFault?(error: unknown): void;
  /** ms of silence after which the peer is asked for a sign of life, and ms it has for one; left out: never. */
  keepAlive?: number;
  /** The peer has been silent since (ms, `Date.now`), or null: it speaks again. The link stays open. */
  onSilence?(since: number | null): void;
  helloTimeout?: number;
}

const TOO_LONG: WireError = { code: 'too-large', message: 'The answer is larger than herd sends at once.' };

/** One open link. `ready` resolves with the peer's hello, rejects with ConnectionError. */
export class Connection {
  readonly ready: Promise<Hello>;
  readonly #socket: Socket;
  readonly #o: ConnectionOptions;
  readonly #decoder = new FrameDecoder();
  readonly #waiting = new Map<number, { resolve(reply: Json): void; reject(error: Error): void }>();
  readonly #helloTimer: NodeJS.Timeout;
  readonly #resolveReady: (hello: Hello) => void;
  readonly #rejectReady: (error: Error) => void;
  #pulse: NodeJS.Timeout | null = null;
  #heard = Date.now();
  /** A sign of life was asked for and has not come. */
  #asked = false;
  #silent = false;
  #nextId = 1;
  /** What `together` has so far; null outside of it. */
  #batch: Uint8Array[] | null = null;
  #theirs: Hello | null = null;
  #closed: WireError | null = null;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#o = options;
    const { promise, resolve, reject } = Promise.withResolvers<Hello>();
    this.ready = promise;
    this.#resolveReady = resolve;
    this.#rejectReady = reject;
    promise.catch(() => {});
    const limit = options.helloTimeout ?? HELLO_TIMEOUT;
    this.#helloTimer = setTimeout(() => this.#end({ code: 'silent', message: `No hello within ${limit / 1000} s.` }, false), limit);
    // By what it can do: the entry of a client has a copy of the class of its own.
    if ('deliverTo' in socket) (socket as DirectSocket).deliverTo((bytes) => this.#read(bytes));
    else socket.on('data', (bytes) => this.#read(bytes));
    socket.on('drain', () => options.onDrain?.());
    socket.on('error', (error) => this.#end(socketFailure(error), false));
    socket.on('close', () => this.#end(DISCONNECTED, false));
    if (options.hello.role !== undefined && !options.greeted) this.sendJson(Control.hello, 0, options.hello);
    if (options.keepAlive) this.#pulse = setInterval(() => this.#beat(), options.keepAlive);
    this.#pulse?.unref();
  }

  /** The peer's hello once it was admitted. */
  get theirs(): Hello | null {
    return this.#theirs;
  }

  get closed(): WireError | null {
    return this.#closed;
  }

  /** Bytes accepted by `send` that have not left this process: the measure for skipping what is not needed. */
  get queued(): number {
    return this.#socket.writableLength;
  }

  /**
   * Queues one frame of the payload and, if given, `rest` behind it, which must stay as it is. False when the socket is full: hold back
   * until `onDrain`. Dropped silently once the link is closed.
   */
  send(type: number, channel: number, payload: Uint8Array, rest?: Uint8Array): boolean {
    if (!rest) return this.#write(encodeFrame(type, channel, payload));
    if (!this.#batch && rest.length < COPIED) return this.#write(encodeFrame(type, channel, Buffer.concat([payload, rest])));
    this.#socket.cork();
    this.#write(encodeFrame(type, channel, payload, rest.length));
    const open = this.#write(rest);
    this.#socket.uncork();
    return open;
  }

  #write(bytes: Uint8Array): boolean {
    if (this.#closed) return false;
    if (this.#socket.writableLength > MAX_QUEUED) {
      this.#end({ code: 'too-slow', message: 'The other side does not read what it is sent.' }, false);
      return false;
    }
    if (!this.#batch) return this.#socket.write(bytes);
    this.#batch.push(bytes);
    return !this.#socket.writableNeedDrain;
  }

  /** What `send` sends leaves in one write, by one copy: hundreds of small frames, each of which the socket would have to queue. */
  together(send: () => void): void {
    if (this.#batch) return send();
    this.#batch = [];
    try {
      send();
    } finally {
      const batch = this.#batch;
      this.#batch = null;
      if (batch.length > 0 && !this.#closed) this.#socket.write(Buffer.concat(batch));
    }
  }

  sendJson(type: number, channel: number, body: object): boolean {
    return this.#write(encodeJson(type, channel, body));
  }

  /** Sends a request; resolves with the reply as it came (checked to be an object with our id). Rejects when the link ends first. */
  request(body: Json): Promise<Json> {
    if (this.#closed) return Promise.reject(new ConnectionError(this.#closed));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.sendJson(Control.request, 0, { ...body, id });
    });
  }

  /** Sends a request whose reply nobody waits for: it gets none. */
  tell(body: Json): void {
    this.sendJson(Control.request, 0, { ...body, id: UNANSWERED });
  }

  /** An answer too long for a frame would end the link: it becomes an error. */
  reply(id: number, body: Json): void {
    if (id === UNANSWERED) return;
    const frame = encodeJson(Control.reply, 0, { ...body, id });
    if (frame.length <= FRAME_HEADER + MAX_PAYLOAD) this.#write(frame);
    else this.sendJson(Control.reply, 0, { error: TOO_LONG, id });
  }

  event(body: object): void {
    this.sendJson(Control.event, 0, body);
  }

  /** Ends the link; what is queued is still sent. */
  close(why: WireError = { code: 'closed', message: 'The connection was closed.' }): void {
    this.#end(why, true);
  }

  #end(why: WireError, flush: boolean): void {
    if (this.#closed) return;
    this.#closed = why;
    clearTimeout(this.#helloTimer);
    if (this.#pulse) clearInterval(this.#pulse);
    if (flush) this.#socket.destroySoon();
    else this.#socket.destroy();
    const error = new ConnectionError(why);
    this.#rejectReady(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#o.onClose?.(why);
  }

  /** Tells the peer why it is not welcome, then ends the link. */
  refuse(why: WireError): void {
    this.sendJson(Control.refused, 0, why);
    this.close(why);
  }

  #read(bytes: Buffer): void {
    this.#heard = Date.now();
    this.#asked = false;
    if (this.#silent) {
      this.#silent = false;
      this.#o.onSilence?.(null);
    }
    try {
      this.#decoder.push(bytes);
      for (let frame = this.#decoder.next(); frame && !this.#closed; frame = this.#decoder.next()) this.#take(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) this.#o.onFault?.(error);
      this.#end({ code: 'malformed', message: error instanceof FrameError ? error.message : 'A message could not be handled.' }, false);
    }
  }

  #take(frame: Frame): void {
    switch (frame.type) {
      case Control.hello:
        return this.#greet(parseObject(frame.payload));
      case Control.refused:
        return this.#refused(parseObject(frame.payload));
      case Control.ping:
        this.send(Control.pong, 0, new Uint8Array(0));
        return;
      case Control.pong:
        return;
    }
    if (!this.#theirs) throw new FrameError('a message before hello');
    switch (frame.type) {
      case Control.request: {
        const request = parseObject(frame.payload);
        const id = idOf(request);
        return this.#o.onRequest?.({ ...request, id });
      }
      case Control.reply:
        return this.#settle(parseObject(frame.payload));
      case Control.event:
        return this.#o.onEvent?.(parseObject(frame.payload));
      default:
        return this.#o.onFrame?.(frame);
    }
  }

  #greet(body: Json): void {
    const theirs = readHello(body);
    if (!theirs || this.#theirs) throw new FrameError('a hello that is none');
    clearTimeout(this.#helloTimer);
    const why = this.#o.admit(theirs);
    if (why) return this.refuse(why);
    this.#theirs = theirs;
    if (this.#o.hello.role === undefined) this.sendJson(Control.hello, 0, this.#o.hello);
    this.#o.onOpen?.(theirs);
    this.#resolveReady(theirs);
  }

  #refused(body: Json): void {
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : undefined);
    const detail = typeof body.detail === 'object' && body.detail ? (body.detail as Json) : undefined;
    this.close({ code: text(body.code) ?? 'refused', message: text(body.message) ?? 'Refused.', hint: text(body.hint), detail });
  }

  #settle(reply: Json): void {
    const id = idOf(reply);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.resolve(reply);
  }

  /** Asks a silent peer for a sign of life; says once that it stays silent. */
  #beat(): void {
    if (Date.now() - this.#heard < this.#o.keepAlive!) return;
    this.send(Control.ping, 0, new Uint8Array(0));
    const unanswered = this.#asked;
    this.#asked = true;
    if (!unanswered || this.#silent) return;
    this.#silent = true;
    this.#o.onSilence?.(this.#heard);
  }
}

/** A socket's error, told by `message`. A reset is how an end looks when something was on its way: bytes, or the connection itself. */
export function socketFailure(error: NodeJS.ErrnoException, message = error.message): WireError {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return DISCONNECTED;
  return { code: 'connection-failed', message, detail: { errno: error.code } };
}

function parseObject(payload: Buffer): Json {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString());
  } catch {
    throw new FrameError('a message that is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FrameError('a message that is not an object');
  return value as Json;
}

function idOf(message: Json): number {
  if (!Number.isSafeInteger(message.id)) throw new FrameError('a message without an id');
  return message.id as number;
}
