// herd new: worktree, branch, workspace, agent; with a first prompt if given.
import { askConsent, repositorySettings } from '../consent.ts';
import { plain } from '../output.ts';
import { place } from '../place.ts';
import { textOrInput } from '../standard-input.ts';
import type { Call, Link, RunVerb } from '../verb.ts';
import { publicWorkspace } from '../workspace-lines.ts';

export const run: RunVerb = async (call) => {
  const { options, words, command } = call;
  const prompt = options.prompt === undefined ? undefined : await textOrInput(options.prompt as string);
  const link = await call.link();
  await askAboutSetup(call, link);
  const { workspace, notes } = await link.request('workspace.new', {
    place: place(call),
    repository: options.repo as string | undefined,
    branch: words[0],
    base: options.base as string | undefined,
    agent: options.agent as string | undefined,
    argv: command ?? undefined,
    prompt,
    noAgent: options['no-agent'] === true || undefined,
  });
  for (const note of notes) call.out.note(note);
  if (call.json) call.out.json(publicWorkspace(workspace, Date.now()));
  else call.out.text(plain(`${workspace.id}  ${workspace.name}  ${workspace.path}`));
};

/** The question comes before the worktree is made; where it cannot be asked, the server runs nothing and says so. */
async function askAboutSetup(call: Call, link: Link): Promise<void> {
  if (call.json || !process.stdin.isTTY) return;
  const settings = await repositorySettings(call, link, call.options.repo as string | undefined).catch(() => null);
  if (settings && settings.setup.length > 0 && !settings.allowed) await askConsent(call, settings, false);
}
