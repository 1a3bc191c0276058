// Pull requests through GitHub's own `gh`, when it is there: it has the person's login and knows the repository. What it prints is checked
// by the caller; what it refuses is passed on as one sentence.
import { spawn } from 'node:child_process';
import { Failure } from './failure.ts';
import { plain } from './output.ts';

/** Bytes taken from gh. */
const OUTPUT_LIMIT = 32 * 1024 * 1024;
/** ms for one call: it talks to the network. */
const PATIENCE = 60_000;

export interface Github {
  /** Number of the branch's open pull request. */
  pullOfBranch(): Promise<number>;
  reviewComments(pull: number): Promise<string>;
  postReview(pull: number, review: unknown): Promise<string | null>;
}

/** gh in the worktree at `cwd`. Rejects with Failure. */
export function github(cwd: string, env: Record<string, string | undefined>): Github {
  const gh = (args: string[], input?: string) => run(args, { cwd, env, input });
  return {
    async pullOfBranch() {
      const number = Number((await gh(['pr', 'view', '--json', 'number', '--jq', '.number'])).trim());
      if (!Number.isInteger(number) || number < 1)
        throw new Failure('no-pull-request', 'This branch has no pull request.', { hint: 'Name one: --pr NUMBER' });
      return number;
    },
    reviewComments: (pull) => gh(['api', '--paginate', `repos/{owner}/{repo}/pulls/${pull}/comments?per_page=100`]),
    async postReview(pull, review) {
      const said = await gh(
        ['api', '--method', 'POST', `repos/{owner}/{repo}/pulls/${pull}/reviews`, '--input', '-'],
        JSON.stringify(review),
      );
      const url = /"html_url":\s*"(https:\/\/[^"\s]+)"/.exec(said)?.[1];
      return url === undefined ? null : plain(url);
    },
  };
}

function run(args: string[], o: { cwd: string; env: Record<string, string | undefined>; input?: string }): Promise<string> {
  const child = spawn('gh', args, { cwd: o.cwd, env: { ...o.env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' }, timeout: PATIENCE });
  const out: Buffer[] = [];
  let size = 0;
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size <= OUTPUT_LIMIT) out.push(bytes);
    else child.kill();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said = `${said}${bytes}`.slice(-2000);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(o.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Failure('no-gh', 'gh is not installed, and pull requests are reached through it.', { hint: 'https://cli.github.com' })
          : new Failure('gh-failed', `gh could not be started: ${error.code}.`, { cause: error }),
      ),
    );
    child.once('close', (code) => {
      if (code === 0 && size <= OUTPUT_LIMIT) return resolve(Buffer.concat(out).toString());
      const first = plain(said.trim().split('\n')[0] ?? '') || `exit code ${code}`;
      reject(new Failure('gh-failed', `gh: ${first}`, { hint: 'Is this repository on GitHub, and are you logged in (gh auth status)?' }));
    });
  });
}
