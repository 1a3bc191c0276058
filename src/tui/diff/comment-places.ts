// Which file of the stream each comment is shown in: the one that it was found in; in the first one those on the whole change, and in the
// default scope open ones of files that have no changes any more, which would be seen nowhere else.

import type { Changeset, Scope } from '../../model/review/changeset.ts';
import type { ShownComment } from '../store/begun-comments.ts';

/** Comments by the path of the file that they are shown in, and the paths of all files. */
export interface CommentPlaces {
  from: readonly unknown[];
  byPath: ReadonlyMap<string, readonly ShownComment[]>;
  paths: ReadonlySet<string>;
}

/** What is looked at of a view. */
interface Shown {
  comments: readonly ShownComment[];
  changeset: Changeset | null;
  scope: Scope;
  memo: { comments: CommentPlaces | null };
}

const NONE: readonly ShownComment[] = [];

/** Comments shown in the file at `index`; the same array as long as they are the same. */
export function commentsIn(view: Shown, index: number): readonly ShownComment[] {
  const file = view.changeset?.files[index];
  return file && view.comments.length > 0 ? (commentPlaces(view).byPath.get(file.path) ?? NONE) : NONE;
}

/** Its file is not in the changeset that is shown. */
export function isElsewhere(view: Shown, { place }: ShownComment): boolean {
  return place.path !== null && !commentPlaces(view).paths.has(place.path);
}

function commentPlaces(view: Shown): CommentPlaces {
  const { comments, changeset, scope, memo } = view;
  const from = [comments, changeset, scope];
  const known = memo.comments;
  if (known && from.every((value, i) => known.from[i] === value)) return known;
  const paths = new Set(changeset?.files.map(({ path }) => path));
  const [first] = paths;
  const shownIn = ({ place: { path }, state }: ShownComment) => {
    if (path !== null && paths.has(path)) return path;
    return path === null || (scope === 'base' && state !== 'resolved') ? first : undefined;
  };
  const isOwn = ({ place }: ShownComment) => (place.path !== null && paths.has(place.path) ? 1 : 0);
  const byPath = new Map<string, readonly ShownComment[]>();
  for (const [path, found] of Map.groupBy(comments, shownIn)) {
    if (path === undefined) continue;
    const now = path === first ? found.toSorted((a, b) => isOwn(a) - isOwn(b)) : found;
    const before = known?.byPath.get(path);
    const same = before?.length === now.length && before.every((comment, i) => comment === now[i]);
    byPath.set(path, same ? before : now);
  }
  memo.comments = { from, byPath, paths };
  return memo.comments;
}
