// herd [PATH]: attach to the session, started if need be; with PATH, on the workspace of that folder, opened if need be.
import { resolve } from 'node:path';
import { attachTerminal } from '../attach.ts';
import { Failure } from '../failure.ts';
import { place } from '../place.ts';
import type { Call, RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const [path] = call.words;
  const workspace = path === undefined ? undefined : await openFolder(call, path);
  const link = await call.link();
  const { workspaces } = await link.request('session.state', {});
  link.close();
  const shown = workspaces.find((w) => w.id === workspace) ?? workspaces[0];
  const terminal = shown?.terminals[0];
  if (!terminal)
    throw new Failure('empty', 'The session has no workspaces yet.', { hint: 'Begin with: herd new BRANCH, in a repository.' });
  return attachTerminal(call, terminal.id);
};

async function openFolder(call: Call, path: string): Promise<number> {
  const link = await call.link();
  const { workspace } = await link.request('workspace.open', { place: place(call), path: resolve(call.cwd, path) });
  link.close();
  return workspace.id;
}
