// Waiting for an agent's state, exactly: only states entered after the last delivery count, and while a prompt is still on its way
// none does. Without any delivery the present state counts.
import type { AgentState } from '../../model/agent.ts';
import { Refusal } from '../refusal.ts';
import type { AgentWatch } from './agent-watch.ts';

/** Where deliveries stand: prompts on their way, and the agent's `lastSeq` when the last one was accepted (null: none yet). */
export interface Deliveries {
  pending(): number;
  lastSeq(): number | null;
}

/** The matching state once there is one; null for now. */
export function matchState(watch: AgentWatch, until: AgentState[], deliveries: Deliveries): { state: AgentState; at: number } | null {
  const { status } = watch;
  if (status.state === 'exited') return until.includes('exited') ? { state: 'exited', at: status.since } : null;
  if (deliveries.pending() > 0) {
    // A question that holds the delivery up is news a waiter must get.
    return status.state === 'blocked' && until.includes('blocked') ? { state: 'blocked', at: status.since } : null;
  }
  const since = deliveries.lastSeq();
  if (since === null) return until.includes(status.state) ? { state: status.state, at: status.since } : null;
  const change = watch.changes.find((c) => c.seq > since && until.includes(c.state));
  return change ? { state: change.state, at: change.at } : null;
}

/** Resolves when a state matches; rejects with 'timed-out' after `timeout` ms, 'exited' when the agent ends first, 'closed' with `signal`. */
export async function waitForState(
  watch: AgentWatch,
  until: AgentState[],
  deliveries: Deliveries,
  timeout: number | undefined,
  signal: AbortSignal,
): Promise<{ state: AgentState; at: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ state: AgentState; at: number }>();
  const check = () => {
    const match = matchState(watch, until, deliveries);
    // Who waits for a question wants to read it.
    const early = match?.state === 'blocked' && watch.drawing && !signal.aborted;
    if (match && !early) resolve(match);
    else if (watch.status.state === 'exited') reject(new Refusal('exited', 'The agent has exited.', 'herd read shows its last screen.'));
    else if (signal.aborted) reject(new Refusal('closed', 'The workspace was closed.'));
  };
  const unlisten = watch.listen(check);
  signal.addEventListener('abort', check);
  const timer =
    timeout === undefined
      ? null
      : setTimeout(
          () => reject(new Refusal('timed-out', `Not ${until.join(' or ')} within ${timeout / 1000} s: it is ${watch.status.state}.`)),
          timeout,
        );
  check();
  try {
    return await promise;
  } finally {
    unlisten();
    signal.removeEventListener('abort', check);
    if (timer) clearTimeout(timer);
  }
}
