#!/usr/bin/env node
// The entry: checks the node it runs on, then hands the arguments to cli/run. Must parse and speak on any old node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(
    `herd: needs Node 22.22 or newer, this is ${process.versions.node} (${process.execPath}): install a newer Node and start herd with it.\n`,
  );
  process.exitCode = 1;
} else {
  keepCompiled(process.env);
  const { run } = await import('./cli/run.ts');
  await run(process.argv.slice(2));
}

/** Lets node keep compiled code in a folder of the user's own (under HERD_DIR, or the cache folder): a third of a client's start. */
function keepCompiled({ HERD_DIR, XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const cache = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  const folder = HERD_DIR ? `${HERD_DIR}/cache` : cache && `${cache}/herd`;
  if (folder && !NODE_DISABLE_COMPILE_CACHE) enableCompileCache(folder);
}
