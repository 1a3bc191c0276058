// When to draw: at once if the last frame is old enough, else as soon as it is; one frame under way at a time. Without a request there
// is no timer and no frame.
import type { Compositor, Layers } from '../compositor/compositor.ts';
import type { Urgency } from './face.ts';

/** Pause between frames, ms: a display's refresh for what has the focus, a tenth of a second for what is beside it. */
const PACE: Record<Urgency, number> = { focused: 16, visible: 100 };
/** A frame that took longer than this to leave, ms, went over a slow link: the pace drops to 20 frames a second. */
const SLOW_FRAME = 50;

export interface DrawLoopOptions {
  compositor: Compositor;
  layers(): Layers;
  /** Takes bytes for the tty; `done` when they have left this process. Called again only after that. */
  write(bytes: string, done: () => void): void;
  now(): number;
  after(ms: number, run: () => void): () => void;
  /** Runs when what is being handled now is done: what came in together is one frame. */
  soon(run: () => void): () => void;
}

export class DrawLoop {
  readonly #o: DrawLoopOptions;
  #wanted: Urgency | null = null;
  #cancel: (() => void) | null = null;
  #waitingUntil = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #pace = 0;
  #busy = false;
  /** Nothing is drawn before `start`. */
  #held = true;
  #extra = '';

  constructor(options: DrawLoopOptions) {
    this.#o = options;
  }

  /** A frame has been given to the tty and has not left yet. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Something visible changed. */
  request(urgency: Urgency): void {
    if (this.#wanted !== 'focused') this.#wanted = urgency;
    this.#plan();
  }

  /** What comes next is the effect of a key: it is drawn at once, however young the last frame is. */
  hurry(): void {
    this.#last = Number.NEGATIVE_INFINITY;
  }

  /** Sends a whole sequence along with the next frame, or alone if none comes. */
  send(sequence: string): void {
    this.#extra += sequence;
    this.request('focused');
  }

  /** No frames until `resume`: the tty belongs to somebody else. */
  hold(): void {
    this.#held = true;
    this.#clear();
  }

  /** Frames from now on, the first one at once. */
  start(): void {
    this.#held = false;
    this.request('focused');
  }

  /** Frames again, the first one whole. */
  resume(): void {
    this.#o.compositor.invalidate();
    this.start();
  }

  #plan(): void {
    if (this.#held || this.#busy || !this.#wanted) return;
    const due = this.#last + Math.max(PACE[this.#wanted], this.#pace);
    if (due >= this.#waitingUntil) return;
    this.#clear();
    this.#waitingUntil = due;
    const wait = due - this.#o.now();
    const draw = () => this.#draw();
    this.#cancel = wait > 0 ? this.#o.after(wait, draw) : this.#o.soon(draw);
  }

  #clear(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waitingUntil = Number.POSITIVE_INFINITY;
  }

  #draw(): void {
    this.#clear();
    if (this.#held || this.#busy) return;
    this.#wanted = null;
    const bytes = this.#extra + this.#o.compositor.frame(this.#o.layers());
    this.#extra = '';
    if (bytes === '') return;
    const started = this.#o.now();
    this.#last = started;
    this.#busy = true;
    this.#o.write(bytes, () => {
      this.#busy = false;
      this.#pace = this.#o.now() - started > SLOW_FRAME ? SLOW_FRAME : 0;
      this.#plan();
    });
  }
}
