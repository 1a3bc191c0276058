// herd run: one terminal that runs a command here. In a session of its own it is shown alone, and its exit code is ours.
import { randomBytes } from 'node:crypto';
import { sessionPaths } from '../../config/paths.ts';
import { attachTerminal } from '../attach.ts';
import { usage } from '../failure.ts';
import { connectLink } from '../link.ts';
import { place } from '../place.ts';
import type { Call, RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  if (!call.command) throw usage('herd run needs a command.', 'For example: herd run -- npm test');
  const { detach } = call.options;
  // A pane's own session is not meant: `herd run` in a pane is a session beside it.
  const named = call.options.session !== undefined;
  const session = named ? call.session : `run-${randomBytes(3).toString('hex')}`;
  const paths = sessionPaths(session, call.env);
  const link = (await connectLink(paths, 'start'))!;
  const { workspace, terminal } = await link.request('workspace.run', {
    place: place(call),
    argv: call.command,
    agent: call.options.agent as string | undefined,
    ephemeral: !named || undefined,
    ...(detach ? {} : ownSize()),
  });
  if (detach) {
    link.close();
    return printIds(call, session, workspace.id, terminal);
  }
  // The link stays until the client has attached: a program that ends at once takes its session with it only then.
  return attachTerminal({ ...call, session, paths }, terminal).finally(() => link.close());
};

function printIds(call: Call, session: string, workspace: number, terminal: number): void {
  if (call.json) call.out.json({ session, workspace, terminal });
  else call.out.text(`${session} ${workspace}`);
}

function ownSize(): { cols?: number; rows?: number } {
  const { columns, rows } = process.stdout;
  return columns > 0 && rows > 0 ? { cols: columns, rows } : {};
}
