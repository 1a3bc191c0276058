// batch.*: what runners tell about their batches goes to everybody who looks; what people ask of a batch goes to its runner.
import type { Family } from './handler.ts';

export const batchHandlers: Family<'batch'> = {
  'batch.publish': (session, change, client) => {
    session.batches.publish(change, client);
    return {};
  },
  'batch.list': (session) => ({ batches: session.batches.list() }),
  'batch.ask': (session, { key, ask, task }) => {
    session.batches.ask(key, ask, task ?? null);
    return {};
  },
};
