// A request that is refused or fails for a reason a person can understand: crosses the socket as WireError. Anything else that a
// handler throws is a bug of ours.
import type { WireError } from '../wire/requests.ts';

export class Refusal extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly detail: Record<string, unknown> | undefined;

  constructor(code: string, message: string, hint?: string, detail?: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.detail = detail;
  }
}

/** Errors of the rooms below (git, store, holder) say code, message and hint as well: all of them cross the socket the same way. */
export function wireError(error: unknown): WireError | null {
  if (!(error instanceof Error)) return null;
  const { code, message, hint, detail } = error as Error & Partial<WireError>;
  const known = error instanceof Refusal || ['GitError', 'StoreError', 'HostError', 'PathError'].includes(error.constructor.name);
  if (!known || typeof code !== 'string') return null;
  return { code, message, ...(hint ? { hint } : {}), ...(detail ? { detail } : {}) };
}
