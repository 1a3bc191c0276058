// herd wait: until a state that is newer than the last delivery; exit code 3 when the time is over.
import { usage } from '../failure.ts';
import { seconds, states } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  if (call.options.until === undefined) throw usage('herd wait needs --until.', 'For example: herd wait fix-login --until done,blocked');
  const until = states(call.options.until as string);
  const timeout = seconds(call.options.timeout, 'timeout');
  const link = await call.link();
  const reached = await link.request('agent.wait', { workspace: call.workspace(call.words[0]), until, timeout });
  if (call.json) call.out.json(reached);
  else call.out.text(reached.state);
};
