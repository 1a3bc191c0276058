// herd hook KIND: run by an agent's own hook inside a pane, with the event as JSON on standard input. Tells the server; whatever goes wrong,
// the agent is not bothered: no output, exit code 0.
import { textOrInput } from '../standard-input.ts';
import type { RunVerb } from '../verb.ts';

/** Names that agents give the same thing. */
interface HookEvent {
  hook_event_name?: unknown;
  session_id?: unknown;
  sessionId?: unknown;
  agent_id?: unknown;
}

/** ms that a server that is coming up gets: the agent waits for its hook. */
const COMING = 2000;

export const run: RunVerb = async (call) => {
  const terminal = Number(call.env.HERD_TERMINAL);
  const token = call.env.HERD_TOKEN;
  if (!Number.isSafeInteger(terminal) || !token) return;
  try {
    const event = JSON.parse(await textOrInput('-')) as HookEvent;
    const link = await call.running({ within: COMING });
    await link?.request('agent.report', { terminal, token, seq: Date.now(), ...report(event) });
    link?.close();
  } catch {
    // The agent waits for its hook and shows what it says: a server that does not come up is no news for it.
  }
};

/** What herd is told of an event; no state where it is only about the conversation. */
export function report(event: HookEvent): { state: string; session?: string; child?: string } {
  const name = String(event.hook_event_name ?? '');
  const session = text(event.session_id) ?? text(event.sessionId);
  const child = text(event.agent_id);
  if (/^subagent/i.test(name)) return { state: /start$/i.test(name) ? 'working' : 'done', child: child ?? 'sub-agent' };
  return { state: '', ...(session === undefined ? {} : { session }) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 128) : undefined;
}
