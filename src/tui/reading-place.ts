// Where a person reads who has scrolled a view up, for a server that does not know the view yet.
import type { ViewSpec } from '../wire/requests.ts';
import type { ViewFacts } from '../wire/screen-diff.ts';

/** Empty at the tail, or before the view has been seen. */
export function readingPlace(facts: ViewFacts | null | undefined): Pick<ViewSpec, 'at' | 'seen'> {
  if (!facts || facts.atTail) return {};
  return { at: facts.top, seen: Math.max(0, facts.last - facts.newLines) };
}
