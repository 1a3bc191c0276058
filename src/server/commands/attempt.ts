// attempt.*: programs without a screen that a batch's runner starts. They live in the holder; the server only finds them by their names.
import { statSync } from 'node:fs';
import type { AttemptFacts } from '../../wire/requests.ts';
import { paneEnvironment } from '../environment.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import type { PlainProgram } from '../terminal-host.ts';
import type { Family } from './handler.ts';

/** What tells attempts from other tagged programs. */
const TAG = 'attempt:';
/** Nobody sees it; programs that ask get an ordinary size. */
const SIZE = { cols: 80, rows: 24 };

export const attemptHandlers: Family<'attempt'> = {
  'attempt.start': async (session, { attempt, place, argv, env = {} }) => {
    const { program, existed } = await startAttempt(session, attempt, place, argv, env);
    return { attempt: attemptFacts(program), existed };
  },
  'attempt.list': (session, { prefix, follow = false }, client) => {
    if (follow) client.runs = true;
    const attempts = session.host.plain().filter((program) => program.tag.startsWith(TAG + prefix));
    return { attempts: attempts.map(attemptFacts) };
  },
  'attempt.end': async (session, { attempt, grace }) => {
    const program = find(session, attempt);
    try {
      if (program) await session.host.kill(program.id, grace);
    } catch (error) {
      // A start that was under way has failed: there is nothing to end.
      if (find(session, attempt)) throw error;
    }
    return {};
  },
  'attempt.forget': async (session, { attempt }) => {
    const program = find(session, attempt);
    if (program && !program.exit) throw new Refusal('running', `The attempt ${attempt} still runs.`);
    if (program) await session.host.forgetPlain(program.id);
    return {};
  },
};

/** As it crosses the socket. */
export function attemptFacts({ tag, pid, started, exit }: PlainProgram): AttemptFacts {
  return { attempt: tag.slice(TAG.length), pid, started, exit };
}

function find(session: Session, attempt: string): PlainProgram | undefined {
  return session.host.plain().find((program) => program.tag === TAG + attempt);
}

async function startAttempt(
  session: Session,
  attempt: string,
  place: { cwd: string; env: Record<string, string> },
  argv: string[],
  env: Record<string, string>,
): Promise<{ program: PlainProgram; existed: boolean }> {
  if (!statSync(place.cwd, { throwIfNoEntry: false })?.isDirectory()) throw new Refusal('no-folder', `There is no folder ${place.cwd}.`);
  const { name, version, paths, herdDir } = session;
  const own = paneEnvironment(place.env, place.cwd, {
    ...{ session: name, workspace: 0, terminal: 0, token: '', herdDir, version },
    ...{ bin: paths.bin, sshAgent: paths.sshAgent },
  });
  // No workspace and no pane is its own: words that ask for one must not find another's.
  const { HERD_WORKSPACE: _, HERD_TOKEN: __, ...rest } = own;
  try {
    return await session.host.spawnPlain({ argv, cwd: place.cwd, env: { ...rest, ...env }, ...SIZE, tag: TAG + attempt });
  } catch (error) {
    throw new Refusal('cannot-start', (error as Error).message);
  }
}
