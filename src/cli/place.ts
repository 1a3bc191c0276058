// What a new pane inherits from the client that asks for it.
import type { ClientPlace } from '../wire/requests.ts';
import type { Call } from './verb.ts';

/** Folder and environment of this process; the server cleans the environment. */
export function place(call: Call): ClientPlace {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.env)) if (value !== undefined) env[name] = value;
  return { cwd: call.cwd, env };
}
