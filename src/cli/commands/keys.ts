// herd keys: types into a workspace's terminal as a person would: the text as it is, then the named keys.
import { usage } from '../failure.ts';
import { idNumber } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const [word, ...keys] = call.words;
  const text = call.options.text as string | undefined;
  if (text === undefined && keys.length === 0)
    throw usage('herd keys needs --text or a key.', 'For example: herd keys 1 --text hello enter');
  const terminal = call.options.terminal === undefined ? undefined : idNumber(call.options.terminal as string, 'terminal');
  const link = await call.link();
  await link.request('terminal.keys', { workspace: terminal === undefined ? call.workspace(word) : undefined, terminal, text, keys });
  if (call.json) call.out.json({});
};
