// What delivers a prompt into an agent's terminal, as the queue sees it.
import type { DeliveryOutcome, Prompt } from '../../model/review/comment.ts';
import type { LiveTerminal } from './terminals.ts';

export interface Delivered {
  /** 'refused': nothing was written. 'undelivered': something may have been. */
  outcome: Exclude<DeliveryOutcome, 'queued'>;
  reason?: string;
  /** Turn that it began, and the agent's `lastSeq` right before it was submitted. */
  turn?: number;
  seq?: number;
}

/** Goes on from the last step that the ledger has of the prompt. Never rejects for what the agent or a person does. */
export type Deliverer = (terminal: LiveTerminal, prompt: Prompt) => Promise<Delivered>;
