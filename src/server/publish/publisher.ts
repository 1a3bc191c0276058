// All views of all clients: which exist, which to poke when a terminal changes, and what size their clients want a terminal to be.
import type { HeldText } from '../../terminal/held-text.ts';
import type { ViewSpec } from '../../wire/requests.ts';
import type { ClientLink } from '../clients.ts';
import { Refusal } from '../refusal.ts';
import { type Reader, type Shows, View } from './view.ts';

export class Publisher {
  /** Where the last person read who left a terminal's view while scrolled up: the next who looks goes on there. */
  readonly #left = new Map<number, Reader>();
  readonly #views = new Map<ClientLink, Map<number, View>>();
  readonly #terminal: (id: number) => Shows | undefined;
  readonly #onWish: (terminal: number) => void;
  readonly #onFocus: (terminal: number, focused: boolean) => void;
  /** Terminals that have the focus of some client. */
  #focused: ReadonlySet<number> = new Set();

  /** `onWish`: the sizes that clients want for a terminal may have changed. `onFocus`: a terminal came to have a client's focus, or lost all. */
  constructor(
    terminal: (id: number) => Shows | undefined,
    onWish: (terminal: number) => void,
    onFocus: (terminal: number, focused: boolean) => void,
  ) {
    this.#onFocus = onFocus;
    this.#terminal = terminal;
    this.#onWish = onWish;
  }

  /** Replaces a client's views; those that stay keep what the client has. Views of terminals that are gone are left out. */
  set(client: ClientLink, specs: ViewSpec[]): void {
    const before = this.#views.get(client) ?? new Map<number, View>();
    const after = new Map<number, View>();
    for (const spec of specs) {
      const terminal = this.#terminal(spec.terminal);
      if (!terminal) continue;
      const old = before.get(spec.view);
      const same = old && old.spec.terminal === spec.terminal && old.screen === terminal.screen;
      const view = same ? old : new View(client, terminal, spec, this.#readerFor(spec));
      if (same) view.respec(spec);
      after.set(spec.view, view);
    }
    for (const [id, view] of before) if (after.get(id) !== view) this.#close(view);
    if (!this.#views.has(client)) client.onEnd(() => this.#drop(client));
    this.#views.set(client, after);
    for (const view of after.values()) view.poke();
    for (const terminal of terminalsOf(before, after)) this.#onWish(terminal);
    this.#tellFocus();
  }

  get(client: ClientLink, view: number): View {
    const found = this.#views.get(client)?.get(view);
    if (!found) throw new Refusal('not-found', `There is no view ${view}.`);
    return found;
  }

  /** The cell of a terminal's screen that a client sees at a cell of its view of it. */
  cellAt(client: ClientLink, terminal: number, x: number, y: number): { x: number; y: number } {
    return this.#viewOf(client, terminal)?.cellAt(x, y) ?? { x, y };
  }

  /** A terminal's text as a client's person sees it who marks some of it; null where it is the terminal's own. */
  reading(client: ClientLink, terminal: number): HeldText | null {
    return this.#viewOf(client, terminal)?.reading() ?? null;
  }

  /** The terminal may look different. */
  poke(terminal: number): void {
    for (const views of this.#views.values()) for (const view of views.values()) if (view.spec.terminal === terminal) view.poke();
  }

  /** The client takes bytes again. */
  drained(client: ClientLink): void {
    for (const view of this.#views.get(client)?.values() ?? []) view.poke();
  }

  /** The client's person did something: its wishes for size now lead. */
  led(client: ClientLink): void {
    for (const view of this.#views.get(client)?.values() ?? []) if (view.spec.sizing) this.#onWish(view.spec.terminal);
  }

  /** The client's person typed into `terminal`: what the keys change there is not held to the pace. */
  typed(client: ClientLink, terminal: number): void {
    for (const view of this.#views.get(client)?.values() ?? []) if (view.spec.terminal === terminal) view.hurry();
  }

  /** As `typed`, of a button or the wheel. */
  pointed(client: ClientLink, terminal: number): void {
    for (const view of this.#views.get(client)?.values() ?? []) if (view.spec.terminal === terminal) view.point();
  }

  /** Size wanted by the client that was active last; null when none wants any. */
  wish(terminal: number): { cols: number; rows: number } | null {
    let lead: { client: ClientLink; spec: ViewSpec } | null = null;
    for (const [client, views] of this.#views) {
      for (const { spec } of views.values()) {
        if (spec.terminal !== terminal || !spec.sizing) continue;
        if (!lead || client.active > lead.client.active) lead = { client, spec };
      }
    }
    return lead && { cols: lead.spec.cols, rows: lead.spec.rows };
  }

  /** The terminal is gone. */
  forget(terminal: number): void {
    this.#left.delete(terminal);
  }

  #viewOf(client: ClientLink, terminal: number): View | undefined {
    return [...(this.#views.get(client)?.values() ?? [])].find(({ spec }) => spec.terminal === terminal);
  }

  /** Where a new view begins: where its client says, else where the last reader left. */
  #readerFor({ terminal, at, seen }: ViewSpec): Reader | null {
    const left = this.#left.get(terminal) ?? null;
    this.#left.delete(terminal);
    return at ? { at, seen: seen ?? null } : left;
  }

  #close(view: View): void {
    view.close();
    if (view.reader && this.#terminal(view.spec.terminal)) this.#left.set(view.spec.terminal, view.reader);
    else this.#left.delete(view.spec.terminal);
  }

  /** Says who lost the focus, then who has it now. */
  #tellFocus(): void {
    const now = new Set<number>();
    for (const views of this.#views.values()) for (const { spec } of views.values()) if (spec.focused) now.add(spec.terminal);
    const before = this.#focused;
    this.#focused = now;
    for (const terminal of before) if (!now.has(terminal)) this.#onFocus(terminal, false);
    for (const terminal of now) if (!before.has(terminal)) this.#onFocus(terminal, true);
  }

  #drop(client: ClientLink): void {
    const views = this.#views.get(client);
    this.#views.delete(client);
    for (const view of views?.values() ?? []) this.#close(view);
    for (const view of views?.values() ?? []) this.#onWish(view.spec.terminal);
    this.#tellFocus();
  }
}

function terminalsOf(...maps: Map<number, View>[]): Set<number> {
  return new Set(maps.flatMap((views) => [...views.values()].map((view) => view.spec.terminal)));
}
