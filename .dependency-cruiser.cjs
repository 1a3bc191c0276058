// The rooms of src/ and which may import which: arrows point downwards only (ARCHITECTURE.md, "Rooms").
const ROOMS = {
  model: [],
  wire: ['model'],
  compositor: ['model'],
  config: ['model'],
  holder: ['model', 'wire'],
  terminal: ['model'],
  agents: ['model'],
  git: ['model'],
  store: ['model'],
  server: ['model', 'wire', 'compositor', 'config', 'terminal', 'agents', 'git', 'store'],
  tui: ['model', 'wire', 'compositor', 'config'],
  batch: ['model', 'wire', 'config', 'git', 'store'],
  cli: ['model', 'wire', 'config', 'tui', 'server', 'holder', 'batch', 'terminal', 'agents'],
};
const SOLE_USERS = {
  'node-pty': '^src/holder/pty\\.ts$',
  '@xterm/.*': '^src/terminal/',
  'simple-git|chokidar|diff': '^src/git/',
  'node:sqlite': '^src/(store|batch)/',
  'smol-toml': '^src/(config|batch)/',
  yaml: '^src/batch/plan/',
  'pg|pg-boss': '^src/batch/',
  'ink|react|react/jsx-runtime|zustand': '^src/tui/',
  shiki: '^src/tui/diff/',
};

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...Object.entries(ROOMS).map(([room, below]) => ({
      name: `room-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/`, pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/', pathNot: `^src/(${[room, ...below].join('|')})/` },
    })),
    {
      name: 'model-is-pure',
      severity: 'error',
      from: { path: '^src/model/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    ...Object.entries(SOLE_USERS).map(([name, path], i) => ({
      name: `sole-user-${i}`,
      severity: 'error',
      from: { path: '^src/', pathNot: [path, '\\.test\\.tsx?$'] },
      to: { path: `(^|node_modules/)(${name})(/|$)` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
