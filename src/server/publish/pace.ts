// When a view's next frame may go: no sooner than a display can show it, and of a program that draws whole screens faster than anybody can see
// them only some. Has no clock of its own: all times are ms of one that the caller reads.
import type { OutputFlow } from '../output-flow.ts';

/** ms between frames: a display's refresh for the pane that has the focus, a tenth of a second for what is beside it. */
const FOCUSED_PACE = 16;
const BESIDE_PACE = 100;
/** Bytes of a frame from which on the next may be held back: screens of text are smaller, in which each cell has a look of its own larger. */
const LARGE = 16 * 1024;
/**
 * Bytes of output to one byte of the frame before: at the terminal, where such a frame is about twice as long as on the socket, that is one
 * in sixty, of which the first and the last of a short flood may be as much again.
 */
const TAKEN_PER_SENT = 120;
/**
 * As much of it in FOCUSED_PACE ms is more than a whole screen: printed, a cell with colours of its own is two to three and a half times as
 * long as in a frame. An animation of 60 screens a second prints less.
 */
const REDRAWN = 4;
/** ms that such a frame is held back at most: it is still seen that something goes on. */
const FLOOD_CAP = 300;
/** ms after a key in which no frame is held back: its echo comes behind output that was on its way. */
const ECHO_TIME = 50;

export class Pace {
  readonly #flow: OutputFlow;
  #sentAt = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #began = 0;
  #takenAt = 0;
  #typedAt = Number.NEGATIVE_INFINITY;
  #hurried = false;
  #holds = false;

  /** `flow`: the output that the frames show. */
  constructor(flow: OutputFlow) {
    this.#flow = flow;
  }

  /** The person typed here: the next change is the echo and goes at once. */
  hurry(now: number): void {
    this.#hurried = true;
    this.#typedAt = now;
  }

  /** A frame is drawn from now on. */
  begin(now: number): void {
    this.#began = now;
  }

  /** It went, with so many bytes. */
  sent(bytes: number, now: number): void {
    this.#flow.unread(this.#began, now);
    this.#sentAt = now;
    this.#sent = bytes;
    this.#takenAt = this.#flow.taken;
  }

  /** The frame that was due is dealt with, sent or not. */
  rest(): void {
    this.#hurried = false;
  }

  /** What `wait` said last holds whatever the program prints or the person does. */
  get stands(): boolean {
    return !this.#hurried && !this.#holds;
  }

  /** ms until the next frame may go; 0: now. `asked`: it shows more than output, and is not held back. */
  wait(focused: boolean, asked: boolean, now: number): number {
    const due = this.#hurried ? 0 : this.#sentAt + (focused ? FOCUSED_PACE : BESIDE_PACE) - now;
    this.#holds = due <= 0 && !asked && this.#floods(now);
    return this.#holds ? Math.min(this.#sentAt + FLOOD_CAP - now, this.#flow.pauseIn(now)) : Math.max(0, due);
  }

  /** Large frames, of a program that draws more of them than a display shows, and goes on without a pause. */
  #floods(now: number): boolean {
    const taken = this.#flow.taken - this.#takenAt;
    return (
      !this.#hurried &&
      this.#sent >= LARGE &&
      now - this.#sentAt < FLOOD_CAP &&
      taken >= (this.#sent * REDRAWN * (now - this.#sentAt)) / FOCUSED_PACE &&
      taken < this.#sent * TAKEN_PER_SENT &&
      this.#flow.pauseIn(now) > 0 &&
      now - this.#typedAt > ECHO_TIME
    );
  }
}
