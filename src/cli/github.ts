// Pull requests through GitHub's own `gh`, when it is there: it has the person's login and knows the repository. What it prints is checked
// by the caller; what it refuses is passed on as one sentence.
import { spawn } from 'node:child_process';
import { readObject, readPages } from '../model/review/import.ts';
import { Failure } from './failure.ts';
import { plain } from './output.ts';

/** Bytes taken from gh. */
const OUTPUT_LIMIT = 32 * 1024 * 1024;
/** ms for one call: it talks to the network. */
const PATIENCE = 60_000;

/** The threads of a pull request, page by page; only GraphQL tells which are resolved. */
const THREADS = `query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $endCursor) {
      pageInfo { hasNextPage endCursor }
      nodes { isResolved comments(first: 1) { nodes { databaseId } } }
    }
  } }
}`;
const RESOLVED = '.data.repository.pullRequest.reviewThreads.nodes[] | select(.isResolved) | .comments.nodes[].databaseId';

export interface PullRequest {
  number: number;
  /** Of the repository that it was made to, which a fork's branch is not in. */
  host: string;
  repository: string;
  /** The commit that it shows. */
  head: string;
}

export interface Github {
  /** A pull request by number, or the branch's own. */
  pull(number: number | null): Promise<PullRequest>;
  reviewComments(pull: PullRequest): Promise<string>;
  /** Ids of the comments that began threads which are resolved. */
  resolvedThreads(pull: PullRequest): Promise<number[]>;
  /** Posts a review; with `HTTP 422` when a comment of it stands at no line that the pull request shows. */
  postReview(pull: PullRequest, review: unknown): Promise<{ id: number | null; url: string | null }>;
  /** The comments of a review that was posted, in its order. */
  commentsOf(pull: PullRequest, review: number): Promise<{ id: number; path: string; body: string }[]>;
}

/** gh in the worktree at `cwd`. Rejects with Failure. */
export function github(cwd: string, env: Record<string, string | undefined>): Github {
  const gh = (args: string[], input?: string) => run(args, { cwd, env, input });
  const api = ({ host, repository, number }: PullRequest, more: string[], path: string, input?: string) =>
    gh(
      ['api', '--hostname', host, ...more, `repos/${repository}/pulls/${number}/${path}`, ...(input === undefined ? [] : ['--input', '-'])],
      input,
    );
  return {
    async pull(number) {
      const which = number === null ? [] : [String(number)];
      return readPull(await gh(['pr', 'view', ...which, '--json', 'number,url,headRefOid']));
    },
    reviewComments: (pull) => api(pull, ['--paginate'], 'comments?per_page=100'),
    async resolvedThreads({ host, repository, number }) {
      const [owner, name] = repository.split('/');
      const fields = [`owner=${owner}`, `name=${name}`, `query=${THREADS}`].flatMap((field) => ['--raw-field', field]);
      const words = ['api', 'graphql', '--hostname', host, '--paginate', '--field', `number=${number}`, ...fields, '--jq', RESOLVED];
      return (await gh(words)).split('\n').filter(Boolean).map(Number);
    },
    async postReview(pull, review) {
      const said = readObject(await api(pull, ['--method', 'POST'], 'reviews', JSON.stringify(review)));
      const { id, html_url: url } = said;
      return {
        id: typeof id === 'number' ? id : null,
        url: typeof url === 'string' && /^https:\/\/\S+$/.test(url) ? plain(url) : null,
      };
    },
    async commentsOf(pull, review) {
      const posted = readPages(await api(pull, ['--paginate'], `reviews/${review}/comments?per_page=100`));
      return posted.filter((one): one is { id: number; path: string; body: string } => {
        const { id, path, body } = one as Record<string, unknown>;
        return typeof id === 'number' && typeof path === 'string' && typeof body === 'string';
      });
    },
  };
}

function readPull(json: string): PullRequest {
  const { number, url, headRefOid } = readObject(json);
  const [, host, repository] = /^https:\/\/([\w.-]+(?::\d+)?)\/([\w.-]+\/[\w.-]+)\/pull\/\d+/.exec(String(url)) ?? [];
  if (typeof number !== 'number' || host === undefined || repository === undefined)
    throw new Failure('gh-failed', 'gh said of the pull request what cannot be read.');
  return { number, host, repository, head: typeof headRefOid === 'string' ? headRefOid : '' };
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
    child.once('close', (code, signal) => {
      if (code === 0 && size <= OUTPUT_LIMIT) return resolve(Buffer.concat(out).toString());
      if (size > OUTPUT_LIMIT) return reject(new Failure('gh-failed', `gh printed more than ${OUTPUT_LIMIT >> 20} MB.`));
      if (signal !== null) return reject(new Failure('gh-failed', `gh was ended: it had not answered for ${PATIENCE / 1000} s.`));
      const first = plain(said.trim().split('\n')[0] ?? '').replace(/^gh: /, '') || `exit code ${code}`;
      reject(new Failure('gh-failed', `gh: ${first}`, hintFor(first)));
    });
  });
}

function hintFor(said: string): { hint?: string } {
  if (said.includes('no pull requests found')) return { hint: 'Name one: --pr NUMBER' };
  if (said.includes('HTTP ')) return {};
  return { hint: 'Is this repository on GitHub, and are you logged in (gh auth status)?' };
}
