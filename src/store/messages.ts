// What the store and its thread say to each other.
import type { Change, CounterKind, QueryName } from './rows.ts';
import type { StoreErrorCode } from './store-error.ts';

export interface WorkerStart {
  dir: string;
  now: number;
  maxBytes?: number;
}

export type ToWorker =
  | { id: number; do: 'write'; changes: Change[] }
  | { id: number; do: 'ask'; query: QueryName; params: never }
  | { id: number; do: 'close' };

interface ErrorShape {
  code: StoreErrorCode;
  message: string;
  hint: string | undefined;
}

export type ToStore =
  | { opened: { notices: string[]; counters: Partial<Record<CounterKind, number>>; lastSeq: number } }
  | { refused: ErrorShape }
  | { notice: string; hint: string | undefined }
  | { id: number; result?: unknown; error?: ErrorShape };
