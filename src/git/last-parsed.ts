// What a command printed last, as it was read: most readings of a worktree find the same files changed, only with other lines in them.

import { hash } from 'node:crypto';

/** Reads output by a pure function. The same bytes as the time before give the same object, which nobody may change. */
export class LastParsed<T> {
  readonly #parse: (bytes: Buffer) => T;
  #last: { digest: string; parsed: T } | null = null;

  constructor(parse: (bytes: Buffer) => T) {
    this.#parse = parse;
  }

  read(bytes: Buffer): T {
    const digest = hash('sha256', bytes, 'base64');
    if (this.#last?.digest !== digest) this.#last = { digest, parsed: this.#parse(bytes) };
    return this.#last.parsed;
  }
}
