// herd open: a workspace on a worktree or folder that exists.
import { resolve } from 'node:path';
import { plain } from '../output.ts';
import { place } from '../place.ts';
import type { RunVerb } from '../verb.ts';
import { publicWorkspace } from '../workspace-lines.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { workspace, existed } = await link.request('workspace.open', {
    place: place(call),
    path: resolve(call.cwd, call.words[0]!),
    agent: call.options.agent as string | undefined,
    argv: call.command ?? undefined,
  });
  if (call.json) call.out.json({ ...publicWorkspace(workspace, Date.now()), existed });
  else call.out.text(plain(`${workspace.id}  ${workspace.name}  ${workspace.path}${existed ? '  (was open)' : ''}`));
};
