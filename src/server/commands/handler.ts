// What a request's handler is: gets the session, checked parameters and the asking client; returns the result or throws a Refusal.
import type { Method, Params, Result } from '../../wire/requests.ts';
import type { ClientLink } from '../clients.ts';
import type { Session } from '../session.ts';

export type Handler<M extends Method> = (session: Session, params: Params<M>, client: ClientLink) => Result<M> | Promise<Result<M>>;

/** Handlers of the methods of one family: 'workspace', 'comment', … A missing one is a compile error. */
export type Family<F extends string> = { [M in Extract<Method, `${F}.${string}`>]: Handler<M> };
