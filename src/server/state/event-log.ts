// The append-only log of a session: what happened, for people and for `herd events`. Numbered at once, on disk soon after.
import type { Store } from '../../store/store.ts';
import type { LoggedEvent, ServerEvent } from '../../wire/requests.ts';

/** Longest text kept, characters. */
const TEXT_MAX = 2000;

export class EventLog {
  readonly #store: Store;
  readonly #emit: (event: ServerEvent) => void;
  readonly #now: () => number;

  constructor(store: Store, emit: (event: ServerEvent) => void, now: () => number) {
    this.#store = store;
    this.#emit = emit;
    this.#now = now;
  }

  add(kind: string, workspace: number | null, text: string, detail?: Record<string, unknown>): LoggedEvent {
    const { event } = this.#store.appendEvent({
      at: this.#now(),
      workspace,
      kind,
      text: text.slice(0, TEXT_MAX),
      ...(detail ? { detail } : {}),
    });
    this.#emit({ event: 'log', entry: event });
    return event;
  }
}
