// What a program asked of the keyboard: kitty progressive flags (a stack for each of the two screens) and modifyOtherKeys.

/** Entries kept per screen; further pushes drop the oldest, as the protocol allows. */
const MAX_STACK = 16;
/** All progressive enhancement flags. */
export const KITTY_ALL = 31;

export class Keyboard {
  #stacks: { normal: number[]; alternate: number[] } = { normal: [0], alternate: [0] };
  /** modifyOtherKeys 0-2, and whether its keys go out as `CSI code ; mod u` (formatOtherKeys 1). */
  otherKeys: 0 | 1 | 2 = 0;
  otherKeysAsU = false;

  flags(alternate: boolean): number {
    return this.#stack(alternate).at(-1)!;
  }

  /** The stack of a screen, bottom first; never empty. */
  stack(alternate: boolean): readonly number[] {
    return this.#stack(alternate);
  }

  push(alternate: boolean, flags: number): void {
    const stack = this.#stack(alternate);
    stack.push(flags & KITTY_ALL);
    if (stack.length > MAX_STACK) stack.shift();
  }

  /** Popping more than there is resets all flags. */
  pop(alternate: boolean, count: number): void {
    const stack = this.#stack(alternate);
    stack.length = Math.max(stack.length - Math.max(count, 1), 0);
    if (stack.length === 0) stack.push(0);
  }

  /** `CSI = flags ; mode u`: 1 replaces, 2 adds, 3 removes. */
  set(alternate: boolean, flags: number, mode: number): void {
    const stack = this.#stack(alternate);
    const now = stack.at(-1)!;
    const next = mode === 2 ? now | flags : mode === 3 ? now & ~flags : flags;
    stack[stack.length - 1] = next & KITTY_ALL;
  }

  reset(): void {
    this.#stacks = { normal: [0], alternate: [0] };
    this.otherKeys = 0;
    this.otherKeysAsU = false;
  }

  restore(normal: readonly number[], alternate: readonly number[]): void {
    const valid = (list: readonly number[]) => (list.length > 0 ? list.slice(-MAX_STACK).map((flags) => flags & KITTY_ALL) : [0]);
    this.#stacks = { normal: valid(normal), alternate: valid(alternate) };
  }

  #stack(alternate: boolean): number[] {
    return alternate ? this.#stacks.alternate : this.#stacks.normal;
  }
}
