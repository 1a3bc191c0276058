// Bundles src/main.ts into dist/: one small entry, the rest in chunks that a verb loads when it needs them, and the worker threads
// under fixed names. node-pty stays outside.
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import pkg from './package.json' with { type: 'json' };

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts', 'store-worker': 'src/store/worker.ts', 'highlight-worker': 'src/tui/diff/highlight/worker.ts' },
  outdir: 'dist',
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
chmodSync('dist/main.js', 0o755);
