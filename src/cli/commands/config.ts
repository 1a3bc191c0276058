// herd config check: every fault of config.toml with its file, line and key; exit code 1 when there are any. herd config allow: consent
// to the commands of a repository.
import { withOwnKinds } from '../../agents/kinds/own-kinds.ts';
import { faultText, lineOfKey, loadConfig } from '../../config/load.ts';
import { readKeyOverrides } from '../../tui/input/key-overrides.ts';
import { createKeymap } from '../../tui/input/keymap.ts';
import { askConsent, repositorySettings } from '../consent.ts';
import { Failure } from '../failure.ts';
import { plain } from '../output.ts';
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

export const allowSetup: RunVerb = async (call) => {
  const link = await call.link();
  const settings = await repositorySettings(call, link, call.words[0]);
  for (const fault of settings.faults) call.out.note(fault);
  const allowed = settings.setup.length > 0 && (settings.allowed || (await askConsent(call, settings, call.options.yes === true)));
  if (call.json) call.out.json({ ...settings, allowed });
  else if (settings.setup.length === 0) call.out.text(plain(`${settings.main}: its .herd.toml runs no commands.`));
  else if (allowed)
    call.out.text(plain(`Allowed in new worktrees of ${settings.main}:\n${settings.setup.map((s) => `  ${s}`).join('\n')}`));
  if (settings.setup.length > 0 && !allowed) {
    throw new Failure('not-allowed', 'Nothing was allowed.', { hint: 'herd config allow asks again; --yes agrees without a question.' });
  }
};
