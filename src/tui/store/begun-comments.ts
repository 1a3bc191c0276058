// Comments that were begun and left unsaved, as what they will be: shown where they were begun until somebody goes on with them or drops
// them. The server keeps their text, and knows no comment.
import type { ListedComment } from '../../model/review/comment.ts';
import { draftKey, readNewKey, textMark } from './overlay.ts';
import type { ClientState } from './state.ts';

/** `begun`: it is not saved; the key of its draft, and the mark of the lines it is about, null where it is about none. */
export type ShownComment = ListedComment & { begun?: { key: string; mark: string | null } };

/** Those of a workspace, without the one that is being written. Their ids are negative. */
export function begunComments({ drafts, overlays }: Pick<ClientState, 'drafts' | 'overlays'>, workspace: number): ShownComment[] {
  const open = new Set(overlays.map(draftKey));
  return Object.entries(drafts).flatMap(([key, body]): ShownComment[] => {
    const found = open.has(key) ? null : readNewKey(key);
    if (found?.workspace !== workspace) return [];
    const { path, side, range, mark } = found;
    const anchor = { path, side, range, lines: [], before: [], after: [], baseCommit: null };
    return [
      {
        id: -1 - Number.parseInt(textMark([key]), 36),
        workspace,
        author: 'user',
        anchor,
        place: { placement: 'exact', path, range },
        body,
        state: 'draft',
        rounds: [],
        replies: [],
        created: 0,
        updated: 0,
        begun: { key, mark },
      },
    ];
  });
}

/** The same texts at the same places. */
export function isSameBegun(a: readonly ShownComment[], b: readonly ShownComment[]): boolean {
  return a.length === b.length && a.every(({ begun, body }, i) => begun!.key === b[i]!.begun!.key && body === b[i]!.body);
}

/** Where `count` lines with that mark stand now: the first of them, nearest to where they stood; null when they are not among those known. */
export function findMarked(lines: ReadonlyMap<number, string>, mark: string, start: number, count: number): number | null {
  let best: number | null = null;
  for (const first of lines.keys()) {
    const far = Math.abs(first - start);
    if (far > FAR || (best !== null && far >= Math.abs(best - start))) continue;
    const texts = Array.from({ length: count }, (_, i) => lines.get(first + i));
    if (texts.every((text) => text !== undefined) && textMark(texts) === mark) best = first;
  }
  return best;
}

/** How far from where they stood lines are looked for: what is further away is looked through in vain for too long. */
const FAR = 2_000;
