// The files that comments may stand in, read once for all of them.
import type { Known, PresentFiles } from '../../model/review/anchor.ts';
import type { ChangedFile, Changeset, Scope } from '../../model/review/changeset.ts';
import type { Anchor, Comment, Side } from '../../model/review/comment.ts';
import type { Review } from './review.ts';

/** Other files read at most to find where code went. */
const OTHERS = 20;

export interface ReadFiles extends PresentFiles {
  /** Reads those of the changeset's other files that code may have gone to which is in its own file no more. */
  readOthers(lost: readonly Anchor[]): Promise<void>;
}

/** Last line asked for where a whole file is meant. */
const TO_THE_END = 2 ** 31;

/** All lines of a file on one side of a scope, the default one unless given. Rejects with GitError. */
export async function wholeFile(review: Review, path: string, side: Side, scope?: Scope): Promise<string[]> {
  return (await review.lines(path, side, 1, TO_THE_END, scope)).lines;
}

/** Reads what the anchors of `comments` need; files that are not there are left out. */
export async function readPresentFiles(
  comments: readonly Comment[],
  changeset: Changeset,
  review: Review,
  scope?: Scope,
): Promise<ReadFiles> {
  const renames = new Map(
    changeset.files.flatMap(({ status, oldPath, path }) => (status === 'renamed' && oldPath ? [[oldPath, path] as const] : [])),
  );
  const found = new Map<string, string[]>();
  const asked = new Set<string>();
  const read = async (path: string, side: Side) => {
    const key = `${side} ${path}`;
    if (asked.has(key)) return;
    asked.add(key);
    const lines = await wholeFile(review, path, side, scope).catch(() => null);
    if (lines) found.set(key, lines);
  };
  for (const { anchor, place } of comments) {
    for (const path of [anchor.path!, renames.get(anchor.path!), place.path]) if (path) await read(path, anchor.side);
  }
  const others: string[] = [];
  return {
    lines: (path, side) => found.get(`${side} ${path}`) ?? null,
    renamed: (path) => renames.get(path) ?? null,
    others,
    memo: new WeakMap<readonly string[], Known>(),
    async readOthers(lost) {
      for (const path of mayHaveGained(changeset.files).slice(0, OTHERS)) {
        await read(path, 'new');
        const now = found.get(`new ${path}`);
        if (!now || !lost.some(({ lines }) => now.includes(lines[0]!))) continue;
        await read(path, 'old');
        others.push(path);
      }
    },
  };
}

/** Files that got lines, new ones first: code that went somewhere more often goes into a file of its own. */
function mayHaveGained(files: readonly ChangedFile[]): string[] {
  const isNew = ({ status }: ChangedFile) => status === 'added' || status === 'untracked';
  const gained = files.filter((file) => (file.added ?? 0) > 0);
  return [...gained.filter(isNew), ...gained.filter((file) => !isNew(file))].map(({ path }) => path);
}
