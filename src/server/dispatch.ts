// A request from the socket to its handler and back. Parameters are checked here; a handler's fault ends its request only.
import { StoreError } from '../store/store-error.ts';
import type { Json } from '../wire/connection.ts';
import type { Method, WireError } from '../wire/requests.ts';
import type { ClientLink } from './clients.ts';
import type { Handler } from './commands/handler.ts';
import { HANDLERS } from './commands/table.ts';
import { wireError } from './refusal.ts';
import { REQUEST_SHAPES } from './request-shapes.ts';
import { Misfit } from './schema.ts';
import type { Session } from './session.ts';

/** Answers one request; never rejects. `onFault` gets what is a bug of ours. */
export async function dispatch(
  session: Session,
  client: ClientLink,
  request: Json & { id: number },
  onFault: (error: unknown, method: string) => void,
): Promise<void> {
  const method = request.method;
  if (typeof method !== 'string' || !Object.hasOwn(HANDLERS, method)) {
    const error: WireError = {
      code: 'unknown-request',
      message: 'The server does not know this request.',
      hint: 'herd server restart brings it up to date.',
    };
    client.connection.reply(request.id, { error });
    return;
  }
  try {
    const params = REQUEST_SHAPES[method as Method](request.params);
    const carryOut = () => (HANDLERS[method as Method] as Handler<Method>)(session, params, client);
    const result = await session.intake.take(method, carryOut);
    client.connection.reply(request.id, { result });
  } catch (error) {
    // It was cut off by our end, wherever it was: that the link ends says what can be said.
    if (session.intake.closed && error instanceof StoreError && error.code === 'closed') return;
    client.connection.reply(request.id, { error: explain(error, () => onFault(error, method)) });
  }
}

function explain(error: unknown, fault: () => void): WireError {
  if (error instanceof Misfit) return { code: 'usage', message: `${error.message}.` };
  const known = wireError(error);
  if (known) return known;
  fault();
  return { code: 'bug', message: 'The server failed at this by a fault of its own.', hint: 'herd log has what it was; please report it.' };
}
