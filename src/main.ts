#!/usr/bin/env node
// The entry: checks the node it runs on, shows what can be shown at once, then hands the arguments to cli/run.
import './check-node.ts';
import { VERSION } from './cli/version.ts';
import { optimizeEarly } from './config/engine.ts';
import { openFirst } from './tui/first-frame.ts';

const argv = process.argv.slice(2);
const opening = await openFirst(argv, process.env, VERSION);
optimizeEarly();
keepCompiled(process.env);
const { run } = await import('./cli/run.ts');
await run(argv, opening);

/** Lets node keep compiled code in a folder of the user's own (under HERD_DIR, or the cache folder): a third of a client's start. */
function keepCompiled({ HERD_DIR, XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const cache = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  const folder = HERD_DIR ? `${HERD_DIR}/cache` : cache && `${cache}/herd`;
  if (folder && !NODE_DISABLE_COMPILE_CACHE) enableCompileCache(folder);
}
