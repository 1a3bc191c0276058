// The life of a drawing client: take the tty, attach, draw and pass on input until it leaves; connect again by itself when the server
// went away. Holds no facts of the session: those are the face's.
import { Compositor } from '../compositor/compositor.ts';
import { soon } from '../model/soon.ts';
import { type Client, type ClientOptions, RequestError } from '../wire/client.ts';
import { ClientFrame, encodeKeys, isKeys } from '../wire/client-frames.ts';
import { ConnectionError } from '../wire/connection.ts';
import { DiffDecoder } from '../wire/diff-decoder.ts';
import type { Frame } from '../wire/frame.ts';
import type { ClientPlace, FirstFrame, Method, Params, Result, SessionState, WireError, WorkspaceRef } from '../wire/requests.ts';
import { afterReading } from './after-reading.ts';
import { copyBeside, copyPrograms } from './copy-program.ts';
import { DrawLoop } from './draw-loop.ts';
import type { Face, FacePorts, OpenFace } from './face.ts';
import { InputDecoder } from './input/decode.ts';
import { OuterProbe } from './outer-terminal.ts';
import { catchSignals } from './signals.ts';
import type { Tty } from './tty.ts';
import { actSequence, keyboardFlags, mouseMoves } from './tty-modes.ts';

/** Pauses between tries to connect again, ms; the last one repeats. A restarted server listens within 200-500 ms. */
const RETRY = [50, 100, 200, 400, 800, 1600];
/** Time that the first frame waits for a pane to show, ms. */
const PANE_WAIT = 300;
/** Keys wait this long for the session, ms: before it is there they would be nobody's. Leaving must be possible then. */
const ATTACH_WAIT = 1000;
/** Resizes this close together are one for the server, ms; drawing follows at once. */
const RESIZE_WAIT = 50;

export type Handlers = Pick<ClientOptions, 'onEvent' | 'onFrame' | 'onClose' | 'onSilence'>;

export interface ClientLife {
  /** Finds the session's server, or starts it, and connects. Called again whenever the connection ended. Rejects with ConnectionError. */
  connect(handlers: Handlers): Promise<Client>;
  /** How long to try to connect again, ms; left out: for as long as the person waits. */
  giveUpAfter?: number;
  openFace: OpenFace;
  place: ClientPlace;
  workspace?: WorkspaceRef;
  tty: Tty;
  /** The tty was taken before and shows the first frame of this connection. */
  painted?: boolean;
  env: NodeJS.ProcessEnv;
}

export interface Ending {
  code: number;
  /** For the person, printed when the tty is back. */
  message: string;
}

/** Runs until the client leaves. Rejects with ConnectionError when the first connection fails; the tty was not touched then. */
export async function runClient(life: ClientLife): Promise<Ending> {
  const run = new ClientRun(life);
  return run.toTheEnd();
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function once(run: () => void): () => void {
  let ran = false;
  return () => {
    if (!ran) run();
    ran = true;
  };
}

/** Before anything else is read: all frames of one read are one draw, without another turn of the event loop. */
function together(run: () => void): () => void {
  let wanted = true;
  soon(() => {
    if (wanted) run();
  });
  return () => {
    wanted = false;
  };
}

class ClientRun {
  readonly #life: ClientLife;
  readonly #probe: OuterProbe;
  readonly #decoder: InputDecoder;
  readonly #compositor: Compositor;
  readonly #loop: DrawLoop;
  readonly #face: Face;
  readonly #views = new Map<number, DiffDecoder>();
  readonly #ended = Promise.withResolvers<Ending>();
  #client: Client | null = null;
  #why: WireError = { code: 'disconnected', message: 'Not connected.' };
  #leaving = false;
  #suspended = false;
  #expectsPane = false;
  #attached = false;
  #drawing = false;
  #painted = false;
  #cancelResize: (() => void) | null = null;
  #keyboard = 0;
  #moves = false;

  constructor(life: ClientLife) {
    this.#life = life;
    this.#probe = new OuterProbe({
      env: life.env,
      send: (bytes) => this.#loop.send(bytes),
      size: () => this.#life.tty.size(),
      after,
      onChange: () => this.#outerChanged(),
    });
    const { cols, rows } = this.#life.tty.size();
    this.#compositor = new Compositor(cols, rows, this.#probe.abilities);
    this.#loop = new DrawLoop({
      compositor: this.#compositor,
      layers: () => this.#face.layers(),
      write: (bytes, done) => this.#life.tty.write(bytes, () => this.#wrote(done)),
      now: () => performance.now(),
      after,
      soon: together,
    });
    this.#face = life.openFace(this.#ports());
    this.#decoder = new InputDecoder({
      onInput: (event) => this.#face.input(event),
      onReply: (reply) => this.#probe.take(reply),
      onRefusedPaste: (bytes) => this.#face.pasteRefused(bytes),
      now: () => performance.now(),
      after: afterReading,
    });
  }

  async toTheEnd(): Promise<Ending> {
    const signals = catchSignals({
      end: (code, gone) => this.#leave(code, '', gone),
      stop: () => void this.#stop(),
      wake: () => this.#woken(),
    });
    try {
      // Nothing is taken before there is something to show: errors before that are plain text.
      await this.#connect();
    } catch (error) {
      signals();
      await this.#life.tty.leave();
      throw error;
    }
    this.#life.tty.enter();
    this.#probe.ask();
    const listen = once(() => this.#listen());
    after(ATTACH_WAIT, listen);
    await this.#attach();
    listen();
    const ending = await this.#ended.promise;
    signals();
    return ending;
  }

  #listen(): void {
    if (this.#leaving) return;
    this.#life.tty.listen({
      onBytes: (bytes) => this.#decoder.push(bytes),
      onResize: (cols, rows) => this.#resized(cols, rows),
      onGone: () => this.#leave(1, '', true),
    });
    const { cols, rows } = this.#life.tty.size();
    this.#resized(cols, rows);
  }

  #ports(): FacePorts {
    const life = this.#life;
    return {
      request: (method, params) => this.#request(method, params),
      view: (view) => this.#views.get(view) ?? null,
      forgetView: (view) => this.#views.delete(view),
      draw: (urgency) => this.#loop.request(urgency),
      outer: () => this.#probe.outer,
      colors: () => this.#probe.abilities.colors,
      size: () => ({ cols: this.#compositor.cols, rows: this.#compositor.rows }),
      act: (act) => {
        const sequence = actSequence(act, this.#probe.insideTmux, this.#probe.outer.name);
        if (sequence) this.#loop.send(sequence);
        if (sequence && act.act === 'clipboard') copyBeside(copyPrograms(process.platform, life.env), act.text);
      },
      suspend: (run) => this.#suspend(run),
      leave: (code, message) => this.#leave(code, message ?? ''),
    };
  }

  #request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    if (method === 'view.set') this.#expectsPane = (params as Params<'view.set'>).views.length > 0;
    if (!this.#client) return Promise.reject(new ConnectionError(this.#why));
    if (method !== 'terminal.input') return this.#client.request(method, params);
    // Nothing to be told about it but its echo, which is drawn without waiting for the pace.
    const { terminal, events } = params as Params<'terminal.input'>;
    if (isKeys(events)) this.#client.send(ClientFrame.keys, terminal, encodeKeys(events));
    else this.#client.tell(method, params);
    this.#loop.hurry();
    return Promise.resolve({} as Result<M>);
  }

  #handlers(): Handlers {
    return {
      onEvent: (event) => {
        if (event.event === 'first-frame') return this.#knowPainted(event);
        this.#face.event(event);
        if (event.event === 'server.stopping' && !event.restart) this.#leave(0, 'The session has ended.');
      },
      onFrame: (frame) => this.#frame(frame),
      onClose: (why) => this.#closed(why),
      onSilence: (since) => this.#face.silent(since),
    };
  }

  /** Rejects with ConnectionError. */
  async #connect(): Promise<void> {
    let client = await this.#life.connect(this.#handlers());
    // A server that ended before anybody had it is followed at once.
    while (client.connection.closed?.code === 'disconnected') client = await this.#life.connect(this.#handlers());
    if (client.connection.closed) throw new ConnectionError(client.connection.closed);
    if (this.#leaving) client.close();
    else this.#client = client;
  }

  /** Leaves where the server refuses. One that ends meanwhile does not: its end is told by itself, and begins the way to the next. */
  async #attach(): Promise<void> {
    const { cols, rows } = this.#life.tty.size();
    const { place } = this.#life;
    // The one that was asked for is shown at first; it may be gone later.
    const workspace = this.#attached ? undefined : this.#life.workspace;
    let state: SessionState;
    try {
      state = await this.#request('client.attach', { cols, rows, outer: this.#probe.outer, place, workspace });
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (error instanceof RequestError) this.#leave(1, error.message);
      return;
    }
    this.#attached = true;
    this.#face.attached(state);
    for (const view of this.#views.keys()) this.#face.viewChanged(view);
    this.#loop.request('focused');
    // Nothing is drawn before there is a pane to show: an empty frame would only put the first one off.
    if (!this.#expectsPane || this.#views.size > 0) this.#beginDrawing();
    else if (!this.#drawing) after(PANE_WAIT, () => this.#beginDrawing());
  }

  /** A screen diff. One that cannot be applied ends the connection: the next one begins with full frames. */
  #frame(frame: Frame): void {
    if (frame.type !== ClientFrame.screen) return;
    let view = this.#views.get(frame.channel);
    if (!view) {
      view = new DiffDecoder();
      this.#views.set(frame.channel, view);
    }
    view.apply(frame.payload);
    if (!this.#attached) return;
    this.#face.viewChanged(frame.channel);
    this.#beginDrawing();
  }

  /** The tty shows this already: what is drawn next is what differs from it. */
  #knowPainted({ cols, rows, panes, cursor }: FirstFrame): void {
    const { painted } = this.#life;
    if (!painted || this.#drawing || cols !== this.#compositor.cols || rows !== this.#compositor.rows) return;
    const layers = panes.flatMap(({ view, ...rect }) => {
      const grid = this.#views.get(view)?.grid;
      return grid ? [{ id: view, grid, ...rect }] : [];
    });
    this.#compositor.frame({ chrome: null, panes: layers, overlays: [], cursor });
  }

  #beginDrawing(): void {
    if (this.#drawing || this.#leaving) return;
    this.#drawing = true;
    this.#loop.start();
  }

  #wrote(done: () => void): void {
    done();
    this.#followProgram();
    if (this.#painted || !this.#drawing) return;
    this.#painted = true;
    this.#face.painted?.();
  }

  /** Asks the outer terminal for what the focused program wants of keys and mouse. */
  #followProgram(): void {
    const flags = this.#face.keyboardFlags?.() ?? 0;
    if (flags !== this.#keyboard) {
      this.#keyboard = flags;
      this.#loop.send(keyboardFlags(flags));
    }
    const moves = this.#face.wantsMoves?.() ?? false;
    if (moves !== this.#moves) {
      this.#moves = moves;
      this.#loop.send(mouseMoves(moves));
    }
  }

  #closed(why: WireError): void {
    // Of one that nobody has yet, its `connect` tells.
    if (!this.#client) return;
    this.#client = null;
    this.#why = why;
    if (this.#leaving) return;
    this.#face.disconnected(why);
    this.#loop.request('focused');
    void this.#reconnect(0, performance.now());
  }

  async #reconnect(tries: number, since: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, RETRY[Math.min(tries, RETRY.length - 1)]));
    if (this.#leaving || this.#client) return;
    try {
      await this.#connect();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      const isLate = performance.now() - since > (this.#life.giveUpAfter ?? Number.POSITIVE_INFINITY);
      if (error.code === 'version-mismatch' || isLate) this.#leave(1, error.message);
      else void this.#reconnect(tries + 1, since);
      return;
    }
    if (!this.#leaving) await this.#attach();
  }

  #resized(cols: number, rows: number): void {
    if (this.#suspended || (cols === this.#compositor.cols && rows === this.#compositor.rows)) return;
    this.#compositor.resize(cols, rows);
    this.#face.resized(cols, rows);
    this.#loop.request('focused');
    this.#cancelResize?.();
    this.#cancelResize = after(RESIZE_WAIT, () => {
      this.#request('client.size', { cols, rows }).catch(() => {});
    });
  }

  #outerChanged(): void {
    this.#compositor.setAbilities(this.#probe.abilities);
    this.#face.outerChanged(this.#probe.outer);
    this.#loop.request('focused');
    this.#request('client.outer', { outer: this.#probe.outer }).catch(() => {});
  }

  async #suspend(run: () => Promise<void>): Promise<void> {
    this.#suspended = true;
    this.#loop.hold();
    await this.#life.tty.leave();
    try {
      await run();
    } finally {
      this.#suspended = false;
      this.#life.tty.enter();
      this.#resume();
    }
  }

  #resume(): void {
    this.#keyboard = 0;
    this.#moves = false;
    const { cols, rows } = this.#life.tty.size();
    this.#resized(cols, rows);
    this.#loop.resume();
  }

  #leave(code: number, message: string, gone = false): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#loop.hold();
    this.#face.close();
    this.#client?.close();
    this.#decoder.dispose();
    this.#probe.close();
    this.#cancelResize?.();
    const left = gone ? Promise.resolve() : this.#life.tty.leave();
    left.finally(() => {
      this.#life.tty.close();
      this.#ended.resolve({ code, message });
    });
  }

  /** Stopped by job control: the shell gets a sane terminal first. */
  async #stop(): Promise<void> {
    this.#suspended = true;
    this.#loop.hold();
    await this.#life.tty.leave();
    process.kill(process.pid, 'SIGSTOP');
  }

  #woken(): void {
    if (this.#leaving || !this.#client) return;
    if (this.#suspended) this.#life.tty.enter();
    else this.#life.tty.reclaim();
    this.#suspended = false;
    this.#resume();
  }
}
