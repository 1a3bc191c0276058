// Ends a process on a node that is too old, with one clear line. Must parse on any old node; imported before all else.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(
    `herd: needs Node 22.22 or newer, this is ${process.versions.node} (${process.execPath}): install a newer Node and start herd with it.\n`,
  );
  process.exit(1);
}
