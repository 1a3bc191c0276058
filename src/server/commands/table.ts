// Every request and its handler.
import type { Method } from '../../wire/requests.ts';
import { agentHandlers } from './agent.ts';
import { attemptHandlers } from './attempt.ts';
import { batchHandlers } from './batch.ts';
import { changesetHandlers, commitHandlers, hunkHandlers } from './changeset.ts';
import { clientHandlers, draftHandlers, layoutHandlers, viewHandlers } from './client.ts';
import { commentHandlers } from './comment.ts';
import { eventHandlers } from './events.ts';
import type { Handler } from './handler.ts';
import { pictureHandlers } from './picture.ts';
import { promptHandlers } from './prompt.ts';
import { serverHandlers, sessionHandlers } from './server.ts';
import { terminalHandlers } from './terminal.ts';
import { workspaceHandlers } from './workspace.ts';
import { worktreeHandlers } from './worktree.ts';

export const HANDLERS: { [M in Method]: Handler<M> } = {
  ...sessionHandlers,
  ...serverHandlers,
  ...eventHandlers,
  ...clientHandlers,
  ...draftHandlers,
  ...layoutHandlers,
  ...viewHandlers,
  ...workspaceHandlers,
  ...worktreeHandlers,
  ...terminalHandlers,
  ...pictureHandlers,
  ...attemptHandlers,
  ...batchHandlers,
  ...agentHandlers,
  ...promptHandlers,
  ...changesetHandlers,
  ...hunkHandlers,
  ...commitHandlers,
  ...commentHandlers,
};
