// A session of made-up workspaces in all states, for tests and pictures of the chrome.
import type { AgentStatus } from '../../src/model/agent.ts';
import type { Workspace } from '../../src/model/workspace.ts';
import { showWorkspace } from '../../src/tui/store/panes.ts';
import { type ClientState, createClientState, takeSession } from '../../src/tui/store/state.ts';

/** Some moment; ages count from here. */
export const NOW = Date.UTC(2026, 0, 15, 12, 41);
const MINUTE = 60_000;

export function sampleStatus(over: Partial<AgentStatus> = {}, minutes = 4): AgentStatus {
  return {
    kind: 'pi',
    state: 'working',
    since: NOW - minutes * MINUTE,
    why: 'its working line is on the screen',
    evidence: [],
    marks: {},
    question: null,
    turn: 1,
    ...over,
  };
}

export function sampleWorkspace(id: number, name: string, agent: AgentStatus, over: Partial<Workspace> = {}): Workspace {
  return {
    id,
    name,
    path: `/home/me/shop-${name}`,
    repository: '/home/me/shop',
    branch: name,
    head: '4f2a91c',
    base: { name: 'main', commit: '4f2a91c0aa' },
    agent,
    conversation: null,
    terminals: [
      {
        id: id * 10,
        workspace: id,
        role: 'agent',
        argv: [agent.kind],
        cols: 66,
        rows: 45,
        title: '',
        cwd: null,
        pid: 1,
        exit: null,
        trouble: null,
      },
    ],
    diff: { files: 0, added: 0, removed: 0, at: NOW },
    comments: { draft: 0, queued: 0, sent: 0, addressed: 0, resolved: 0 },
    queue: 0,
    trouble: null,
    created: NOW,
    ...over,
  };
}

const question: AgentStatus['question'] = {
  id: 'd1',
  kind: 'permission',
  text: 'Run npm test?',
  options: [
    { label: 'Yes', selected: true, keys: ['1'] },
    { label: 'No', selected: false, keys: ['2'] },
  ],
};
const choice: AgentStatus['question'] = {
  id: 'd2',
  kind: 'question',
  text: 'Which format should the feed export?',
  options: [
    { label: 'JSON', selected: true, keys: ['1'] },
    { label: 'CSV', selected: false, keys: ['2'] },
  ],
};

export function sampleWorkspaces(): Workspace[] {
  return [
    sampleWorkspace(1, 'fix-login', sampleStatus({ state: 'blocked', question }, 2), {
      diff: { files: 3, added: 48, removed: 12, at: NOW },
    }),
    sampleWorkspace(2, 'api-v2', sampleStatus({ kind: 'codex', marks: { task: 'migrate v1 calls' } }), {
      diff: { files: 9, added: 210, removed: 0, at: NOW },
    }),
    sampleWorkspace(
      3,
      'docs',
      sampleStatus({ kind: 'claude', state: 'done', marks: { task: 'Rewrote the quick start and fixed two links.' } }, 9),
      { diff: { files: 3, added: 20, removed: 4, at: NOW } },
    ),
    sampleWorkspace(4, 'main', sampleStatus({ state: 'idle' }, 12)),
    sampleWorkspace(5, 'rss', sampleStatus({ kind: 'gemini', state: 'blocked', question: choice }, 0.3), { repository: '/home/me/blog' }),
    sampleWorkspace(6, 'tags', sampleStatus({ kind: 'codex', marks: { stalled: true } }, 9), {
      repository: '/home/me/blog',
      diff: { files: 1, added: 3, removed: 1, at: NOW },
    }),
    sampleWorkspace(
      7,
      'search',
      sampleStatus({ kind: 'claude', state: 'idle', marks: { limit: { kind: 'usage', resets: '15:10' } } }, 33),
      { repository: '/home/me/blog' },
    ),
    sampleWorkspace(8, 'bench', sampleStatus({ kind: 'generic', state: 'exited', exit: { code: 1, signal: null } }, 200), {
      repository: null,
      base: null,
      branch: null,
    }),
  ];
}

export function sampleState(cols: number, rows: number, workspaces = sampleWorkspaces()): ClientState {
  const session = {
    session: 'default',
    version: '0.1.0',
    workspaces,
    selected: workspaces[0]?.id ?? null,
    layouts: {},
    diffs: {},
    drafts: {},
    notices: [],
  };
  const state = takeSession(createClientState(cols, rows, NOW), session, NOW);
  const paths = { 2: ['src/routes.ts', 'src/api.ts'], 3: ['src/routes.ts'] };
  const shown = workspaces[1] ? showWorkspace({ ...state, paths }, workspaces[1].id) : state;
  return { ...shown, zone: cols < 60 ? 'list' : 'panes' };
}
