// herd [PATH]: attach to the session, started if need be; with PATH, on the workspace of that folder, opened if need be.
import { basename, resolve } from 'node:path';
import { allow } from '../../config/repository-settings.ts';
import { draw } from '../attach.ts';
import { place } from '../place.ts';
import type { Call, RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const [path] = call.words;
  const workspace = path === undefined ? undefined : await openFolder(call, path);
  const [{ openApp }, { loadConfig, faultText }, { createKeymap }, { readKeyOverrides }] = await Promise.all([
    import('../../tui/app.ts'),
    import('../../config/load.ts'),
    import('../../tui/input/keymap.ts'),
    import('../../tui/input/key-overrides.ts'),
  ]);
  const { config, faults } = loadConfig(call.paths.config);
  const overrides = readKeyOverrides(config.keys);
  const { keymap, problems } = createKeymap(config['ui.prefix'], overrides.keys);
  const face = openApp({
    keymap,
    problems: [
      ...faults.map((fault) => faultText({ ...fault, file: basename(fault.file) })),
      ...[...overrides.problems, ...problems].map(({ key, message }) => `${key} ${message}`),
    ],
    place: place(call),
    theme: config['ui.theme'] as 'auto' | 'dark' | 'light',
    defaultAgent: config['agents.default'],
    allowSetup: (settings) => allow(call.paths.consents, settings, settings.main),
    findAgents: async () => {
      const [{ findAgents }, { withOwnKinds }] = await Promise.all([
        import('../find-agents.ts'),
        import('../../agents/kinds/own-kinds.ts'),
      ]);
      return findAgents(withOwnKinds(config['agents.kinds']).kinds, call.env.PATH ?? '');
    },
    detached: `Detached; the agents go on. Come back with: herd${call.session === 'default' ? '' : ` --session ${call.session}`}`,
    now: Date.now,
  });
  return draw(call, face, { start: true, workspace });
};

async function openFolder(call: Call, path: string): Promise<number> {
  const link = await call.link();
  const { workspace } = await link.request('workspace.open', { place: place(call), path: resolve(call.cwd, path) });
  link.close();
  return workspace.id;
}
