// The repository that `herd demo` makes and what its three scripted agents do there: data only.

/** One thing a scripted agent does. Times are in seconds at speed 1. */
export type Step =
  | { do: 'think'; text: string; seconds: number }
  | { do: 'say'; text: string }
  /** Replaces `find` in a file of the worktree by `replace`, or writes the file anew when `find` is ''. */
  | { do: 'edit'; path: string; find: string; replace: string }
  /** Asks for approval of a command; its output is printed when it is approved. */
  | { do: 'ask'; question: string; command: string; seconds: number; output: string[] };

export interface Script {
  /** Branch and workspace. */
  name: string;
  /** First prompt, delivered as any prompt is. */
  prompt: string;
  steps: Step[];
  /** Last line of the first turn. */
  answer: string;
}

/** Files of the base commit; enough code that a diff of it reads like one. */
export const REPOSITORY: Record<string, string> = {
  'README.md': '# shop\n\nA small shop: accounts, a catalogue and an API.\n\n## Run\n\n    npm test\n    npm start\n',
  'package.json': '{\n  "name": "shop",\n  "private": true,\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'src/auth/login.js': `import { load } from './session.js';

/** The visitor's session, or a redirect to the login page. */
export async function checkSession(request) {
  const id = request.cookies.session;
  if (!id) return redirect('/login');
  const session = await load(id);
  if (!session) return;
  request.session = session;
  return next(request);
}

export function redirect(location) {
  return { status: 302, headers: { location } };
}

export function next(request) {
  return { status: 200, request };
}
`,
  'src/auth/session.js': `const sessions = new Map();

export function save(id, user) {
  sessions.set(id, { id, user, created: Date.now() });
}

export async function load(id) {
  return sessions.get(id);
}
`,
  'src/routes.js': `import { checkSession } from './auth/login.js';
import { list, show } from './api/v1.js';

export const routes = [
  { path: '/', handler: home },
  { path: '/account', handler: checkSession },
  { path: '/api/v1/products', handler: list },
  { path: '/api/v1/products/:id', handler: show },
];

function home() {
  return { status: 200, body: 'Welcome' };
}
`,
  'src/api/v1.js': `const products = [
  { id: 1, name: 'Kettle', price: 2900 },
  { id: 2, name: 'Teapot', price: 3400 },
];

export function list() {
  return { status: 200, body: products };
}

export function show(request) {
  const product = products.find((p) => p.id === Number(request.params.id));
  return product ? { status: 200, body: product } : { status: 404 };
}
`,
  'docs/api.md': '# API\n\n`GET /api/v1/products` lists all products.\n\n`GET /api/v1/products/:id` shows one.\n',
  'test/login.test.js': `import assert from 'node:assert';
import { test } from 'node:test';
import { checkSession } from '../src/auth/login.js';

test('a visitor without a cookie is sent to the login page', async () => {
  const answer = await checkSession({ cookies: {} });
  assert.equal(answer.headers.location, '/login');
});
`,
};

export const SCRIPTS: Script[] = [
  {
    name: 'fix-login',
    prompt: 'Expired sessions leave visitors on a blank page. Send them to the login page instead, and keep the tests green.',
    steps: [
      { do: 'think', text: 'Reading src/auth', seconds: 3 },
      {
        do: 'say',
        text: 'checkSession returns nothing when the session is gone, so the visitor sees a blank page. I will give sessions a lifetime and send the visitor to the login page.',
      },
      { do: 'think', text: 'Editing src/auth/session.js', seconds: 2 },
      {
        do: 'edit',
        path: 'src/auth/session.js',
        find: 'export async function load(id) {\n  return sessions.get(id);\n}',
        replace: `/** A session lives for a day, in milliseconds. */
const LIFETIME = 24 * 60 * 60 * 1000;

export async function load(id) {
  const session = sessions.get(id);
  if (!session) return;
  return { ...session, expired: Date.now() - session.created > LIFETIME };
}`,
      },
      { do: 'think', text: 'Editing src/auth/login.js', seconds: 3 },
      {
        do: 'edit',
        path: 'src/auth/login.js',
        find: '  if (!session) return;\n',
        replace: "  if (!session || session.expired) {\n    return redirect('/login');\n  }\n",
      },
      {
        do: 'ask',
        question: 'Run this command?',
        command: 'npm test',
        seconds: 2,
        output: ['✔ a visitor without a cookie is sent to the login page (1.2ms)', 'tests 1 · pass 1 · fail 0'],
      },
      { do: 'think', text: 'Reading the results', seconds: 1 },
    ],
    answer: 'Expired and unknown sessions now go to the login page. The tests pass.',
  },
  {
    name: 'api-v2',
    prompt: 'Start a v2 of the product API: prices as { amount, currency }, pages of 20. Keep v1 working.',
    steps: [
      { do: 'think', text: 'Reading src/api', seconds: 4 },
      { do: 'say', text: 'v1 stays as it is; v2 gets its own module and its own routes.' },
      { do: 'think', text: 'Writing src/api/v2.js', seconds: 8 },
      {
        do: 'edit',
        path: 'src/api/v2.js',
        find: '',
        replace: `import { list as all } from './v1.js';

/** Products on a page. */
const PAGE = 20;

const price = (amount) => ({ amount, currency: 'EUR' });

export function list(request) {
  const page = Number(request.query.page ?? 1);
  const products = all().body.map((p) => ({ ...p, price: price(p.price) }));
  return { status: 200, body: products.slice((page - 1) * PAGE, page * PAGE), page };
}
`,
      },
      { do: 'think', text: 'Editing src/routes.js', seconds: 20 },
      {
        do: 'edit',
        path: 'src/routes.js',
        find: "  { path: '/api/v1/products/:id', handler: show },\n",
        replace: "  { path: '/api/v1/products/:id', handler: show },\n  { path: '/api/v2/products', handler: listV2 },\n",
      },
      {
        do: 'edit',
        path: 'src/routes.js',
        find: "from './api/v1.js';\n",
        replace: "from './api/v1.js';\nimport { list as listV2 } from './api/v2.js';\n",
      },
      { do: 'think', text: 'Comparing v1 and v2 answers', seconds: 90 },
    ],
    answer: 'v2 lists products with currency and pages; v1 answers as before.',
  },
  {
    name: 'docs',
    prompt: 'Describe errors and paging in docs/api.md.',
    steps: [
      { do: 'think', text: 'Reading docs/api.md', seconds: 2 },
      {
        do: 'edit',
        path: 'docs/api.md',
        find: 'shows one.\n',
        replace:
          'shows one, or answers 404 when there is none.\n\n## Errors\n\nAn error has a status and no body.\n\n## Paging\n\nLists are not paged in v1.\n',
      },
      { do: 'think', text: 'Reading it once more', seconds: 2 },
    ],
    answer: 'docs/api.md now says what errors look like and that v1 does not page.',
  },
];
