// herd server --session NAME: becomes the server of a session. Started by the holder; people need it only to look for faults.
import { realpathSync } from 'node:fs';
import type { RunVerb } from '../verb.ts';
import { VERSION } from '../version.ts';

export const run: RunVerb = async ({ session, paths, env, options }) => {
  const { serve } = await import('../../server/main.ts');
  const quarantine = String(options.quarantine ?? '')
    .split(',')
    .filter(Boolean)
    .map(Number);
  const program = { node: process.execPath, main: realpathSync(process.argv[1]!) };
  await serve({ session, version: VERSION, paths, env, quarantine, program });
};
