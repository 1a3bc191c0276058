// The ledger's thread: takes writes and questions, gathers what has arrived into one transaction, and answers writes only after its
// commit. What could not be saved stays in memory and is tried again with the next write.
import { parentPort, workerData } from 'node:worker_threads';
import { applyChange, prepareStatements, trimEvents } from './apply.ts';
import { type Ledger, openLedger } from './ledger.ts';
import type { ToStore, ToWorker, WorkerStart } from './messages.ts';
import { runQuery } from './query.ts';
import { type Change, rowKey } from './rows.ts';
import { explainFailure, StoreError } from './store-error.ts';

/** Events kept: months of use, about 30 MB. */
const KEEP_EVENTS = 100_000;
/** The log is trimmed once per so many events. */
const TRIM_EVERY = 1_000;
/** Changes kept in memory while nothing can be saved. */
const KEEP_UNSAVED = 20_000;

type Write = Extract<ToWorker, { do: 'write' }>;

function serve(ledger: Ledger, answer: (message: ToStore) => void): (message: ToWorker) => void {
  const sql = prepareStatements(ledger.db);
  let waiting: Write[] = [];
  let unsaved: Change[] = [];
  let failing = false;
  let eventsSinceTrim = 0;

  function flush(): void {
    const writes = waiting;
    waiting = [];
    if (writes.length === 0 && unsaved.length === 0) return;
    const failures = commit(writes);
    for (const write of writes) answer({ id: write.id, error: failures.get(write) });
  }

  /** One transaction for all; each write alone when that fails, so that one bad write does not sink its neighbours. */
  function commit(writes: Write[]): Map<Write, StoreErrorShape> {
    const failure = transaction(newestOf([...unsaved, ...writes.flatMap((write) => write.changes)]));
    if (!failure) {
      unsaved = [];
      failing = false;
      return new Map();
    }
    return failure.code === 'failed' ? commitEach(writes) : keepUnsaved(writes, failure);
  }

  function commitEach(writes: Write[]): Map<Write, StoreErrorShape> {
    const failures = new Map<Write, StoreErrorShape>();
    for (const write of writes) {
      const failure = transaction(write.changes);
      if (failure) failures.set(write, shape(failure));
    }
    return failures;
  }

  function keepUnsaved(writes: Write[], failure: StoreError): Map<Write, StoreErrorShape> {
    unsaved = newestOf([...unsaved, ...writes.flatMap((write) => write.changes)]).slice(-KEEP_UNSAVED);
    if (!failing) answer({ notice: failure.message, hint: failure.hint });
    failing = true;
    return new Map(writes.map((write) => [write, shape(failure)]));
  }

  function transaction(changes: Change[]): StoreError | null {
    try {
      ledger.db.exec('BEGIN IMMEDIATE');
      for (const change of changes) applyChange(sql, change);
      eventsSinceTrim += changes.filter((change) => 'put' in change && change.put === 'event').length;
      if (eventsSinceTrim >= TRIM_EVERY) {
        trimEvents(sql, KEEP_EVENTS);
        eventsSinceTrim = 0;
      }
      ledger.db.exec('COMMIT');
      return null;
    } catch (cause) {
      if (ledger.db.isTransaction) ledger.db.exec('ROLLBACK');
      return explainFailure(cause, ledger.path);
    }
  }

  return (message) => {
    if (message.do === 'write') {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(message);
      return;
    }
    flush();
    if (message.do === 'close') {
      ledger.close();
      answer({ id: message.id });
      parentPort?.close();
      return;
    }
    try {
      answer({ id: message.id, result: runQuery(sql, message.query, message.params) });
    } catch (cause) {
      answer({ id: message.id, error: shape(explainFailure(cause, ledger.path)) });
    }
  };
}

/** Without the changes that a later one of the same row makes void. */
function newestOf(changes: Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) {
    const key = rowKey(change);
    newest.delete(key);
    newest.set(key, change);
  }
  return [...newest.values()];
}

type StoreErrorShape = NonNullable<Extract<ToStore, { id: number }>['error']>;

function shape(error: StoreError): StoreErrorShape {
  return { code: error.code, message: error.message, hint: error.hint };
}

if (parentPort) {
  const port = parentPort;
  const start = workerData as WorkerStart;
  try {
    const ledger = openLedger(start.dir, start.now, start.maxBytes);
    const sql = prepareStatements(ledger.db);
    port.on(
      'message',
      serve(ledger, (message) => port.postMessage(message)),
    );
    port.postMessage({
      opened: { notices: ledger.notices, counters: runQuery(sql, 'counters', {}), lastSeq: runQuery(sql, 'lastSeq', {}) },
    } satisfies ToStore);
  } catch (cause) {
    port.postMessage({ refused: shape(cause instanceof StoreError ? cause : explainFailure(cause, start.dir)) } satisfies ToStore);
  }
}
