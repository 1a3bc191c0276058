// What rooms throw when something went wrong that a person can understand: one shape, so that it crosses rooms and the socket the same
// way. Anything else that is thrown is a bug of ours.

/** `message` is one sentence for people, `hint` what to do about it; `code` is kebab-case and stable. */
export class KnownError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly hint: string | undefined;
  /** Counts, places and the like that a client may show. */
  readonly detail: Record<string, unknown> | undefined;

  constructor(code: Code, message: string, hint?: string, detail?: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.detail = detail;
  }
}
