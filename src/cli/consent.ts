// Asks whether the commands of a repository's `.herd.toml` may run in new worktrees, showing them first, and remembers a yes.
import { resolve } from 'node:path';
import { allow } from '../config/repository-settings.ts';
import type { Result } from '../wire/requests.ts';
import { confirm } from './confirm.ts';
import type { Call, Link } from './verb.ts';

export type SetupRequest = Result<'worktree.settings'>;

/** What the repository of `path`, or of the current folder, asks for. */
export function repositorySettings(call: Call, link: Link, path = '.'): Promise<SetupRequest> {
  return link.request('worktree.settings', { repository: resolve(call.cwd, path) });
}

/** True when the user agrees now. Without a terminal nobody is asked, and nothing is agreed to unless `sure`. */
export async function askConsent(call: Call, settings: SetupRequest, sure: boolean): Promise<boolean> {
  if (!sure) {
    if (call.json || !process.stdin.isTTY || !process.stderr.isTTY) return false;
    call.out.note(`In new worktrees, the .herd.toml of ${settings.main} runs:`);
    for (const command of settings.setup) call.out.note(`  ${command}`.replaceAll('\n', '\n    '));
    if (!(await confirm('Allow these commands, until they change?'))) return false;
  }
  allow(call.paths.consents, settings, settings.main);
  return true;
}
