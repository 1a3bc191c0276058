#!/usr/bin/env node
// The entry: checks the node it runs on, then hands the arguments to cli/run. Must parse and speak on any old node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(
    `herd: needs Node 22.22 or newer, this is ${process.versions.node} (${process.execPath}): install a newer Node and start herd with it.\n`,
  );
  process.exitCode = 1;
} else {
  const { run } = await import('./cli/run.ts');
  await run(process.argv.slice(2));
}
