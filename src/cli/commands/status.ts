// herd status: one workspace in full; JSON is W as in `herd ls --json`.
import type { RunVerb } from '../verb.ts';
import { publicWorkspace, workspaceBlock } from '../workspace-lines.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { workspace } = await link.request('workspace.get', { workspace: call.workspace(call.words[0]) });
  if (call.json) call.out.json(publicWorkspace(workspace, Date.now()));
  else call.out.text(workspaceBlock(workspace, Date.now()));
};
