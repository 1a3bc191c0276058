// Texts that are being written, told to the server a moment after each change: a client may end at any time, and the next one goes on with
// them. Tells only what the person changed here, so that two clients with the same text open do not answer each other for ever.
import type { Method, Params, Result } from '../wire/requests.ts';
import type { Overlay } from './store/overlay.ts';
import { draftsOf, withDraft } from './store/overlay-stack.ts';
import type { ClientState } from './store/state.ts';

/** ms from a change until it is told: with a typist's every few letters. */
const SOON = 300;
/** ms that a client which leaves waits for its last words to arrive, and between looks whether what is being saved has been. */
const LAST_WORDS = 500;
const LOOK_AGAIN = 5;

type Drafts = ClientState['drafts'];

export interface DraftKeeperOptions {
  state(): Pick<ClientState, 'drafts' | 'overlays'>;
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
}

export class DraftKeeper {
  readonly #o: DraftKeeperOptions;
  /** What the server was told, or told itself. */
  #told: Drafts = {};
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DraftKeeperOptions) {
    this.#o = options;
  }

  /** The server has these; those that are new here. One that was ended here meanwhile stays ended. */
  attached(drafts: Drafts): Drafts {
    const fresh = Object.entries(drafts).filter(([key]) => this.#told[key] === undefined);
    this.#told = drafts;
    return Object.fromEntries(fresh);
  }

  /** Another client changed this text, and the state has it by now; or one that is open here, which stays what it is. */
  heard(key: string, text: string | null): void {
    if (draftsOf(this.#o.state())[key] !== (text ?? undefined)) return;
    this.#told = withDraft(this.#told, key, text);
  }

  /** Texts may have changed. */
  look(): void {
    this.#timer ??= setTimeout(() => void this.flush(), SOON).unref();
  }

  /** The client is about to leave: what it is saving is waited for, or it would come up as begun again. */
  async leave(): Promise<void> {
    for (let waited = 0; waited < LAST_WORDS && this.#o.state().overlays.some(isBusy); waited += LOOK_AGAIN)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
    await this.flush();
  }

  /** Tells what is not told yet; resolves when the server has it, or will not have it in time. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const now = draftsOf(this.#o.state());
    const keys = [...new Set([...Object.keys(now), ...Object.keys(this.#told)])].filter((key) => now[key] !== this.#told[key]);
    if (keys.length === 0) return;
    this.#told = now;
    const told = keys.map((key) => this.#o.request('draft.keep', { workspace: Number(key.split(':')[0]), key, text: now[key] ?? null }));
    const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS).unref());
    await Promise.race([Promise.allSettled(told), late]);
  }
}

function isBusy(overlay: Overlay): boolean {
  return 'busy' in overlay && overlay.busy;
}
