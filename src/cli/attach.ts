// Becomes a drawing client of a session: of one terminal alone, or of the whole session. The one place where verbs meet the tui.
import type { OpenFace } from '../tui/face.ts';
import { ConnectionError } from '../wire/connection.ts';
import type { WorkspaceRef } from '../wire/requests.ts';
import { Failure } from './failure.ts';
import { asFailure } from './link.ts';
import { place } from './place.ts';
import { keepHeapSmall } from './small-heap.ts';
import { connectComing, connectStarting, continueRunning, ownProgram } from './start.ts';
import type { Call } from './verb.ts';
import { VERSION } from './version.ts';

/** Chord before `d`, unless config says otherwise. */
const PREFIX = 'ctrl+b';

/** A session of `herd run` is not started again; its server is back within this time, ms, or not at all. */
const GIVE_UP_AFTER = 10_000;

/** One terminal without chrome; returns the exit code of its program, 0 when detached. */
export async function attachTerminal(call: Call, terminal: number): Promise<number> {
  const { bareFace } = await import('../tui/bare-face.ts');
  const detached = `Detached; the program runs on. Come back with: herd --session ${call.session}`;
  // The session ends with its program: it is not started again for a client that lost it.
  return draw(call, bareFace({ terminal, prefix: PREFIX, detached }), { start: false });
}

/** Draws until the client leaves; prints what it has to say. Throws Failure. */
export async function draw(call: Call, openFace: OpenFace, o: { start: boolean; workspace?: WorkspaceRef }): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Failure('no-terminal', 'Attaching needs a terminal.', { hint: 'From a script, use the verbs: herd --help' });
  }
  keepHeapSmall();
  const [{ runClient }, { Tty }] = await Promise.all([import('../tui/start.ts'), import('../tui/tty.ts')]);
  const { opening } = call;
  let opened = opening?.socket;
  try {
    opening?.release();
    const ending = await runClient({
      connect: async (handlers) => {
        const options = { ...handlers, version: VERSION };
        const socket = opened;
        opened = undefined;
        const early = socket && (await continueRunning(socket, call.paths, options));
        if (early) return early;
        if (o.start) return connectStarting(call.paths, options, ownProgram(), process.env);
        const client = await connectComing(call.paths, options, GIVE_UP_AFTER);
        if (client) return client;
        throw new ConnectionError({ code: 'connection-failed', message: `Session ${call.session} has ended.` });
      },
      giveUpAfter: o.start ? undefined : GIVE_UP_AFTER,
      openFace,
      place: place(call),
      workspace: o.workspace,
      tty: opening?.tty ?? new Tty(process.stdin, 1),
      painted: opening?.painted,
      env: process.env,
    });
    if (ending.message) call.out.note(ending.message);
    return ending.code;
  } catch (error) {
    throw asFailure(error);
  }
}
