// Turns for screens that have much to parse: one at a time, a few milliseconds each, and between two of them whatever came in meanwhile.
import { SkimRooms } from './skim.ts';

/** Time after which others get their turn, ms: what an echo waits for at most, well above what changing turns costs. */
const TURN = 2;

/** Works until `end` (ms of `performance.now`); true when there is more to do. */
type Work = (end: number) => boolean;

/** Shared by all screens of a process: an echo waits for one turn, however many terminals flood. */
export class Turns {
  /** Memory for what works in turns. */
  readonly rooms = new SkimRooms();
  readonly #waiting: Work[] = [];

  /** Calls `work` turn by turn, with the others in a circle, until it returns false. */
  add(work: Work): void {
    if (this.#waiting.push(work) === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const end = performance.now() + TURN;
    do {
      const work = this.#waiting[0]!;
      const more = work(end);
      this.#waiting.shift();
      if (more) this.#waiting.push(work);
    } while (this.#waiting.length > 0 && performance.now() < end);
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
