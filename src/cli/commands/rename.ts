// herd rename: another name for a workspace.
import { plain } from '../output.ts';
import type { RunVerb } from '../verb.ts';
import { publicWorkspace } from '../workspace-lines.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { workspace } = await link.request('workspace.rename', { workspace: call.workspace(call.words[0]), name: call.words[1]! });
  if (call.json) call.out.json(publicWorkspace(workspace, Date.now()));
  else call.out.text(plain(`${workspace.id}  ${workspace.name}`));
};
