// How people left their clients: per workspace the arrangement of panes and of the diff last made in any of them, the workspace last looked
// at, and texts begun and not saved. Kept in one file that is written whole, a moment after the last change; terminals and workspaces know
// nothing of it.
import type { PaneArrangement } from '../../model/panes.ts';
import type { DiffArrangement } from '../../model/review/diff-arrangement.ts';
import { readLayout, writeLayout } from '../../store/layout.ts';
import { arrangementShape, diffArrangementShape } from '../arrangement-shapes.ts';
import { id, list, Misfit, maybe, object, orNull, type Shape, text } from '../schema.ts';

/** Form of the file; one of a larger number was written by a newer herd and is kept aside. */
const VERSION = 1;
/** Pause after a change before it is written, ms: dragging a divider makes dozens. */
const WRITE_AFTER = 200;
/** Texts kept at most, and characters of all of them: an attaching client gets them in one frame. The oldest go. */
const DRAFTS = { count: 200, chars: 2 * 1024 * 1024 };

interface Draft {
  workspace: number;
  key: string;
  text: string;
}

interface Kept {
  selected: number | null;
  panes: Record<number, PaneArrangement>;
  diffs: Record<number, DiffArrangement>;
  /** The one changed last at the end. */
  drafts: Draft[];
}

const draftShape: Shape<Draft> = object({ workspace: id, key: text(), text: text(DRAFTS.chars) });

const keptShape: Shape<Kept> = (value) => {
  const { version, selected, panes, diffs, drafts } = object({
    ...{ version: oneVersion, selected: orNull(id), panes: byWorkspace(arrangementShape), diffs: maybe(byWorkspace(diffArrangementShape)) },
    drafts: maybe(list(draftShape, DRAFTS.count)),
  })(value);
  void version;
  return { selected, panes, diffs: diffs ?? {}, drafts: drafts ?? [] };
};

function oneVersion(value: unknown): number {
  if (value !== VERSION) throw new Misfit(String(VERSION));
  return VERSION;
}

function byWorkspace<T>(shape: Shape<T>): Shape<Record<number, T>> {
  return (value) => {
    if (typeof value !== 'object' || value === null) throw new Misfit('an object');
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [id(Number(key)), shape(one)])) as Record<number, T>;
  };
}

export class Layouts {
  readonly #dir: string;
  readonly #onFault: (error: unknown) => void;
  #generation: number;
  #kept: Kept;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(dir: string, generation: number, kept: Kept, onFault: (error: unknown) => void) {
    this.#dir = dir;
    this.#generation = generation;
    this.#kept = kept;
    this.#onFault = onFault;
  }

  /** What was saved in `dir`; `notice` says when a file was kept aside. `onFault` hears of saves that failed. */
  static async open(dir: string, now: number, onFault: (error: unknown) => void): Promise<{ layouts: Layouts; notice: string | null }> {
    const { saved, notice } = await readLayout(dir, now, fits);
    const kept = saved ? keptShape(saved.layout) : { selected: null, panes: {}, diffs: {}, drafts: [] };
    return { layouts: new Layouts(dir, saved?.generation ?? 0, kept, onFault), notice };
  }

  /** By workspace. */
  get panes(): Record<number, PaneArrangement> {
    return this.#kept.panes;
  }

  /** By workspace. */
  get diffs(): Record<number, DiffArrangement> {
    return this.#kept.diffs;
  }

  /** Texts begun and not saved, by what they are for. */
  get drafts(): Record<string, string> {
    return Object.fromEntries(this.#kept.drafts.map(({ key, text }) => [key, text]));
  }

  keepDraft(workspace: number, key: string, text: string | null): void {
    const others = this.#kept.drafts.filter((draft) => draft.key !== key);
    const drafts = text === null ? others : [...others, { workspace, key, text }].slice(-DRAFTS.count);
    while (drafts.length > 1 && drafts.reduce((sum, draft) => sum + draft.text.length, 0) > DRAFTS.chars) drafts.shift();
    if (text !== null || drafts.length < this.#kept.drafts.length) this.#change({ ...this.#kept, drafts });
  }

  /** The workspace somebody looked at last. */
  get selected(): number | null {
    return this.#kept.selected;
  }

  arrange(workspace: number, arrangement: PaneArrangement): void {
    this.#change({ ...this.#kept, panes: { ...this.#kept.panes, [workspace]: arrangement } });
  }

  arrangeDiff(workspace: number, diff: DiffArrangement): void {
    this.#change({ ...this.#kept, diffs: { ...this.#kept.diffs, [workspace]: diff } });
  }

  select(workspace: number): void {
    if (workspace !== this.#kept.selected) this.#change({ ...this.#kept, selected: workspace });
  }

  /** A workspace has gone. */
  forget(workspace: number): void {
    const { [workspace]: gone, ...panes } = this.#kept.panes;
    const { [workspace]: diff, ...diffs } = this.#kept.diffs;
    const selected = this.#kept.selected === workspace ? null : this.#kept.selected;
    const drafts = this.#kept.drafts.filter((draft) => draft.workspace !== workspace);
    const changed = gone || diff || selected !== this.#kept.selected || drafts.length < this.#kept.drafts.length;
    if (changed) this.#change({ selected, panes, diffs, drafts });
  }

  /** Resolves when all is written. */
  async close(): Promise<void> {
    if (this.#timer) this.#write();
    await this.#writing;
  }

  #change(kept: Kept): void {
    this.#kept = kept;
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER);
  }

  #write(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const saved = { generation: ++this.#generation, layout: { version: VERSION, ...this.#kept } };
    this.#writing = this.#writing.then(() => writeLayout(this.#dir, saved)).catch(this.#onFault);
  }
}

function fits(layout: unknown): boolean {
  try {
    keptShape(layout);
    return true;
  } catch (error) {
    if (error instanceof Misfit) return false;
    throw error;
  }
}
