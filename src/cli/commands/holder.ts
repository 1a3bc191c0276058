// `herd holder --session NAME`: the process that holds a session's terminals; started by whoever needs the session first.
import { optimizeThoroughly, SERVER_ARGUMENTS } from '../../config/engine.ts';
import { securePrivateDir } from '../../config/paths.ts';
import { runHolder } from '../../holder/main.ts';
import { ownProgram } from '../start.ts';
import type { RunVerb } from '../verb.ts';
import { VERSION } from '../version.ts';

export const run: RunVerb = async ({ session, paths, env }) => {
  optimizeThoroughly();
  securePrivateDir(paths.runtime);
  securePrivateDir(paths.state);
  await runHolder({
    session,
    version: VERSION,
    runtime: paths.runtime,
    holderSocket: paths.holderSocket,
    token: paths.token,
    serverLog: paths.log,
    program: ownProgram(SERVER_ARGUMENTS),
    env: { ...env, HERD_SESSION: session },
  });
};
