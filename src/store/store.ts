// The session's ledger as the server sees it: typed calls to one thread that owns the database. A write is on disk when its promise
// resolves with null; a failed write is a value, and the caller goes on from memory. Never blocks the caller's thread.
import { Worker } from 'node:worker_threads';
import type { KeptComment, Prompt, Receipt } from '../model/review/comment.ts';
import type { ToStore, ToWorker, WorkerStart } from './messages.ts';
import type { Change, CounterKind, DeliveryStep, EventQuery, Mark, Queries, QueryName, StoredEvent, StoredWorkspace } from './rows.ts';
import { StoreError } from './store-error.ts';

/** null: committed. Else why not; the change is kept in memory and saved with a later write when that works again. */
export type Written = StoreError | null;

export interface Store {
  /** What a person should know of how the ledger was opened (a damaged file kept aside, …); usually empty. */
  readonly notices: string[];
  /** The next id of a kind, committed before it is given out; never given twice. */
  nextId(kind: CounterKind): Promise<number>;
  /** Ids up to `used` are taken (found in the holder, say): later ones are larger. */
  raiseId(kind: CounterKind, used: number): Promise<Written>;
  /** All changes together or none. */
  write(changes: Change[]): Promise<Written>;

  workspaces(): Promise<StoredWorkspace[]>;
  putWorkspace(row: StoredWorkspace): Promise<Written>;
  /** With its comments, prompts, receipts, viewed marks, turns and looks; its events stay. */
  removeWorkspace(id: number): Promise<Written>;

  comments(workspace?: number): Promise<KeptComment[]>;
  putComment(row: KeptComment): Promise<Written>;
  removeComment(id: number): Promise<Written>;

  prompts(workspace?: number): Promise<Prompt[]>;
  putPrompt(row: Prompt): Promise<Written>;
  removePrompt(id: number): Promise<Written>;
  receipts(prompt: number): Promise<Receipt[]>;
  putReceipt(row: Receipt): Promise<Written>;
  /** Written ahead of the step itself. */
  putStep(row: DeliveryStep): Promise<Written>;
  steps(prompt: number): Promise<DeliveryStep[]>;

  /** Path to the fingerprint that was viewed. */
  viewed(workspace: number): Promise<Record<string, string>>;
  setViewed(workspace: number, path: string, fingerprint: string | null): Promise<Written>;

  marks(workspace: number, kind?: Mark['kind']): Promise<Mark[]>;
  putMark(row: Mark): Promise<Written>;

  /** Gives the event its number at once; `written` resolves when it is on disk. */
  appendEvent(event: Omit<StoredEvent, 'seq'>): { event: StoredEvent; written: Promise<Written> };
  /** The newest events that match, oldest first. Rejects with StoreError when `grep` is no regular expression. */
  events(query: EventQuery): Promise<StoredEvent[]>;

  /** Saves what is waiting and ends the thread. Later calls fail with 'closed'. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Called once per trouble (disk full, …), not once per failed write. */
  onNotice?: (text: string, hint?: string) => void;
  /** ms since the epoch. */
  now?: () => number;
  /** Upper bound of the database file. */
  maxBytes?: number;
}

/** Opens the ledger in `dir`. Rejects with StoreError: 'in-use' while another process has it, 'read-only' when it cannot be written. */
export async function openStore(dir: string, options: StoreOptions = {}): Promise<Store> {
  const { now = Date.now, maxBytes, onNotice } = options;
  const worker = new Worker(workerUrl(), {
    workerData: { dir, now: now(), maxBytes } satisfies WorkerStart,
    // node:sqlite announces on stderr that it may change; a server's stderr is read by people.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
  });
  const opened = await firstAnswer(worker);
  return createStore(new Line(worker, onNotice), opened);
}

/** Beside this file when run from source, in dist/ when bundled. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './store-worker.js', import.meta.url);
}

type Opened = Extract<ToStore, { opened: unknown }>['opened'];

function firstAnswer(worker: Worker): Promise<Opened> {
  return new Promise((resolve, reject) => {
    worker.once('error', (cause) => reject(new StoreError('failed', `The ledger's thread did not start: ${cause.message}.`)));
    worker.once('message', (message: ToStore) => {
      worker.removeAllListeners('error');
      if ('opened' in message) return resolve(message.opened);
      void worker.terminate();
      const {
        code,
        message: text,
        hint,
      } = 'refused' in message ? message.refused : { code: 'failed' as const, message: 'The ledger did not open.' };
      reject(new StoreError(code, text, hint));
    });
  });
}

/** Requests and answers between this thread and the ledger's. */
class Line {
  readonly #worker: Worker;
  readonly #open = new Map<number, (answer: { result?: unknown; error: StoreError | null }) => void>();
  #last = 0;
  #ended: StoreError | null = null;

  constructor(worker: Worker, onNotice: StoreOptions['onNotice']) {
    this.#worker = worker;
    worker.on('message', (message: ToStore) => {
      if ('notice' in message) onNotice?.(message.notice, message.hint);
      else if ('id' in message) this.#settle(message);
    });
    worker.on('error', (cause) => {
      onNotice?.(`The ledger's thread failed: ${cause.message}. Changes are kept in memory only.`, 'Run `herd server restart`.');
      this.#end(new StoreError('failed', `The ledger's thread failed: ${cause.message}.`));
    });
    worker.on('exit', () => this.#end(new StoreError('closed', 'The ledger is closed.')));
  }

  send(
    message: Omit<Extract<ToWorker, { do: 'write' }>, 'id'> | { do: 'ask'; query: QueryName; params: unknown } | { do: 'close' },
  ): Promise<{
    result?: unknown;
    error: StoreError | null;
  }> {
    if (this.#ended) return Promise.resolve({ error: this.#ended });
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#worker.postMessage({ id, ...message });
    });
  }

  /** Ends the thread behind what was sent so far; later calls are refused. */
  async close(): Promise<void> {
    const done = this.send({ do: 'close' });
    this.#ended ??= new StoreError('closed', 'The ledger is closed.');
    await done;
  }

  #settle({ id, result, error }: Extract<ToStore, { id: number }>): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.({ result, error: error ? new StoreError(error.code, error.message, error.hint) : null });
  }

  #end(error: StoreError): void {
    this.#ended ??= error;
    for (const resolve of this.#open.values()) resolve({ error: this.#ended });
    this.#open.clear();
  }
}

function createStore(line: Line, opened: Opened): Store {
  const counters = { ...opened.counters };
  let lastSeq = opened.lastSeq;
  const write = async (changes: Change[]): Promise<Written> => (await line.send({ do: 'write', changes })).error;
  const ask = async <Q extends QueryName>(query: Q, params: Queries[Q]['params']): Promise<Queries[Q]['result']> => {
    const { result, error } = await line.send({ do: 'ask', query, params });
    if (error) throw error;
    return result as Queries[Q]['result'];
  };
  const raiseId = (kind: CounterKind, used: number): Promise<Written> => {
    counters[kind] = Math.max(counters[kind] ?? 0, used);
    return write([{ put: 'counter', kind, last: counters[kind] }]);
  };
  return {
    notices: opened.notices,
    write,
    raiseId,
    async nextId(kind) {
      const id = (counters[kind] ?? 0) + 1;
      await raiseId(kind, id);
      return id;
    },
    workspaces: () => ask('workspaces', {}),
    putWorkspace: (row) => write([{ put: 'workspace', row }]),
    removeWorkspace: (id) => write([{ remove: 'workspace', id }]),
    comments: (workspace) => ask('comments', { workspace }),
    putComment: (row) => write([{ put: 'comment', row }]),
    removeComment: (id) => write([{ remove: 'comment', id }]),
    prompts: (workspace) => ask('prompts', { workspace }),
    putPrompt: (row) => write([{ put: 'prompt', row }]),
    removePrompt: (id) => write([{ remove: 'prompt', id }]),
    receipts: (prompt) => ask('receipts', { prompt }),
    putReceipt: (row) => write([{ put: 'receipt', row }]),
    putStep: (row) => write([{ put: 'step', row }]),
    steps: (prompt) => ask('steps', { prompt }),
    viewed: (workspace) => ask('viewed', { workspace }),
    setViewed: (workspace, path, fingerprint) =>
      write([fingerprint === null ? { remove: 'viewed', workspace, path } : { put: 'viewed', workspace, path, fingerprint }]),
    marks: (workspace, kind) => ask('marks', { workspace, kind }),
    putMark: (row) => write([{ put: 'mark', row }]),
    appendEvent(entry) {
      const event = { seq: ++lastSeq, ...entry };
      return { event, written: write([{ put: 'event', row: event }]) };
    },
    events: async (query) => {
      checkPattern(query.grep);
      return ask('events', query);
    },
    close: () => line.close(),
  };
}

function checkPattern(grep: string | undefined): void {
  if (grep === undefined) return;
  try {
    new RegExp(grep);
  } catch {
    throw new StoreError('failed', `"${grep}" is not a regular expression.`);
  }
}
