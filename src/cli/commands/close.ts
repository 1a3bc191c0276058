// herd close: ends a workspace's terminals; names processes that would not end.
import { plain } from '../output.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { leftovers } = await link.request('workspace.close', { workspace: call.workspace(call.words[0]) });
  if (call.json) return call.out.json({ leftovers });
  call.out.text('closed');
  for (const { pid, command } of leftovers) call.out.note(plain(`still running: ${pid} ${command}`));
};
