// A request that is refused or fails for a reason a person can understand: crosses the socket as WireError. Anything else that a
// handler throws is a bug of ours.
import { KnownError } from '../model/known-error.ts';
import type { WireError } from '../wire/requests.ts';

export class Refusal extends KnownError {}

/** Errors of the rooms below (git, store, paths) say code, message and hint as well: all of them cross the socket the same way. */
export function wireError(error: unknown): WireError | null {
  if (!(error instanceof KnownError)) return null;
  const { code, message, hint, detail } = error;
  return { code, message, ...(hint ? { hint } : {}), ...(detail ? { detail } : {}) };
}
