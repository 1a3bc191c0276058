// workspace.*: making, opening, running, closing, removing. A half-made workspace is undone before the refusal is told.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Repository } from '../../git/api.ts';
import type { StoredWorkspace } from '../../store/rows.ts';
import type { ClientPlace, Params, Result, WorkspaceRef } from '../../wire/requests.ts';
import { prepareWorktree } from '../prepare-worktree.ts';
import { type AgentProgram, agentProgram } from '../programs.ts';
import { Refusal } from '../refusal.ts';
import { resumeAgent } from '../resume-agent.ts';
import type { Session } from '../session.ts';
import { startTerminal } from '../start-terminal.ts';
import type { LiveTerminal } from '../state/terminals.ts';
import type { OpenWorkspace } from '../state/workspaces.ts';
import { lookAgain } from './client.ts';
import type { Family } from './handler.ts';

export const workspaceHandlers: Family<'workspace'> = {
  'workspace.new': async (session, params) => {
    const program = programFor(session, params.place, params);
    const from = realFolder(params.repository ?? params.place.cwd);
    const added = await session.git.addWorktree({
      from,
      branch: params.branch === undefined ? undefined : session.config['worktrees.branch_prefix'] + params.branch,
      base: params.base,
      root: session.config['worktrees.folder'] || undefined,
      fallbackRoot: session.paths.worktrees,
    });
    const { main, commonDir } = await session.git.findRepository(added.path);
    const prepared = await prepareWorktree(session, { worktree: added.path, main, bare: main === commonDir, env: params.place.env });
    const workspace = await createWorkspace(session, {
      name: added.branch,
      path: added.path,
      repository: main,
      branch: added.branch,
      base: { name: added.base.name, commit: added.base.commit },
      program,
    });
    const cwd = innerFolder(added.path, from, await session.git.findRepository(from).catch(() => null));
    try {
      await startAgent(session, workspace, program, params, cwd);
    } catch (error) {
      await session.workspaces.remove(workspace, added.created ? 'gone' : 'stays');
      if (added.created) await session.git.removeWorktree(added.path, { discard: false }).catch(() => null);
      throw error;
    }
    const sent = params.prompt?.trim() ? await session.prompts.send({ workspace, text: params.prompt, queue: true, force: false }) : null;
    const unsent = sent?.outcome === 'refused' ? [`The prompt was not sent: ${sent.reason}.`] : [];
    session.log.add('workspace', workspace.row.id, `made ${added.branch} at ${added.path}`, { base: added.base });
    return {
      workspace: session.workspaces.describe(workspace),
      notes: [`Base: ${added.base.name}, ${added.base.why}.`, ...added.notes, ...prepared, ...unsent],
    };
  },

  'workspace.open': async (session, params) => {
    const path = realFolder(params.path);
    const known = session.workspaces.atPath(path);
    // Open already: git, which takes longer than a person's blink, has nothing to add.
    if (known) return openAgain(session, known, params);
    const repository = await session.git.findRepository(path).catch((error: { code?: string }) => {
      // A folder without a repository needs no git; one with a repository must not be opened as if it had none.
      if (error.code === 'not-a-repository' || (isGitFault(error.code) && !hasGitAbove(path))) return null;
      throw error;
    });
    const place = repository?.worktree ?? path;
    const open = session.workspaces.atPath(place);
    if (open) return openAgain(session, open, params);
    const program = programFor(session, params.place, orShell(session, params));
    const base = repository?.worktree ? await session.git.defaultBase(repository.worktree).catch(() => null) : null;
    const workspace = await createWorkspace(session, {
      name: repository?.branch ?? (basename(place) || place),
      path: place,
      repository: repository?.worktree ? repository.main : null,
      branch: repository?.branch ?? null,
      base: base && { name: base.name, commit: base.commit },
      program,
    });
    await startOrUndo(session, workspace, () => startAgent(session, workspace, program, params));
    session.log.add('workspace', workspace.row.id, `opened ${place}`);
    return { workspace: session.workspaces.describe(workspace), existed: false };
  },

  'workspace.run': async (session, params) => {
    const program = programFor(session, params.place, params);
    const path = realFolder(params.place.cwd);
    const workspace = await createWorkspace(session, {
      ...{ name: basename(params.argv[0] ?? 'run'), path, repository: null, branch: null, base: null, program },
      ...(params.ephemeral ? { more: { ephemeral: true } } : {}),
    });
    if (params.ephemeral) session.ephemeral = true;
    const terminal = await startOrUndo(session, workspace, () => startAgent(session, workspace, program, params));
    return { workspace: session.workspaces.describe(workspace), terminal: terminal.id };
  },

  'workspace.close': async (session, { workspace: ref }) => {
    const workspace = session.workspaces.get(ref);
    const leftovers = await endTerminals(session, workspace);
    const comments = await session.workspaces.remove(workspace, 'stays');
    session.log.add('workspace', workspace.row.id, `closed ${workspace.row.name}`, leftovers.length > 0 ? { leftovers } : undefined);
    return { leftovers, comments };
  },

  'workspace.remove': async (session, { workspace: ref, discard = false }) => {
    const workspace = session.workspaces.get(ref);
    const { row } = workspace;
    if (row.repository === null)
      throw new Refusal('no-repository', `${row.name} is no worktree that herd could remove.`, `Close it: herd close ${row.id}`);
    if (row.path === row.repository)
      throw new Refusal('is-main-worktree', `${row.name} is the main worktree of its repository.`, `Close it: herd close ${row.id}`);
    if (existsSync(row.path)) await refuseLoss(session, row, discard);
    await endTerminals(session, workspace);
    const removed = await session.git.removeWorktree(row.path, { discard });
    await session.workspaces.remove(workspace, 'gone');
    session.log.add('workspace', row.id, `removed ${removed.removed}`, { savedRef: removed.savedRef });
    return { removed: removed.removed, savedRef: removed.savedRef };
  },

  'workspace.rename': async (session, { workspace: ref, name }) => {
    const workspace = session.workspaces.get(ref);
    const clean = name.trim();
    if (clean === '' || /[\p{Cc}\p{Cf}]/u.test(clean) || /^\d+$/.test(clean)) {
      throw new Refusal('bad-name', `"${clean}" cannot be a workspace’s name.`, 'Use letters; digits alone would be taken for an id.');
    }
    if (clean !== workspace.row.name && session.workspaces.all().some((w) => w.row.name === clean)) {
      throw new Refusal('name-in-use', `There is a workspace ${clean} already.`, 'Choose another name.');
    }
    await session.workspaces.update(workspace, { name: clean });
    return { workspace: session.workspaces.describe(workspace) };
  },

  'workspace.get': (session, { workspace: ref, from }) => {
    const workspace = ref === undefined && from ? byFolder(session, from) : session.workspaces.get(ref);
    return { workspace: session.workspaces.describe(workspace) };
  },

  'workspace.look': (session, { workspace: ref }) => {
    const workspace = session.workspaces.get(ref);
    session.terminals.agentOf(workspace.row.id)?.watch?.fact({ fact: 'look' });
    void workspace.review?.look();
    lookAgain(session);
    return {};
  },

  'workspace.resume': async (session, { workspace: ref, place, fresh = false }) => {
    const workspace = session.workspaces.get(ref);
    await resumeAgent(session, workspace, place, fresh);
    return { workspace: session.workspaces.describe(workspace) };
  },
};

interface NewWorkspace {
  name: string;
  path: string;
  repository: string | null;
  branch: string | null;
  base: StoredWorkspace['base'];
  program: AgentProgram;
  more?: StoredWorkspace['more'];
}

function createWorkspace(session: Session, { program, ...row }: NewWorkspace): Promise<OpenWorkspace> {
  return session.workspaces.create({ ...row, agentKind: program.kind.id, argv: program.argv });
}

type Asked = Pick<Params<'workspace.new'>, 'agent' | 'argv' | 'noAgent'>;

function programFor(session: Session, place: ClientPlace, { agent, argv, noAgent }: Asked): AgentProgram {
  return agentProgram(session.kinds, { agent, argv, noAgent, env: place.env, preferred: session.config['agents.default'] });
}

/** `herd open` without an agent named starts the default one if there is one, a shell otherwise: opening must not fail for lack of one. */
function orShell(session: Session, asked: { agent?: string; argv?: string[] }): Asked {
  const named = asked.agent !== undefined || asked.argv !== undefined || session.config['agents.default'] !== '';
  return named ? asked : { ...asked, noAgent: true };
}

function startAgent(
  session: Session,
  workspace: OpenWorkspace,
  { kind, argv }: AgentProgram,
  { place, cols, rows }: { place: ClientPlace; cols?: number; rows?: number },
  cwd?: string,
): Promise<LiveTerminal> {
  return startTerminal(session, workspace, { role: 'agent', argv, kind, place, cols, rows, cwd });
}

/** It is open already; an agent that has ended is started again. */
async function openAgain(session: Session, open: OpenWorkspace, params: Params<'workspace.open'>): Promise<Result<'workspace.open'>> {
  if (!session.terminals.agentOf(open.row.id)) await startAgain(session, open, params);
  return { workspace: session.workspaces.describe(open), existed: true };
}

/** The agent is gone: its conversation goes on where one is known and nothing else was asked for. */
async function startAgain(session: Session, workspace: OpenWorkspace, params: Params<'workspace.open'>): Promise<void> {
  const named = params.agent !== undefined || params.argv !== undefined;
  if (!named && workspace.row.resume[workspace.row.agentKind]) return resumeAgent(session, workspace, params.place, false);
  await startAgent(session, workspace, programFor(session, params.place, orShell(session, params)), params);
}

async function startOrUndo(session: Session, workspace: OpenWorkspace, start: () => Promise<LiveTerminal>): Promise<LiveTerminal> {
  try {
    return await start();
  } catch (error) {
    await session.workspaces.remove(workspace, 'stays');
    throw error;
  }
}

async function endTerminals(session: Session, workspace: OpenWorkspace): Promise<{ pid: number; command: string }[]> {
  workspace.ending = true;
  const ended = await Promise.all(session.terminals.of(workspace.row.id).map((terminal) => session.terminals.close(terminal.id)));
  session.mailboxes.forget(workspace.row.id);
  return ended.flat();
}

/** Refuses before any terminal is ended: the agent goes on while the person decides. */
async function refuseLoss(session: Session, row: StoredWorkspace, discard: boolean): Promise<void> {
  if (discard) return;
  const loss = await session.git.inspectWorktree(row.path);
  if (loss.text === '') return;
  throw new Refusal(
    'would-lose',
    `Removing ${row.name} would lose: ${loss.text}.`,
    `It is saved to a ref first, then removed, with: herd remove ${row.id} --discard`,
    { ...loss },
  );
}

/** The workspace whose folder holds `cwd`, the innermost one. */
function byFolder(session: Session, { cwd, env }: ClientPlace): OpenWorkspace {
  const own: WorkspaceRef | undefined = env.HERD_WORKSPACE ? Number(env.HERD_WORKSPACE) : undefined;
  if (own !== undefined && session.workspaces.find(own)) return session.workspaces.get(own);
  const holding = session.workspaces.all().filter(({ row }) => cwd === row.path || cwd.startsWith(`${row.path}/`));
  const inner = holding.sort((a, b) => b.row.path.length - a.row.path.length)[0];
  if (!inner) throw new Refusal('not-found', 'This folder belongs to no workspace.', 'Open it: herd open .');
  return inner;
}

function isGitFault(code: string | undefined): boolean {
  return code === 'git-missing' || code === 'git-too-old';
}

/** There is something by git's name in the folder or one above it. */
function hasGitAbove(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && hasGitAbove(dirname(folder));
}

/** The path without links. Refuses with 'no-folder' what is no folder. */
export function realFolder(path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // Said below.
  }
  throw new Refusal('no-folder', `There is no folder ${path}.`);
}

/** The folder in the new worktree that matches where the person stands in theirs. */
function innerFolder(worktree: string, from: string, repository: Repository | null): string | undefined {
  if (!repository?.worktree || !from.startsWith(`${repository.worktree}/`)) return undefined;
  const inner = join(worktree, from.slice(repository.worktree.length + 1));
  return existsSync(inner) ? inner : undefined;
}
