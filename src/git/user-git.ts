// git as the user runs it, hooks and filters included: only inside a command the user asked for, and only for writes that print little text.
// simple-git serves here: argument arrays, string results, and its own guard against options that name programs.

import { simpleGit } from 'simple-git';
import { cleanOutput, errorFromStderr, GitError } from './git-error.ts';
import type { Runner } from './run.ts';

/** ms without any output before a user's command counts as hung: a smudge filter may download for minutes. */
const SILENCE_LIMIT = 600_000;

/** Runs one command; its output as text. Rejects with GitError; 'hook-refused' when a hook said no. */
export async function userGit(runner: Runner, cwd: string, args: string[], action: string): Promise<string> {
  await runner.version();
  const env = runner.environment;
  // The variables runner.ts let through or set itself; simple-git would drop them.
  const allowEnvironment = Object.keys(env).filter((k) => /^(GIT_|EDITOR$|VISUAL$|PAGER$|SSH_ASKPASS$|PREFIX$)/.test(k));
  const git = simpleGit({
    baseDir: cwd,
    maxConcurrentProcesses: 1,
    timeout: { block: SILENCE_LIMIT },
    allowEnvironment,
    // Named in the user's own environment, which is theirs to choose; arguments are ours and name no program.
    unsafe: {
      allowUnsafeConfigPaths: true,
      allowUnsafeExec: true,
      allowUnsafeEditor: true,
      allowUnsafePager: true,
      allowUnsafeAskPass: true,
    },
  });
  try {
    return await git.env(env).raw(args);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (/hook (declined|exited)|hook failed|\.husky|pre-commit|commit-msg/i.test(said)) {
      throw new GitError('hook-refused', `${action}: a hook of the repository refused.`, undefined, { said: cleanOutput(said) });
    }
    throw errorFromStderr(action, said, null);
  }
}
