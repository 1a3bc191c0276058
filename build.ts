// Bundles src/main.ts into dist/: one small entry, the rest in chunks that a verb loads when it needs them, and the worker threads
// under fixed names. node-pty stays outside. Chunks of earlier builds stay a while: clients and servers that run now still load theirs.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import pkg from './package.json' with { type: 'json' };

/** How long a chunk of earlier builds stays, ms: longer than a client is left running over upgrades. */
const OLD_STAY = 14 * 24 * 3600 * 1000;
/** For packing: nothing of earlier builds. */
const clean = process.argv.includes('--clean');

mkdirSync('dist', { recursive: true });
const fresh = mkdtempSync('dist/new-');
try {
  await build({
    entryPoints: { main: 'src/main.ts', 'store-worker': 'src/store/worker.ts', 'highlight-worker': 'src/tui/diff/highlight/worker.ts' },
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    external: ['node-pty', 'pg', 'pg-boss'],
    alias: { 'react-devtools-core': './src/tui/no-devtools.ts' },
    define: { 'process.env.NODE_ENV': '"production"', HERD_VERSION: JSON.stringify(pkg.version) },
    banner: { js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);" },
  });
  chmodSync(join(fresh, 'main.js'), 0o755);
  const built = readdirSync(fresh).sort((a, b) => Number(a === 'main.js') - Number(b === 'main.js'));
  // The entry last: whoever starts meanwhile finds all that it names.
  for (const name of built) renameSync(join(fresh, name), join('dist', name));
  for (const name of readdirSync('dist')) {
    const old = clean || Date.now() - statSync(join('dist', name)).mtimeMs > OLD_STAY;
    if (old && !built.includes(name)) rmSync(join('dist', name), { recursive: true, force: true });
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
