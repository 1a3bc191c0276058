// Bundles src/main.ts into dist/: one small entry, the rest in chunks that a verb loads when it needs them, and the worker threads
// under fixed names. node-pty stays outside. Chunks of earlier builds stay a while: clients and servers that run now still load theirs.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import pkg from './package.json' with { type: 'json' };

/** How long a chunk of earlier builds stays, ms: longer than a client is left running over upgrades. */
const OLD_STAY = 14 * 24 * 3600 * 1000;
/** For packing: nothing of earlier builds. */
const clean = process.argv.includes('--clean');

/** Verbs that are little but a request and its print. */
const THIN = 'new open close remove rename ls status send queue answer wait read keys explain events log diff comment server session';
/** Dynamic imports of the sources that are one file in the bundle: each file more costs a start about a millisecond. */
const JOINED = new RegExp(
  `import\\('([./]+/(?:link|commands/(?:${THIN.replaceAll(' ', '|')})|tui/(?:start|app|bare-face|input/keymap|input/key-overrides)|config/load)\\.ts)'\\)`,
  'g',
);

/**
 * How herd's own files are read for a fast start: what they take from node's modules is taken by name, for an `import` of one makes a
 * facade of all its exports and runs every lazy getter among them (fs loads fs/promises, util two dozen files); and files are joined.
 */
const fastStart: Plugin = {
  name: 'fast-start',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: path.includes('/src/cli/') ? joined(plain(source)) : plain(source), loader: 'ts' };
    });
  },
};

function plain(source: string): string {
  return source.replace(/^import \{([^}]*)\} from '(node:[\w/]+)';$/gm, (_, names: string, module: string) => {
    const values = names.split(',').filter((name) => name.trim() !== '' && !/^\s*type\s/.test(name));
    return `const {${values.join(',').replaceAll(' as ', ': ')}} = process.getBuiltinModule('${module}');`;
  });
}

function joined(source: string): string {
  const files: string[] = [];
  const text = source.replace(JOINED, (_, file: string) => `joined${files.push(file) - 1}`);
  return files.map((file, i) => `import * as joined${i} from '${file}';`).join('') + text;
}

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
    plugins: [fastStart],
    define: { 'process.env.NODE_ENV': '"production"', HERD_VERSION: JSON.stringify(pkg.version) },
    banner: { js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);" },
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
