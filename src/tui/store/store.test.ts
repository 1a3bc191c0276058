import { describe, expect, it } from 'vitest';
import { NOW, sampleState, sampleStatus, sampleWorkspace, sampleWorkspaces } from '../../../test/support/sample-session.ts';
import type { BatchColumn, BatchRow, BatchSummary } from '../../model/batch.ts';
import type { Prompt } from '../../model/review/comment.ts';
import type { TerminalFacts } from '../../model/workspace.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import { type PaneTree, panesOf } from '../layout.ts';
import { layoutOf } from '../present.ts';
import { attentionQueue, groupByRepository, lookOf, nextNeedy, overlaps, repositoryName, rollUp } from './attention.ts';
import { takeEvent, taskUnder } from './events.ts';
import { dropPane, firstArrangement, neighbour, restorePanes, setRatio, splitAround, splitPane } from './panes.ts';
import { type ClientState, takeSession } from './state.ts';

const shell = (id: number, workspace: number): TerminalFacts => ({
  ...sampleWorkspaces()[0]!.terminals[0]!,
  id,
  workspace,
  role: 'shell',
  argv: ['bash'],
});
const names = (state: ClientState) => state.workspaces.map(({ name }) => name).join(' ');

describe('events', () => {
  const state = sampleState(160, 48);
  const take = (...events: ServerEvent[]) => events.reduce((now, event) => takeEvent(now, event, NOW), state);

  it('takes changes of batches only once their boards were asked for', () => {
    const change: ServerEvent = { event: 'batch', change: { summary: { key: 'k' } as BatchSummary, rows: [] } };
    expect(take(change).batches).toBeNull();
    expect(Object.keys(takeEvent({ ...state, batches: {} }, change, NOW).batches!)).toEqual(['k']);
  });

  it('keeps the cursor of the board on its task, wherever that moves', () => {
    const row = (id: string, column: BatchColumn): BatchRow => ({
      ...{ id, column, why: '', attempt: 1, agent: 'pi', since: 0, cost: null, workspace: null },
    });
    const change = (...rows: BatchRow[]): ServerEvent => ({
      event: 'batch',
      change: { summary: { key: 'k', started: 1 } as BatchSummary, rows },
    });
    const before = takeEvent({ ...state, batches: {} }, change(row('a', 'running'), row('b', 'running'), row('c', 'queued')), NOW);
    const open: ClientState = { ...before, overlays: [{ kind: 'board', at: 1 }] };
    expect(taskUnder(open)?.id).toBe('b');
    const after = [change(row('a', 'done')), change(row('b', 'done')), change(row('c', 'failed'))].reduce(
      (now, event) => takeEvent(now, event, NOW),
      open,
    );
    expect([taskUnder(after)?.id, after.overlays]).toEqual(['b', [{ kind: 'board', at: 2 }]]);
  });

  it('puts a new workspace beside those of its repository', () => {
    const after = take({ event: 'workspace', workspace: sampleWorkspace(9, 'later', sampleStatus()) });
    expect(names(after)).toBe('fix-login api-v2 docs main later rss tags search bench');
    expect(after.shown).toBe(2);
  });

  it('shows the one before when the shown one goes', () => {
    const after = take({ event: 'workspace.gone', id: 2 });
    expect([names(after), after.shown, after.listAt]).toEqual(['fix-login docs main rss tags search bench', 1, 3]);
  });

  it('keeps the prompts that wait and the last twenty that are done with', () => {
    const prompt = (id: number, state: Prompt['state']): ServerEvent => ({
      event: 'prompt',
      prompt: { id, workspace: 2, text: '', comments: [], round: null, state, receipt: null, created: id, updated: id },
    });
    const events = Array.from({ length: 30 }, (_, i) => prompt(i + 1, i === 3 ? 'queued' : i === 28 ? 'dropped' : 'accepted'));
    const after = events.reduce((now, event) => takeEvent(now, event, NOW), state);
    expect(after.prompts[2]!.map(({ id }) => id)).toEqual([4, ...Array.from({ length: 19 }, (_, i) => i + 10), 30]);
  });

  it('keeps nothing of a workspace that goes, nor of a terminal', () => {
    const scrolls = { 20: { atTail: false, newLines: 1 }, 10: { atTail: false, newLines: 2 } };
    const before: ClientState = { ...state, scrolls, comments: { 2: [] }, prompts: { 2: [] }, questions: { 2: { id: 'a', at: 0 } } };
    const after = takeEvent(before, { event: 'workspace.gone', id: 2 }, NOW);
    expect([after.comments, after.prompts, after.questions, Object.keys(after.scrolls)]).toEqual([{}, {}, {}, ['10']]);
    expect(after.arrangements).not.toHaveProperty('2');
    const closed = takeEvent(before, { event: 'workspace', workspace: { ...state.workspaces[1]!, terminals: [] } }, NOW);
    expect(Object.keys(closed.scrolls)).toEqual(['10']);
  });

  it('follows the terminals of the workspace shown', () => {
    const workspace = state.workspaces[1]!;
    const added = take({ event: 'terminal', terminal: shell(21, 2) });
    expect(added.workspaces[1]!.terminals.map(({ id }) => id)).toEqual([20, 21]);
    const split = { ...added, arrangements: { ...added.arrangements, 2: splitPane(added.arrangements[2]!, 20, 21, 'stacked') } };
    const closed = takeEvent(split, { event: 'workspace', workspace }, NOW);
    expect(panesOf(closed.arrangements[2]!.tree)).toEqual([20, 'diff']);
    expect(closed.arrangements[2]!.focus).toBe(20);
    const restarted = takeEvent(
      state,
      { event: 'workspace', workspace: { ...workspace, terminals: [{ ...workspace.terminals[0]!, id: 25 }] } },
      NOW,
    );
    expect(panesOf(restarted.arrangements[2]!.tree)).toEqual([25, 'diff']);
  });

  it('remembers since when a question is here', () => {
    const asking = sampleWorkspaces()[0]!;
    const seen = take({ event: 'workspace', workspace: asking });
    expect(seen.questions[1]).toEqual({ id: 'd1', at: NOW });
    expect(takeEvent(seen, { event: 'workspace', workspace: asking }, NOW + 5000).questions[1]!.at).toBe(NOW);
    const other = { ...asking, agent: { ...asking.agent, question: { ...asking.agent.question!, id: 'd9' } } };
    expect(takeEvent(seen, { event: 'workspace', workspace: other }, NOW + 5000).questions[1]).toEqual({ id: 'd9', at: NOW + 5000 });
    expect(takeEvent(seen, { event: 'workspace', workspace: { ...asking, agent: sampleStatus() } }, NOW).questions).toEqual({});
  });

  it('keeps what is the person’s own over an attach', () => {
    const again = takeSession(
      { ...state, link: { state: 'down', since: 1 } },
      {
        session: 'default',
        version: '1',
        workspaces: sampleWorkspaces(),
        selected: 1,
        layouts: {},
        diffs: {},
        drafts: {},
        notices: ['checkpoint lost'],
      },
      NOW,
    );
    expect([again.shown, again.link.state, again.notice?.text]).toEqual([2, 'up', 'checkpoint lost']);
    expect(again.arrangements).toBe(state.arrangements);
  });

  it('begins with the panes as they were left, without those that have gone', () => {
    const left = {
      2: { tree: { split: 'stacked', ratio: 0.3, first: { pane: 20 }, second: { pane: 99 } }, focus: 99, zoom: true },
      3: { tree: { pane: 77 }, focus: 77, zoom: false },
    } as const;
    const fresh = { ...state, arrangements: {} };
    const restored = restorePanes(fresh, left);
    expect(restored.arrangements[2]).toEqual({ tree: { pane: 20 }, focus: 20, zoom: false });
    expect(panesOf(restored.arrangements[3]!.tree)).toContain(30);
    expect(restorePanes(state, left).arrangements[2]).toBe(state.arrangements[2]);
  });
});

describe('attention', () => {
  const state = sampleState(160, 48);

  it('has questions first, the longest waiting first, then the stalled and the done', () => {
    expect(attentionQueue(state).map(({ name }) => name)).toEqual(['fix-login', 'rss', 'tags', 'docs']);
    expect(nextNeedy({ ...state, shown: 1 })?.name).toBe('rss');
    expect(nextNeedy({ ...state, shown: 3 })?.name).toBe('fix-login');
  });

  it.each([
    [sampleStatus({ state: 'working', marks: { stalled: true } }), 'stalled'],
    [sampleStatus({ state: 'done', marks: { stalled: true } }), 'done'],
    [sampleStatus({ state: 'idle', marks: { limit: { kind: 'usage' } } }), 'limited'],
    [sampleStatus({ state: 'blocked', marks: { limit: { kind: 'usage' } } }), 'blocked'],
    [sampleStatus({ state: 'exited', marks: { limit: { kind: 'usage' } } }), 'exited'],
  ])('%j looks %s', (status, look) => expect(lookOf(status)).toBe(look));

  it('counts the workspaces by state', () =>
    expect(rollUp(state.workspaces)).toMatchObject({ blocked: 2, done: 1, working: 1, stalled: 1, limited: 1, idle: 1, exited: 1 }));

  it('sees who edits the same file', () => {
    expect(overlaps({ ...state, paths: { 1: ['a', 'b'], 2: ['b', 'a', 'c'], 3: ['c'], 5: ['a'] } }, 5)).toEqual([
      { names: ['fix-login', 'api-v2'], path: 'a', more: 1 },
      { names: ['api-v2', 'docs'], path: 'c', more: 0 },
    ]);
  });

  it('groups by repository', () => {
    expect(groupByRepository(state.workspaces).map(({ name, workspaces }) => `${name} ${workspaces.length}`)).toEqual([
      'shop 4',
      'blog 3',
      'folders 1',
    ]);
    expect(['/a/shop', '/a/shop.git', '/a/shop/.bare', '/a/shop/.git/'].map(repositoryName)).toEqual(['shop', 'shop', 'shop', 'shop']);
  });
});

describe('panes', () => {
  const tree: PaneTree = {
    split: 'beside',
    ratio: 0.5,
    first: { split: 'stacked', ratio: 0.6, first: { pane: 1 }, second: { pane: 2 } },
    second: { pane: 'diff' },
  };

  it('begins with agent beside diff, shells below', () => {
    const workspace = sampleWorkspaces()[0]!;
    const two = { ...workspace, terminals: [...workspace.terminals, shell(11, 1)] };
    expect(panesOf(firstArrangement(two).tree)).toEqual([10, 11, 'diff']);
    expect(panesOf(firstArrangement({ ...workspace, repository: null }).tree)).toEqual([10]);
    expect(panesOf(firstArrangement({ ...workspace, terminals: [] }).tree)).toEqual(['diff']);
  });

  it('drops a pane and keeps a focus', () => {
    expect(dropPane({ tree, focus: 2, zoom: true }, 2)).toMatchObject({ focus: 1, zoom: false });
    expect(dropPane({ tree, focus: 1, zoom: true }, 2)).toMatchObject({ focus: 1, zoom: true });
    expect(dropPane({ tree: { pane: 1 }, focus: 1, zoom: false }, 1)).toBe(null);
  });

  it('finds and moves the split around a pane', () => {
    expect(splitAround(tree, 2, 'stacked')).toEqual({ path: [0], ratio: 0.6 });
    expect(splitAround(tree, 2, 'beside')).toEqual({ path: [], ratio: 0.5 });
    expect(splitAround(tree, 'diff', 'stacked')).toBe(null);
    expect(splitAround(setRatio(tree, [0], 5), 2, 'stacked')?.ratio).toBe(0.9);
  });

  it('steps to the neighbour on a side', () => {
    const state = { ...sampleState(160, 48), shown: 2, arrangements: { 2: { tree, focus: 1, zoom: false } } };
    const shown = layoutOf(state);
    expect((['left', 'right', 'up', 'down'] as const).map((side) => neighbour(shown, 1, side))).toEqual([null, 'diff', null, 2]);
    expect(neighbour(shown, 'diff', 'left')).toBe(1);
  });
});
