// herd send: delivers a prompt and prints the receipt. Refused or undelivered is exit code 1; queued, when asked for, is 0.
import type { AgentState } from '../../model/agent.ts';
import { receiptLine } from '../receipt.ts';
import { textOrInput } from '../standard-input.ts';
import { seconds, states } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const workspace = call.workspace(call.words[0]);
  const until = call.options.wait === undefined ? null : states(call.options.wait as string);
  const timeout = seconds(call.options.timeout, 'timeout');
  const text = await textOrInput(call.words[1]!);
  const link = await call.link();
  const { receipt } = await link.request('prompt.send', {
    workspace,
    text,
    queue: call.options.queue === true,
    force: call.options.force === true || undefined,
  });
  const arrived = receipt.outcome === 'accepted' || receipt.outcome === 'queued';
  let reached: { state: AgentState; at: number } | undefined;
  if (arrived && until) reached = await link.request('agent.wait', { workspace, until, timeout });
  if (call.json) call.out.json({ receipt, ...(reached ? { reached } : {}) });
  else call.out.text(receiptLine(receipt) + (reached ? `\n${reached.state}` : ''));
  return arrived ? 0 : 1;
};
