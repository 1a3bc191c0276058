// herd config check: every fault of config.toml with its file, line and key; exit code 1 when there are any.
import { faultText, loadConfig } from '../../config/load.ts';
import type { RunVerb } from '../verb.ts';

export const check: RunVerb = async (call) => {
  const { faults } = loadConfig(call.paths.config);
  if (call.json) call.out.json({ file: call.paths.config, faults });
  else call.out.text(faults.map(faultText).join('\n') || `${call.paths.config}: no faults`);
  return faults.length === 0 ? 0 : 1;
};
