#!/usr/bin/env node
// The entry: checks the node it runs on, shows what can be shown at once, then hands the arguments to cli/run.
import './check-node.ts';
import { VERSION } from './cli/version.ts';
import { openFirst } from './tui/first-frame.ts';

/** Versions of Node whose V8 knows the flags. */
const TRIED = ['22', '23', '24'];

const argv = process.argv.slice(2);
const opening = await openFirst(argv, process.env, VERSION);
optimizeEarly();
keepCompiled(process.env);
const { run } = await import('./cli/run.ts');
await run(argv, opening);

/**
 * Has V8 optimize what is called often sooner than by its own measure of 400 calls, at which the way of a key from the tty through the server
 * and back would be slow code for a person's first lines, and keep it through pauses. Measured: a quarter less time from key to screen.
 */
function optimizeEarly(): void {
  // Names of flags are V8's own: another version may not know them, and would say so on the terminal.
  if (!TRIED.includes(process.versions.node.split('.')[0]!)) return;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['--invocation-count-for-maglev=30', '--minimum-invocations-after-ic-update=30', '--no-flush-bytecode'])
    setFlagsFromString(flag);
}

/** Lets node keep compiled code in a folder of the user's own (under HERD_DIR, or the cache folder): a third of a client's start. */
function keepCompiled({ HERD_DIR, XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const cache = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  const folder = HERD_DIR ? `${HERD_DIR}/cache` : cache && `${cache}/herd`;
  if (folder && !NODE_DISABLE_COMPILE_CACHE) enableCompileCache(folder);
}
