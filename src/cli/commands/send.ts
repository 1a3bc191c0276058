// herd send: delivers a prompt to one workspace's agent or to several, and prints a receipt for each. Refused or undelivered anywhere is exit
// code 1; queued, when asked for, is 0.
import type { AgentState } from '../../model/agent.ts';
import type { Receipt } from '../../model/review/comment.ts';
import type { WorkspaceRef } from '../../wire/requests.ts';
import { Failure } from '../failure.ts';
import { plain } from '../output.ts';
import { receiptLine } from '../receipt.ts';
import { textOrInput } from '../standard-input.ts';
import { seconds, states } from '../values.ts';
import type { Call, Link, RunVerb } from '../verb.ts';

interface Sent {
  workspace: WorkspaceRef;
  receipt?: Receipt;
  reached?: { state: AgentState; at: number };
  error?: { code: string; message: string };
}

export const run: RunVerb = async (call) => {
  const until = call.options.wait === undefined ? null : states(call.options.wait as string);
  const timeout = seconds(call.options.timeout, 'timeout');
  const text = await textOrInput(call.words[1]!);
  const link = await call.link();
  const targets = await targetsOf(link, call, call.words[0]!);
  const [only] = targets;
  if (targets.length === 1) return printOne(call, await sendTo(link, call, only!, text, until, timeout));
  const sent = await Promise.all(
    targets.map((workspace) => sendTo(link, call, workspace, text, until, timeout).catch((error) => failed(workspace, error))),
  );
  if (call.json) call.out.json({ sent });
  else
    call.out.text(
      sent.map(({ workspace, error, ...one }) => `${plain(String(workspace))}: ${error ? plain(error.message) : lineOf(one)}`).join('\n'),
    );
  return sent.every(arrived) ? 0 : 1;
};

/** One workspace, or several with commas between; a name that holds a comma itself is one. */
async function targetsOf(link: Link, call: Call, word: string): Promise<WorkspaceRef[]> {
  if (!word.includes(',')) return [call.workspace(word)];
  const { workspaces } = await link.request('session.state', {});
  if (workspaces.some(({ name, branch }) => name === word || branch === word)) return [call.workspace(word)];
  const parts = word.split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== '').map((part) => call.workspace(part)))];
}

async function sendTo(
  link: Link,
  call: Call,
  workspace: WorkspaceRef,
  text: string,
  until: AgentState[] | null,
  timeout: number | undefined,
): Promise<Sent> {
  const force = call.options.force === true || undefined;
  const later = call.options.later === true || undefined;
  const { receipt } = await link.request('prompt.send', { workspace, text, queue: call.options.queue === true, later, force });
  if (!until || !arrived({ workspace, receipt })) return { workspace, receipt };
  return { workspace, receipt, reached: await link.request('agent.wait', { workspace, until, timeout }) };
}

function printOne(call: Call, sent: Sent): number {
  const { receipt, reached } = sent;
  if (call.json) call.out.json({ receipt, ...(reached ? { reached } : {}) });
  else call.out.text(lineOf(sent));
  return arrived(sent) ? 0 : 1;
}

function lineOf({ receipt, reached }: Pick<Sent, 'receipt' | 'reached'>): string {
  return receiptLine(receipt!) + (reached ? `\n${reached.state}` : '');
}

function arrived({ receipt, error }: Sent): boolean {
  return error === undefined && (receipt?.outcome === 'accepted' || receipt?.outcome === 'queued');
}

function failed(workspace: WorkspaceRef, error: unknown): Sent {
  if (!(error instanceof Failure)) throw error;
  return { workspace, error: { code: error.code, message: error.message } };
}
