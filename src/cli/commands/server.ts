// herd server status, ping, pid, restart, stop. None of them starts a server that is not there.

import { isLive } from '../../wire/socket-file.ts';
import { confirm } from '../confirm.ts';
import { Failure } from '../failure.ts';
import { age, columns } from '../output.ts';
import type { Call, Link, RunVerb } from '../verb.ts';

/** Failures of a server that is there and cannot be asked, or that ended while it was. */
const UNSPEAKABLE = ['version-mismatch', 'silent', 'no-server', 'unanswered'];

export const status: RunVerb = async (call) => {
  const server = await (await runningServer(call)).request('server.status', {});
  if (call.json) return call.out.json(server);
  call.out.text(
    columns([
      ['session', server.session],
      ['server', `herd ${server.version}, pid ${server.pid}, up ${age(Date.now() - server.started)}`],
      ['holder', `herd ${server.holder.version}, pid ${server.holder.pid}`],
      ['clients', String(server.clients)],
      ['terminals', `${server.terminals}, ${server.agents} with agents`],
      ...(server.quarantined.length > 0 ? [['quarantined', server.quarantined.join(', ')]] : []),
    ]),
  );
};

export const ping: RunVerb = async (call) => {
  await (await runningServer(call)).request('server.status', {});
  if (call.json) call.out.json({ ok: true });
};

export const pid: RunVerb = async (call) => {
  const server = await (await runningServer(call)).request('server.status', {});
  if (call.json) call.out.json({ pid: server.pid });
  else call.out.text(String(server.pid));
};

/** Goes by the holder when the server cannot be spoken to: another version, hung, or dying again and again. */
export const restart: RunVerb = async (call) => {
  const before = await speak(async () => {
    const link = await call.running('now');
    if (!link) return null;
    const { pid: old } = await link.request('server.status', {});
    await link.request('server.restart', {});
    await link.closed;
    return old;
  });
  if (before === null) {
    const { restartServer } = await import('../holder-requests.ts');
    if (!(await restartServer(call.paths))) throw noServer(call);
  }
  const after = (await (await call.link()).request('server.status', {})).pid;
  if (call.json) call.out.json({ before, pid: after });
  else call.out.text(before === null ? `server ${after} was started` : `server ${before} gave way to ${after}`);
};

export const stop: RunVerb = async (call) => {
  const link = await call.running('now');
  const stopped = link ? await stopServer(call, link) : null;
  if (stopped === null) {
    const { stopHolder } = await import('../holder-requests.ts');
    const held = await stopHolder(call.paths);
    if (call.json) call.out.json({ stopped: held });
    else call.out.note(held ? 'The session had no server; its terminals were ended.' : `No session ${call.session} runs.`);
    return 0;
  }
  if (call.json) call.out.json({ stopped: true });
};

/** Time for the holder to end after its server, ms. */
const HOLDER_END = 3000;

/** Asks when agents live and a person is there to answer, then ends the session. Null when there is no server that could do it any more. */
export async function stopServer(call: Call, link: Link): Promise<true | null> {
  const agents = await speak(async () => (await link.request('server.status', {})).agents);
  if (agents === null) return null;
  if (agents > 0 && call.options.yes !== true && process.stdin.isTTY && process.stderr.isTTY) {
    const sure = await confirm(`${agents} ${agents === 1 ? 'agent lives' : 'agents live'} in session ${call.session}. End them?`);
    if (!sure) throw new Failure('kept', 'Nothing was ended.');
  }
  if ((await speak(() => link.request('server.stop', { force: true }))) === null) return null;
  await link.closed;
  // The holder goes last: until then the session would seem to be there.
  const deadline = performance.now() + HOLDER_END;
  while ((await isLive(call.paths.holderSocket)) && performance.now() < deadline) await new Promise((done) => setTimeout(done, 20));
  return true;
}

/** What is done with a server; null when it cannot be spoken to. */
async function speak<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Failure && UNSPEAKABLE.includes(error.code)) return null;
    throw error;
  }
}

async function runningServer(call: Call): Promise<Link> {
  const link = await call.running();
  if (!link) throw noServer(call);
  return link;
}

function noServer(call: Call): Failure {
  return new Failure('no-server', `No server runs for session ${call.session}.`, { hint: 'Start it with: herd' });
}
