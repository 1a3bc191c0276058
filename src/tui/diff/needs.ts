// What a pane needs to show its window, most urgent first, and the feed that fetches it: few requests at a time, none twice.
import type { Changeset, FileDiff, Hunk, MovedIn, Scope } from '../../model/review/changeset.ts';
import { applyPieces } from '../../model/review/diff-pieces.ts';
import { windowSpots } from './geometry.ts';
import type { DiffIntent } from './intents.ts';
import { loadedAt, missingLines } from './show.ts';
import { type DiffView, filesOf, isFolded, type Places, sameScope } from './view.ts';

/** Where the pane's facts come from: the socket in the app, git itself in tests. Each rejects with an Error of one sentence. */
export interface DiffPort {
  changeset(query: {
    scope: Scope;
    ignoreWhitespace: boolean;
  }): Promise<{ changeset: Changeset; viewed: Record<string, string>; places?: Places }>;
  file(
    path: string,
    query: { scope: Scope; ignoreWhitespace: boolean; load: boolean; context?: number; rows?: number; after?: number; held?: string },
  ): Promise<FileDiff>;
  lines(path: string, from: number, to: number, scope: Scope): Promise<{ lines: string[]; total: number }>;
  moved(query: { scope: Scope; ignoreWhitespace: boolean }): Promise<{ moved: MovedIn[]; generation: number }>;
}

export type Need =
  | { need: 'file'; path: string; load: boolean; whole: boolean; first: boolean }
  | { need: 'lines'; path: string; from: number; to: number };

/** Files read ahead below and above the window, so that paging seldom waits. */
const AHEAD = 3;
const BEHIND = 1;
/** Lines of a file asked for before all of them: more than a window shows, and a fraction of a frame's time to send. */
const FIRST_ROWS = 500;
/** Lines asked for at a time for the rest: a frame of a few MB. */
const REST_ROWS = 20_000;
/** Context that makes a hunk of a whole file. */
export const WHOLE_CONTEXT = 1_000_000;

/** Files that a search reads: a bound on what it keeps in memory. */
const SEARCHED = 2000;

/** What is missing in the window; when nothing is, around it; then for a search. What is on the screen shares git and the processor with nothing. */
export function needsOf(view: DiffView): Need[] {
  const shown = [...new Set(windowSpots(view).map((spot) => spot.file))];
  // While another scope is being read, the files on the screen are not its files.
  if (shown.length === 0 || !sameScope(view.scope, view.changeset?.scope)) return [];
  const around = [...span(shown.at(-1)! + 1, AHEAD, 1), ...span(shown[0]! - 1, BEHIND, -1)];
  const searched = view.search ? span(0, Math.min(filesOf(view).length, SEARCHED), 1) : [];
  for (const files of [shown, around, searched]) {
    const needs = files.flatMap((index) => needsOfFile(view, index));
    if (needs.length > 0) return needs;
  }
  return [];
}

function span(from: number, count: number, step: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i * step);
}

function needsOfFile(view: DiffView, index: number): Need[] {
  const file = filesOf(view)[index];
  if (!file || isFolded(view, file)) return [];
  const loaded = loadedAt(view, file.path);
  const { diff, error, stale, load, whole } = loaded;
  if ((!diff && !error) || diff?.part || stale) return [{ need: 'file', path: file.path, load, whole, first: !diff }];
  const missing = missingLines(view, index);
  return missing ? [{ need: 'lines', path: file.path, ...missing }] : [];
}

/** ms after a reading of the changes before moved lines are looked for: a burst of writes is over by then. */
const MOVED_AFTER = 1000;
/** Requests at a time: the first answers should not wait behind the last. */
const AT_ONCE = 4;

/** Fetches what a view needs. Call `look` after every change of the view; answers come as intents. */
export interface DiffFeed {
  look(view: DiffView): void;
  /** Reads the changeset anew; a call while one runs makes one more afterwards. */
  refresh(view: DiffView): Promise<void>;
  dispose(): void;
}

/** A feed for one pane. `apply` takes intents and must lead to another `look`. */
export function createDiffFeed(port: DiffPort, apply: (intent: DiffIntent) => void): DiffFeed {
  const running = new Set<string>();
  let disposed = false;
  let latest: DiffView | null = null;
  let reading: Promise<void> | null = null;
  let again: DiffView | null = null;
  let movedFor: Changeset | null = null;
  let movedTimer: NodeJS.Timeout | null = null;

  const answer = (intent: DiffIntent) => {
    if (!disposed) apply(intent);
  };

  async function fetchNeed(view: DiffView, need: Need): Promise<DiffIntent> {
    const { path } = need;
    try {
      if (need.need === 'lines') {
        const { lines, total } = await port.lines(path, need.from, need.to, view.scope);
        return { do: 'take-lines', path, from: need.from, lines, total };
      }
      const { scope, ignoreWhitespace } = view;
      const context = need.whole ? { context: WHOLE_CONTEXT } : {};
      const ask = (rows: number, more: { after?: number; held?: string } = {}) =>
        port.file(path, { scope, ignoreWhitespace, load: need.load, ...context, rows, ...more });
      if (need.first) return { do: 'take-file', path, diff: await ask(FIRST_ROWS) };
      return { do: 'take-file', path, diff: await whole(loadedAt(view, path).diff, (more) => ask(REST_ROWS, more)) };
    } catch (cause) {
      return { do: 'take-failure', path, of: need.need, error: (cause as Error).message };
    }
  }

  /** Once per reading, and only where files can have exchanged lines. */
  function lookForMoved(view: DiffView): void {
    const { changeset, scope, ignoreWhitespace } = view;
    if (!changeset || changeset === movedFor || !sameScope(scope, changeset.scope)) return;
    movedFor = changeset;
    if (movedTimer) clearTimeout(movedTimer);
    movedTimer = null;
    if (changeset.files.length < 2 || disposed) return;
    const ask = async () => {
      const found = await port.moved({ scope, ignoreWhitespace }).catch(() => null);
      if (found && found.generation === latest?.changeset?.generation && isOfScope(view, latest))
        answer({ do: 'take-moved', moved: found.moved });
    };
    movedTimer = setTimeout(() => void ask(), MOVED_AFTER);
  }

  function look(view: DiffView): void {
    latest = view;
    lookForMoved(view);
    for (const need of needsOf(view)) {
      const key = `${need.need} ${need.path}`;
      if (running.has(key)) continue;
      if (disposed || running.size >= AT_ONCE) return;
      running.add(key);
      void fetchNeed(view, need).then((intent) => {
        // The place is free before the answer leads to the next look.
        running.delete(key);
        if (latest && isOfScope(view, latest)) answer(intent);
        else if (latest) look(latest);
      });
    }
  }

  async function read(view: DiffView): Promise<void> {
    try {
      const { changeset, viewed, places = {} } = await port.changeset({ scope: view.scope, ignoreWhitespace: view.ignoreWhitespace });
      answer({ do: 'take-changeset', changeset, viewed, places });
    } catch (cause) {
      answer({ do: 'take-trouble', trouble: (cause as Error).message });
    }
  }

  return {
    look,
    async refresh(view) {
      again = view;
      reading ??= (async () => {
        while (again && !disposed) {
          const next = again;
          again = null;
          await read(next);
        }
        reading = null;
      })();
      await reading;
    },
    dispose() {
      disposed = true;
      if (movedTimer) clearTimeout(movedTimer);
    },
  };
}

/** A diff from what changed since the one held, or from its parts; begun again when the file changed between two of them. */
async function whole(held: FileDiff | null, ask: (more: { after: number; held?: string }) => Promise<FileDiff>): Promise<FileDiff> {
  const known = held?.revision !== undefined && !held.part ? { held: held.revision } : {};
  let diff = await ask({ after: 0, ...known });
  if (diff.pieces) {
    const { pieces, ...rest } = diff;
    const hunks = applyPieces(held?.hunks ?? [], pieces);
    if (hunks) return { ...rest, hunks };
    diff = await ask({ after: 0 });
  }
  while (diff.part) {
    const next = await ask({ after: diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0) });
    if (next.revision !== diff.revision || next.hunks.length === 0) diff = await ask({ after: 0 });
    else diff = { ...next, hunks: joined(diff.hunks, next.hunks) };
  }
  return diff;
}

/** The first hunk may go on the last one. */
function joined(before: Hunk[], next: Hunk[]): Hunk[] {
  const [last, first] = [before.at(-1), next[0]];
  if (!last || !first || last.oldStart !== first.oldStart || last.newStart !== first.newStart) return [...before, ...next];
  return [...before.slice(0, -1), { ...last, lines: [...last.lines, ...first.lines] }, ...next.slice(1)];
}

/** An answer to `asked` still fits `now`. */
function isOfScope(asked: DiffView, now: DiffView): boolean {
  return asked.ignoreWhitespace === now.ignoreWhitespace && sameScope(asked.scope, now.scope);
}
