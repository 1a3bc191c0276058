// herd ls: all workspaces; JSON is {workspaces: [W]}. Starts no server: without one there are none.
import { columns } from '../output.ts';
import type { RunVerb } from '../verb.ts';
import { publicWorkspace, workspaceRow } from '../workspace-lines.ts';

export const run: RunVerb = async (call) => {
  const link = await call.running();
  const workspaces = link ? (await link.request('session.state', {})).workspaces : [];
  const now = Date.now();
  if (call.json) call.out.json({ workspaces: workspaces.map((w) => publicWorkspace(w, now)) });
  else if (workspaces.length > 0) call.out.text(columns(workspaces.map((w) => workspaceRow(w, now))));
  else call.out.note('No workspaces. Begin with: herd new BRANCH, in a repository.');
};
