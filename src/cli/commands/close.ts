// herd close: ends a workspace's terminals; names processes that would not end.
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { leftovers, comments } = await link.request('workspace.close', { workspace: call.workspace(call.words[0]) });
  if (call.json) return call.out.json({ leftovers, comments });
  call.out.text('closed');
  if (comments > 0) call.out.note(`${comments} ${comments === 1 ? 'comment waits' : 'comments wait'} for the worktree to be opened again`);
  for (const { pid, command } of leftovers) call.out.note(`still running: ${pid} ${command}`);
};
