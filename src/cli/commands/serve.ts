// herd server --session NAME: becomes the server of a session. Started by the holder; people need it only to look for faults.

import { realpathSync } from 'node:fs';
import { optimizeThoroughly } from '../../config/engine.ts';
import { Failure } from '../failure.ts';
import { keepHeapSmall } from '../small-heap.ts';
import type { RunVerb } from '../verb.ts';
import { VERSION } from '../version.ts';

export const run: RunVerb = async ({ session, paths, env, options }) => {
  optimizeThoroughly();
  keepHeapSmall();
  const { serve } = await import('../../server/main.ts');
  const quarantine = String(options.quarantine ?? '')
    .split(',')
    .filter(Boolean)
    .map(Number);
  const program = { node: process.execPath, main: realpathSync(process.argv[1]!) };
  const { wireError } = await import('../../server/refusal.ts');
  await serve({ session, version: VERSION, paths, env, quarantine, program }).catch((error) => {
    const known = wireError(error);
    throw known ? new Failure(known.code, known.message, { hint: known.hint }) : error;
  });
};
