// The clients of a session: who is connected, who draws, who looks at what. Sends events; knows nothing of what they mean.
import type { Connection } from '../wire/connection.ts';
import type { ClientPlace, ServerEvent } from '../wire/requests.ts';

/** One connection. Verbs connect without attaching: they get the answers to their requests and no events. */
export class ClientLink {
  readonly id: number;
  readonly connection: Connection;
  /** Draws: set by client.attach. */
  attached: { place: ClientPlace; cols: number; rows: number } | null = null;
  /** Wants log entries. */
  follows = false;
  /** Runs attempts: wants to know how they end. */
  runs = false;
  /** Its window has the focus, and which workspace it shows. */
  focused = false;
  workspace: number | null = null;
  /** Order of the last thing its person did; larger is later. */
  active = 0;
  /** Null: it has ended. */
  #disposers: Set<() => void> | null = new Set();

  constructor(id: number, connection: Connection) {
    this.id = id;
    this.connection = connection;
  }

  send(event: ServerEvent): void {
    this.connection.event(event);
  }

  /** Runs `dispose` once the link has ended, at once where it has; what is returned withdraws it. */
  onEnd(dispose: () => void): () => void {
    if (this.#disposers) this.#disposers.add(dispose);
    else dispose();
    return () => void this.#disposers?.delete(dispose);
  }

  /** The link has ended. */
  end(): void {
    const disposers = this.#disposers ?? [];
    this.#disposers = null;
    for (const dispose of disposers) dispose();
  }
}

export class Clients {
  readonly #links = new Set<ClientLink>();
  #lastId = 0;
  #lastActive = 0;

  add(connection: Connection): ClientLink {
    const link = new ClientLink(++this.#lastId, connection);
    this.#links.add(link);
    return link;
  }

  remove(link: ClientLink): void {
    if (this.#links.delete(link)) link.end();
  }

  /** Its person did something: it leads in matters of size, clipboard and attention. */
  touch(link: ClientLink): void {
    link.active = ++this.#lastActive;
  }

  /** How many are there, verbs included. */
  get connected(): number {
    return this.#links.size;
  }

  /** How many draw. */
  get size(): number {
    return [...this.attached()].length;
  }

  *attached(): Generator<ClientLink> {
    for (const link of this.#links) if (link.attached) yield link;
  }

  /** The attached client whose person did something last. */
  leading(): ClientLink | null {
    let lead: ClientLink | null = null;
    for (const link of this.attached()) if (!lead || link.active > lead.active) lead = link;
    return lead;
  }

  /** To every client that draws; log entries also to those that follow, and the session's end to everybody. */
  emit(event: ServerEvent): void {
    const all = event.event === 'server.stopping';
    for (const link of this.#links) if (all || link.attached || (event.event === 'log' && link.follows)) link.send(event);
  }

  /** To every client that runs attempts. */
  emitRuns(event: ServerEvent): void {
    for (const link of this.#links) if (link.runs) link.send(event);
  }

  /** Whether a person has this workspace before them. */
  watches(workspace: number): boolean {
    for (const link of this.attached()) if (link.focused && link.workspace === workspace) return true;
    return false;
  }

  closeAll(): void {
    for (const link of [...this.#links]) link.connection.close();
  }
}
