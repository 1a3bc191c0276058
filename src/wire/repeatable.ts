// Which requests may be made a second time when the server ended before it answered the first: those that change nothing that lasts, and
// those that set something to what is said, where doing it twice comes to the same. All others would be done twice.
import type { Method } from './requests.ts';

const REPEATABLE: ReadonlySet<string> = new Set<Method>([
  ...([
    'session.state',
    'session.reset',
    'layout.save',
    'draft.keep',
    'server.status',
    'server.stop',
    'events.follow',
    'events.log',
  ] as const),
  ...(['workspace.open', 'workspace.rename', 'workspace.get', 'workspace.look', 'worktree.settings', 'worktree.list'] as const),
  ...(['terminal.read', 'terminal.text', 'terminal.dump', 'terminal.search'] as const),
  ...(['attempt.start', 'attempt.list', 'attempt.end', 'attempt.forget', 'batch.publish', 'batch.list'] as const),
  ...(['agent.explain', 'agent.wait', 'agent.report', 'prompt.list', 'prompt.edit'] as const),
  ...(['changeset.get', 'changeset.file', 'changeset.lines', 'changeset.base', 'changeset.viewed'] as const),
  ...(['changeset.commits', 'changeset.moved', 'changeset.patch'] as const),
  ...(['comment.list', 'comment.edit', 'comment.source', 'comment.preview'] as const),
]);

/** Asking twice comes to the same as asking once. */
export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method);
}
