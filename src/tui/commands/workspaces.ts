// Commands about workspaces: choose, step, make, rename, close.
import { counted } from '../../model/counted.ts';
import type { Workspace } from '../../model/workspace.ts';
import type { Result } from '../../wire/requests.ts';
import { lookFor } from '../agent-look.ts';
import { createEditor, editorRows } from '../editor.ts';
import { confirmRoom } from '../overlay-geometry.ts';
import { clusterCells, wrapText } from '../spans.ts';
import { repositoryName } from '../store/attention.ts';
import type { NewForm } from '../store/overlay.ts';
import { changeOverlay, finishOverlay, openOverlay, topOverlay } from '../store/overlay-stack.ts';
import { showWorkspace } from '../store/panes.ts';
import { type ClientState, type Standing, shownWorkspace, workspaceOf } from '../store/state.ts';
import { type CommandContext, change, say } from './context.ts';

export function pickWorkspace(context: CommandContext): void {
  change(context, (state) => {
    const at = Math.max(
      0,
      state.workspaces.findIndex(({ id }) => id === state.shown),
    );
    return openOverlay(state, { kind: 'workspaces', query: createEditor('', { singleLine: true }), at });
  });
}

/** '1' to '9': the workspaces in the sidebar's order. */
export function jumpTo(context: CommandContext, chord: string): void {
  change(context, (state) => {
    const workspace = state.workspaces[Number(chord) - 1];
    return workspace ? showWorkspace(state, workspace.id) : state;
  });
}

export function stepWorkspace(by: number): (context: CommandContext) => void {
  return (context) =>
    change(context, (state) => {
      const count = state.workspaces.length;
      if (count === 0) return state;
      const at = state.workspaces.findIndex(({ id }) => id === state.shown);
      return showWorkspace(state, state.workspaces[(at + by + count) % count]!.id);
    });
}

export function showLast(context: CommandContext): void {
  change(context, (state) => (state.last === null ? state : showWorkspace(state, state.last)));
}

/** The workspace a command is about: that under the list's cursor while the list has the keys, else the one shown. */
export function workspaceAtHand(state: ClientState): Workspace | null {
  return state.zone === 'list' ? workspaceOf(state, state.listAt) : shownWorkspace(state);
}

/** The repository that the client was started in; null outside one. */
export async function lookAround({ place: { cwd }, request, store }: CommandContext): Promise<Standing | null> {
  const { worktrees } = await request('worktree.list', { repository: cwd }).catch(() => ({ worktrees: [] }));
  const main = worktrees.find((worktree) => worktree.main) ?? worktrees[0];
  if (!main) return null;
  const own = worktrees.find(({ path }) => cwd === path || cwd.startsWith(`${path}/`)) ?? main;
  // A bare repository has no main worktree; the session knows it by its folder.
  const opened = workspaceOf(store.getState(), worktrees.find(({ workspace }) => workspace !== null)?.workspace ?? null);
  return { main: opened?.repository ?? main.path, branch: own.branch, worktrees: worktrees.length };
}

/** Opens the dialog, on the repository at hand; others of the session and the one that the person stands in can be chosen. */
export async function openNew(context: CommandContext): Promise<void> {
  const state = context.store.getState();
  const repository = workspaceAtHand(state)?.repository ?? state.standing?.main ?? null;
  const line = () => createEditor('', { singleLine: true });
  const form: NewForm = {
    repository,
    repositories: [],
    field: 'name',
    name: line(),
    base: line(),
    agent: firstAgent(state, context.defaultAgent),
    prompt: createEditor(),
    worktrees: [],
    worktree: null,
    busy: false,
    error: null,
  };
  change(context, (now) => openOverlay(now, { kind: 'new', form }));
  await Promise.all([offerWorktrees(context, repository), offerRepositories(context)]);
}

/** Worktrees of the repository that have no workspace. */
async function offerWorktrees(context: CommandContext, repository: string | null): Promise<void> {
  if (repository === null) return;
  const { worktrees } = await context.request('worktree.list', { repository });
  const free = worktrees.filter(({ workspace, prunable }) => workspace === null && !prunable).map(({ path, branch }) => ({ path, branch }));
  changeForm(context, (form) => (form.repository === repository ? { ...form, worktrees: free } : form));
}

async function offerRepositories(context: CommandContext): Promise<void> {
  const standing = await lookAround(context);
  const of = ({ workspaces }: ClientState) => [...workspaces.map(({ repository }) => repository), standing?.main ?? null];
  const repositories = [...new Set(of(context.store.getState()))].filter((path) => path !== null);
  changeForm(context, (form) => ({ ...form, repositories, repository: form.repository ?? repositories[0] ?? null }));
}

/** Another of the offered repositories, with its own worktrees. */
export async function stepRepository(context: CommandContext, form: NewForm, by: 1 | -1): Promise<void> {
  const { repositories } = form;
  if (repositories.length < 2) return;
  const at = repositories.indexOf(form.repository ?? '');
  const repository = repositories[(at + by + repositories.length) % repositories.length]!;
  changeForm(context, (now) => ({ ...now, repository, worktrees: [], worktree: null, error: null }));
  await offerWorktrees(context, repository);
}

function changeForm(context: CommandContext, to: (form: NewForm) => NewForm): void {
  change(context, (state) => changeOverlay(state, 'new', (overlay) => ({ ...overlay, form: to(overlay.form) })));
}

function firstAgent({ installed }: ClientState, wanted: string): string | null {
  const there = (installed ?? []).filter(({ path }) => path !== null);
  return (there.find(({ kind }) => kind === wanted) ?? there[0])?.kind ?? null;
}

/** Makes what the dialog says, once the person has said what may run in the new worktree. */
export async function createFromForm(context: CommandContext, form: NewForm): Promise<void> {
  if (form.busy) return;
  const unnamed = form.name.text.trim() === '' && form.worktree === null;
  if (unnamed) return changeForm(context, (now) => ({ ...now, error: 'give it a name: it becomes the branch', field: 'name' }));
  const settings = form.worktree === null && form.repository !== null ? await setupToAllow(context, form.repository) : null;
  const room = confirmRoom(context.store.getState());
  const lines = settings === null ? [] : setupLines(settings, room.cols);
  // Commands that cannot be seen whole cannot be agreed to here: they stay where they are, and that is said.
  if (settings === null || lines.length > room.rows) return createNow(context, form);
  const overlay = { kind: 'confirm', title: 'run these commands?', lines, yes: 'allow', other: 'go on without' } as const;
  change(context, (state) => openOverlay(state, { ...overlay, ask: { do: 'allow-setup', settings, run: true } }));
}

/** What the repository's `.herd.toml` would run and the person has not agreed to; null: nothing. */
async function setupToAllow({ request }: CommandContext, repository: string): Promise<Result<'worktree.settings'> | null> {
  // Whatever is wrong with the repository is said by what makes the worktree.
  const settings = await request('worktree.settings', { repository }).catch(() => null);
  return settings !== null && settings.setup.length > 0 && !settings.allowed ? settings : null;
}

/** What would run, all of it, wrapped at `cols` cells. */
function setupLines({ main, setup }: Result<'worktree.settings'>, cols: number): string[] {
  const head = wrapText(`In new worktrees of ${repositoryName(main)}, until its .herd.toml changes:`, cols);
  const rows = setup.flatMap((command) =>
    editorRows(command, cols - 2, clusterCells).map(({ start, end }, row) => `${row === 0 ? '$' : '>'} ${command.slice(start, end)}`),
  );
  return [...head, ...rows];
}

/** The dialog was asked about and goes on. */
export async function createAsked(context: CommandContext): Promise<void> {
  const top = topOverlay(context.store.getState());
  if (top?.kind === 'new') await createNow(context, top.form);
}

/** A refusal stays in the dialog, next to what it is about. */
async function createNow(context: CommandContext, form: NewForm): Promise<void> {
  const set = (part: Partial<NewForm>) => changeForm(context, (now) => ({ ...now, ...part }));
  const branch = form.name.text.trim();
  set({ busy: true, error: null });
  try {
    const workspace = form.worktree === null ? await makeWorktree(context, form, branch) : await openWorktree(context, form);
    change(context, (state) => showWorkspace(finishOverlay(state, 'new'), workspace.id));
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    set({ busy: false, error: hint ? `${message} ${hint}` : message });
  }
}

async function makeWorktree(context: CommandContext, form: NewForm, branch: string): Promise<Workspace> {
  const { request, place, layout } = context;
  const body = layout().panes[0]?.body;
  const text = form.prompt.text.trim();
  const { workspace, notes } = await request('workspace.new', {
    place,
    branch,
    ...(form.repository === null ? {} : { repository: form.repository }),
    ...(form.base.text.trim() === '' ? {} : { base: form.base.text.trim() }),
    ...(form.agent === null ? { noAgent: true } : { agent: form.agent }),
    ...(text === '' || form.agent === null ? {} : { prompt: text }),
    ...(body ? { cols: body.cols, rows: body.rows } : {}),
  });
  // The base stands in the title bar; all else must be told.
  const news = notes.filter((note) => !note.startsWith('Base:'));
  if (news.length > 0) say(context, news.join(' '));
  return workspace;
}

async function openWorktree({ request, place }: CommandContext, form: NewForm): Promise<Workspace> {
  const { path } = form.worktrees[form.worktree!]!;
  const { workspace } = await request('workspace.open', { place, path, ...(form.agent === null ? {} : { agent: form.agent }) });
  const text = form.prompt.text.trim();
  if (text !== '' && form.agent !== null) await request('prompt.send', { workspace: workspace.id, text, queue: true });
  return workspace;
}

export function renameWorkspace(context: CommandContext): void {
  change(context, (state) => {
    const workspace = workspaceAtHand(state);
    if (!workspace) return state;
    const editor = createEditor(workspace.name, { singleLine: true });
    return openOverlay(state, { kind: 'input', purpose: { for: 'rename', workspace: workspace.id }, label: 'rename', editor });
  });
}

/** Asks first: closing ends the agent. The worktree stays unless the other choice is taken. */
export function closeWorkspace(context: CommandContext): void {
  change(context, (state) => {
    const workspace = workspaceAtHand(state);
    if (!workspace) return state;
    return openOverlay(state, {
      kind: 'confirm',
      ask: { do: 'close', workspace: workspace.id },
      title: `close ${workspace.name}?`,
      lines: closeLines(workspace),
      yes: 'close',
      other: workspace.repository === null ? null : 'remove the worktree too',
    });
  });
}

function closeLines(workspace: Workspace): string[] {
  const { agent, diff } = workspace;
  const ends =
    agent.state === 'exited' ? `${agent.kind} has exited already.` : `${agent.kind} is ${lookFor(agent).word}; it will be ended.`;
  const stays = diff.files === 0 ? `${workspace.path} stays.` : `${workspace.path} stays, with ${counted(diff.files, 'changed file')}.`;
  const open = workspace.comments.draft + workspace.comments.queued;
  return [
    ends,
    stays,
    ...(open > 0 ? [`${open} ${open === 1 ? 'comment has' : 'comments have'} not been sent; comments come back with the worktree.`] : []),
  ];
}

/** First without force; when something would be lost, asks again with what it is. */
export async function removeWorkspace(context: CommandContext, id: number, discard: boolean): Promise<void> {
  try {
    const { removed, savedRef } = await context.request('workspace.remove', { workspace: id, ...(discard ? { discard } : {}) });
    say(context, savedRef ? `removed ${removed}; what was in it is saved as ${savedRef}` : `removed ${removed}`, 'good');
  } catch (error) {
    const { code, message, detail } = error as { code?: string; message: string; detail?: Record<string, unknown> };
    if (discard || detail === undefined || code === undefined) throw error;
    const counts = Object.entries(detail).flatMap(([what, count]) => (typeof count === 'number' && count > 0 ? [`${count} ${what}`] : []));
    change(context, (state) =>
      openOverlay(state, {
        kind: 'confirm',
        ask: { do: 'remove', workspace: id, discard: true },
        title: 'remove it with all that is in it?',
        lines: [message, ...counts, 'It is saved to a ref first.'],
        yes: 'remove',
        other: null,
      }),
    );
  }
}
