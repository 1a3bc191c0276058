// herd config check: every fault of config.toml with its file, line and key; exit code 1 when there are any.
import { withOwnKinds } from '../../agents/kinds/own-kinds.ts';
import { faultText, lineOfKey, loadConfig } from '../../config/load.ts';
import { readKeyOverrides } from '../../tui/input/key-overrides.ts';
import { createKeymap } from '../../tui/input/keymap.ts';
import type { RunVerb } from '../verb.ts';

export const check: RunVerb = async (call) => {
  const file = call.paths.config;
  const { config, faults } = loadConfig(file);
  const overrides = readKeyOverrides(config.keys);
  const { problems } = createKeymap(config['ui.prefix'], overrides.keys);
  const deeper = [...withOwnKinds(config['agents.kinds']).faults, ...overrides.problems, ...problems];
  const all = [...faults, ...deeper.map(({ key, message }) => ({ file, line: lineOfKey(file, key), key, message }))];
  if (call.json) call.out.json({ file, faults: all });
  else call.out.text(all.map(faultText).join('\n') || `${file}: no faults`);
  return all.length === 0 ? 0 : 1;
};
