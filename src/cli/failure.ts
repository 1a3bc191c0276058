// What ends a verb with a sentence for people: a code, what happened, what to do, an exit code. Printed in run.ts and nowhere else.

/** Exit codes: 1 refused or failed, 2 wrong usage, 3 timed out. */
type ExitCode = 0 | 1 | 2 | 3;

/** Throw this for anything a person can do something about; everything else that is thrown is a bug. */
export class Failure extends Error {
  /** kebab-case, stable. */
  readonly code: string;
  readonly hint: string | undefined;
  readonly exit: ExitCode;
  readonly detail: Record<string, unknown> | undefined;

  constructor(
    code: string,
    message: string,
    o: { hint?: string; exit?: ExitCode; detail?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: o.cause });
    this.code = code;
    this.hint = o.hint;
    this.exit = o.exit ?? 1;
    this.detail = o.detail;
  }
}

/** Wrong words on the command line: exit code 2. */
export function usage(message: string, hint?: string): Failure {
  return new Failure('usage', message, { hint, exit: 2 });
}
