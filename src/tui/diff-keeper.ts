// Where people are in the diffs, told to the server when they have come to rest: whoever attaches next finds them there.
import type { DiffArrangement } from '../model/review/diff-arrangement.ts';
import type { Method, Params, Result } from '../wire/requests.ts';
import { arrangementOf } from './diff/arrangement.ts';
import type { DiffView } from './diff/view.ts';

/** ms from the last step until it is told: somebody who reads pauses longer. */
const AT_REST = 1000;

export interface DiffKeeperOptions {
  view(workspace: number): DiffView;
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
}

export class DiffKeeper {
  readonly #o: DiffKeeperOptions;
  /** What the server has of each workspace, as JSON. */
  readonly #told = new Map<number, string>();
  readonly #moved = new Set<number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DiffKeeperOptions) {
    this.#o = options;
  }

  /** The server has these. */
  attached(diffs: Readonly<Record<number, DiffArrangement>>): void {
    this.#told.clear();
    for (const [workspace, diff] of Object.entries(diffs)) this.#told.set(Number(workspace), JSON.stringify(diff));
  }

  /** The view of a workspace changed. */
  moved(workspace: number): void {
    this.#moved.add(workspace);
    this.#timer ??= setTimeout(() => void this.flush(), AT_REST).unref();
    this.#timer.refresh();
  }

  forget(workspace: number): void {
    this.#moved.delete(workspace);
    this.#told.delete(workspace);
  }

  /** Tells what is not told yet; resolves when the server has it or cannot be told. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const moved = [...this.#moved];
    this.#moved.clear();
    await Promise.allSettled(moved.map((workspace) => this.#tell(workspace)));
  }

  async #tell(workspace: number): Promise<void> {
    const diff = arrangementOf(this.#o.view(workspace));
    const json = JSON.stringify(diff);
    if (!diff || json === this.#told.get(workspace)) return;
    this.#told.set(workspace, json);
    await this.#o.request('layout.save', { workspace, diff });
  }
}
