// prompt.send, list, edit, move, drop, retry.
import type { Family } from './handler.ts';

export const promptHandlers: Family<'prompt'> = {
  'prompt.send': async (session, { workspace, text, queue, later, force }) => ({
    receipt: await session.prompts.send({ workspace: session.workspaces.get(workspace), text, queue, later, force: force ?? false }),
  }),
  'prompt.list': (session, { workspace, all = false }) => {
    const { id } = session.workspaces.get(workspace).row;
    return { prompts: all ? session.prompts.all(id) : session.prompts.of(id) };
  },
  'prompt.edit': async (session, { prompt, text }) => ({ prompt: await session.prompts.edit(prompt, text) }),
  'prompt.move': async (session, { prompt, before }) => ({ prompts: await session.prompts.move(prompt, before) }),
  'prompt.drop': async (session, { prompt }) => ({ prompt: await session.prompts.drop(prompt) }),
  'prompt.retry': async (session, { prompt }) => ({ receipt: await session.prompts.retry(prompt) }),
};
