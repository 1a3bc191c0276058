// Keeps what is known of each agent in the ledger, so that a server that was killed is followed by one that says the same: at once when a
// state changes, a moment later for what only moves on. Writes nothing for an agent whose workspace is gone.
import type { LiveTerminal } from './terminals.ts';
import type { WatchMemory } from './watch-memory.ts';

/** ms after which what has moved on meanwhile (spinners, titles, progress) is kept too. */
const LATER = 2000;

export class AgentMemories {
  readonly #save: (workspace: number, memory: WatchMemory) => Promise<void>;
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #terminals = new Map<number, LiveTerminal>();

  /** `save` puts the memory into the workspace's row; resolves when it is on disk. */
  constructor(save: (workspace: number, memory: WatchMemory) => Promise<void>) {
    this.#save = save;
  }

  /** The agent's status is another; `urgent`: its state, turn or question is. */
  note(terminal: LiveTerminal, urgent: boolean): void {
    const { workspace } = terminal;
    this.#terminals.set(workspace, terminal);
    if (urgent) this.#keep(workspace);
    if (!this.#timers.has(workspace)) {
      const timer = setTimeout(() => {
        this.#timers.delete(workspace);
        this.#keep(workspace);
      }, LATER);
      timer.unref();
      this.#timers.set(workspace, timer);
    }
  }

  forget(workspace: number): void {
    clearTimeout(this.#timers.get(workspace));
    this.#timers.delete(workspace);
    this.#terminals.delete(workspace);
  }

  /** All that still waits is written; before the server ends. */
  async flush(): Promise<void> {
    const due = [...this.#timers.keys()];
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(due.map((workspace) => this.#keep(workspace)));
  }

  #keep(workspace: number): Promise<void> {
    const memory = this.#terminals.get(workspace)?.watch?.memory();
    return memory ? this.#save(workspace, memory) : Promise.resolve();
  }
}
