// What nobody waits for, between holder and server: each frame costs both sides a write and a wake-up, so such frames go a little later
// and together, those of all terminals at once.

/** ms that a frame waits: longer than an echo's way to the screen, shorter than an eye notices. */
export const FRAME_PAUSE = 20;

export class Later {
  readonly #due = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  readonly #pause: number;
  readonly #together: (send: () => void) => void;

  /** `pause`: ms. `together` runs what it is given, and sends what that writes in one piece. */
  constructor(pause: number, together: (send: () => void) => void) {
    this.#pause = pause;
    this.#together = together;
  }

  /** Calls `send` soon, once, unless it is withdrawn. */
  add(send: () => void): void {
    this.#due.add(send);
    this.#timer ??= setTimeout(() => this.#send(), this.#pause);
  }

  withdraw(send: () => void): void {
    this.#due.delete(send);
  }

  #send(): void {
    this.#timer = null;
    const due = [...this.#due];
    this.#due.clear();
    this.#together(() => {
      for (const send of due) send();
    });
  }
}
