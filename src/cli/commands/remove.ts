// herd remove: first step without --discard, refused by the server when work would be lost; the refusal names what.
import { plain } from '../output.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const result = await link.request('workspace.remove', {
    workspace: call.workspace(call.words[0]),
    discard: call.options.discard === true || undefined,
  });
  if (call.json) return call.out.json(result);
  call.out.text(plain(`removed ${result.removed}`));
  if (result.savedRef) call.out.text(plain(`what was not committed is kept in ${result.savedRef}`));
};
