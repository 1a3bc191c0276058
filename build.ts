// Bundles src/main.ts into dist/: the entry and what a client's first frame needs in one small file, the rest in chunks that a verb loads
// when it needs them, and the worker threads under fixed names. node-pty stays outside. Chunks of earlier builds stay a while: clients and servers that run now still load theirs.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { notices } from './notices.ts';
import pkg from './package.json' with { type: 'json' };
import { translationsOf } from './src/tui/diff/highlight/patterns.ts';

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
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: path.includes('/src/cli/') ? joined(plain(source)) : plain(source), loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/** Gives each grammar its patterns in JavaScript's syntax: see src/tui/diff/highlight/patterns.ts. */
const translateGrammars: Plugin = {
  name: 'translate-grammars',
  setup({ onLoad }) {
    onLoad({ filter: /\/@shikijs\/langs\/dist\/.*\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(/(?<=^const lang = Object\.freeze\(JSON\.parse\()".*"(?=\)\)$)/m, (text) => {
        const grammar = JSON.parse(JSON.parse(text) as string) as object;
        return JSON.stringify(JSON.stringify({ ...grammar, translations: translationsOf(grammar) }));
      });
      if (contents === source && source.includes('JSON.parse')) throw new Error(`${path}: no grammar in it that could be translated`);
      return { contents };
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

/** What every file of the bundle is made with. */
const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"', HERD_VERSION: JSON.stringify(pkg.version) },
} as const;

/** The entry is built alone, so that nothing it needs lies in a chunk: there `import('./cli/run.ts')` names a file beside it. */
const runBeside = (file: string): Plugin => ({
  name: 'run-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/cli\/run\.ts$/ }, () => ({ path: `./${file}`, external: true }));
  },
});

/** For CommonJS in the bundle, made when it is first asked for; the same line in every chunk. */
const REQUIRE =
  "const require = (name) => (require.made ??= process.getBuiltinModule('node:module').createRequire(import.meta.url))(name);";

type Chunk = Metafile['outputs'][string];

/**
 * Makes one file of a chunk and of all that it imports at once, but what earlier joins took: each file more costs a start about half a
 * millisecond. Where the chunks were there is a line that points to it, for those who import one alone; `joins` gets those lines. Returns
 * the file's name; it exports what the chunk did.
 */
async function joinChunks(first: string, chunks: ReadonlyMap<string, Chunk>, joins: Map<string, string>): Promise<string> {
  const taken: string[] = [];
  const take = (name: string): void => {
    if (taken.includes(name) || joins.has(name)) return;
    taken.push(name);
    for (const { kind, path } of chunks.get(name)!.imports) if (kind === 'import-statement' && path.endsWith('.js')) take(basename(path));
  };
  take(first);
  const named = (name: string, at: number) => chunks.get(name)!.exports.map((it) => [it, at === 0 ? it : `join${at}_${it}`] as const);
  const list = (pairs: readonly (readonly [string, string])[]) => pairs.map(([from, to]) => `${from} as ${to}`).join();
  const contents = taken.map((name, at) => `export {${list(named(name, at))}} from './${name}';`).join('\n');
  const plugin: Plugin = {
    name: 'join-chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind }) => {
        const name = basename(path);
        if (kind !== 'import-statement' || !chunks.has(name)) return { path, external: true };
        return joins.has(name) ? { path: name, namespace: 'joined' } : { path: name, namespace: 'chunk' };
      });
      onLoad({ filter: /./, namespace: 'joined' }, ({ path }) => ({ contents: joins.get(path)! }));
      onLoad({ filter: /./, namespace: 'chunk' }, async ({ path }) => {
        const contents = (await readFile(join(fresh, path), 'utf8')).replace(REQUIRE, '');
        return { contents };
      });
    },
  };
  const stdin = { contents, resolveDir: fresh };
  const built = await build({
    ...common,
    stdin,
    banner: { js: REQUIRE },
    write: false,
    external: ['node-pty', 'pg', 'pg-boss'],
    plugins: [plugin],
  });
  const text = built.outputFiles[0]!.text;
  const file = `joined-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`;
  writeFileSync(join(fresh, file), text);
  taken.forEach((name, at) => {
    const pairs = named(name, at).map(([it, exported]) => [exported, it] as const);
    joins.set(name, pairs.length > 0 ? `export{${list(pairs)}}from"./${file}";` : `import"./${file}";`);
    writeFileSync(join(fresh, name), joins.get(name)!);
  });
  return file;
}

mkdirSync('dist', { recursive: true });
const fresh = mkdtempSync('dist/new-');
try {
  const split = { ...common, outdir: fresh, splitting: true, external: ['node-pty', 'pg', 'pg-boss'], banner: { js: REQUIRE } };
  const { metafile } = await build({
    ...split,
    entryPoints: { run: 'src/cli/run.ts' },
    metafile: true,
    plugins: [fastStart],
    alias: { 'react-devtools-core': './src/tui/no-devtools.ts' },
    // Nothing here fetches; Ink's layout engine asks whether it could, and that loads all of node's HTTP client.
    define: { ...common.define, fetch: 'undefined' },
  });
  // Apart: what a thread shares with the rest would lie in a file with all that a client's first frame needs.
  const threads = await build({
    ...split,
    metafile: true,
    entryPoints: { 'store-worker': 'src/store/worker.ts', 'highlight-worker': 'src/tui/diff/highlight/worker.ts' },
    plugins: [fastStart, translateGrammars],
  });
  const chunks = new Map(Object.entries(metafile.outputs).map(([path, chunk]) => [basename(path), chunk]));
  const attach = [...chunks].find(([, { entryPoint }]) => entryPoint === 'src/cli/commands/attach.ts')![0];
  const joins = new Map<string, string>();
  const run = await joinChunks('run.js', chunks, joins);
  await joinChunks(attach, chunks, joins);
  const entry = await build({
    ...common,
    metafile: true,
    entryPoints: ['src/main.ts'],
    outdir: fresh,
    plugins: [runBeside(run), fastStart],
  });
  writeFileSync(join(fresh, 'third-party-licenses.txt'), notices([metafile, threads.metafile, entry.metafile]));
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
