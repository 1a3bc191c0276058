// The workspaces of a session: what the ledger keeps of each, put together with its terminals, agent, changes and comments into what
// everyone sees. Tells of every change once per turn of the event loop, and only when something did change.
import type { Git } from '../../git/api.ts';
import type { AgentStatus } from '../../model/agent.ts';
import type { Changeset } from '../../model/review/changeset.ts';
import type { DiffSize, Workspace } from '../../model/workspace.ts';
import type { StoredWorkspace } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { ServerEvent, WorkspaceRef } from '../../wire/requests.ts';
import { Refusal } from '../refusal.ts';
import type { Comments } from './comments.ts';
import { Review } from './review.ts';
import type { Terminals } from './terminals.ts';
import { knownAgent } from './watch-memory.ts';

const NO_DIFF: DiffSize = { files: 0, added: 0, removed: 0, at: null };

export interface OpenWorkspace {
  row: StoredWorkspace;
  head: string | null;
  /** Null for a plain folder. */
  review: Review | null;
  trouble: string | null;
  /** Aborted when it is closed. */
  closing: AbortController;
  /** Its programs are being ended, by a person's wish. */
  ending: boolean;
  /** Stands in while it has no agent terminal. */
  lastStatus: AgentStatus;
}

export interface WorkspacesOptions {
  store: Store;
  git: Git;
  terminals: Terminals;
  comments: Comments;
  now(): number;
  emit(event: ServerEvent): void;
  /** Prompts that wait. */
  queued(workspace: number): number;
  /** Reads its agent's rules anew. */
  onChangeset(workspace: OpenWorkspace, changeset: Changeset): void;
  /** It was dropped from the session. */
  onGone(workspace: number): void;
}

export class Workspaces {
  readonly #o: WorkspacesOptions;
  readonly #open = new Map<number, OpenWorkspace>();
  readonly #told = new Map<number, string>();
  readonly #touched = new Set<number>();
  #telling: NodeJS.Immediate | null = null;

  constructor(o: WorkspacesOptions) {
    this.#o = o;
  }

  /** Opens a workspace from its row, with its changes if it has a repository. */
  adopt(row: StoredWorkspace): OpenWorkspace {
    const workspace: OpenWorkspace = {
      row,
      ...{ head: null, review: null, trouble: null, closing: new AbortController(), ending: false },
      lastStatus: goneStatus(row.agentKind, this.#o.now()),
    };
    this.#open.set(row.id, workspace);
    if (row.repository !== null) this.#openReview(workspace);
    this.touch(row.id);
    return workspace;
  }

  /** A new workspace, in the ledger before this resolves. */
  async create(given: Omit<StoredWorkspace, 'id' | 'created' | 'resume' | 'terminals'>): Promise<OpenWorkspace> {
    const id = await this.#o.store.nextId('workspace');
    const name = this.freeName(given.name);
    const workspace = this.adopt({ ...given, name, id, created: this.#o.now(), resume: {}, terminals: [] });
    await this.#o.store.putWorkspace(workspace.row);
    if (given.repository !== null) await this.#o.comments.takeUp(id, given.path);
    return workspace;
  }

  all(): OpenWorkspace[] {
    return [...this.#open.values()];
  }

  find(id: number): OpenWorkspace | undefined {
    return this.#open.get(id);
  }

  /** By id, name, branch, or an absolute path in it. Throws Refusal 'not-found', or 'ambiguous' when a branch is that of two. */
  get(ref: WorkspaceRef | undefined): OpenWorkspace {
    const all = this.all();
    if (typeof ref === 'number') {
      const found = this.#open.get(ref);
      if (found) return found;
    } else if (ref !== undefined) {
      const named = all.find((w) => w.row.name === ref);
      if (named) return named;
      const branched = all.filter((w) => w.row.branch === ref);
      if (branched.length > 1) {
        throw new Refusal(
          'ambiguous',
          `Branch ${ref} is open in ${branched.length} workspaces.`,
          `Use an id: ${branched.map((w) => w.row.id).join(', ')}.`,
        );
      }
      if (branched[0]) return branched[0];
      const around = ref.startsWith('/') ? this.around(ref) : undefined;
      if (around) return around;
    }
    const names = all.map((w) => w.row.name);
    const hint =
      names.length === 0
        ? 'There are none: herd new BRANCH makes one.'
        : `There are: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`;
    const what =
      typeof ref === 'string' && ref.startsWith('/') ? `No workspace is open on ${ref}.` : `There is no workspace ${ref ?? 'to speak of'}.`;
    throw new Refusal('not-found', what, hint);
  }

  /** The innermost workspace whose folder `path` is in. */
  around(path: string): OpenWorkspace | undefined {
    const holding = this.all().filter((w) => path === w.row.path || path.startsWith(`${w.row.path}/`));
    return holding.reduce<OpenWorkspace | undefined>(
      (inner, w) => (inner && inner.row.path.length >= w.row.path.length ? inner : w),
      undefined,
    );
  }

  atPath(path: string): OpenWorkspace | undefined {
    return this.all().find((w) => w.row.path === path);
  }

  review(workspace: OpenWorkspace): Review {
    if (workspace.review) return workspace.review;
    throw new Refusal(
      'no-repository',
      `Workspace ${workspace.row.name} has no git worktree, so it has no diff.`,
      'Open one on a repository: herd open PATH',
    );
  }

  status(workspace: OpenWorkspace): AgentStatus {
    return this.#o.terminals.agentOf(workspace.row.id)?.watch?.status ?? workspace.lastStatus;
  }

  describe(workspace: OpenWorkspace): Workspace {
    const { row, head, review, trouble } = workspace;
    const { id, name, path, repository, branch, base, created } = row;
    const { terminals, comments, queued } = this.#o;
    return {
      ...{ id, name, path, repository, branch, head, base, created },
      agent: this.status(workspace),
      conversation: row.resume[row.agentKind] ?? null,
      terminals: terminals.of(id).map((terminal) => terminals.facts(terminal)),
      diff: review?.size ?? NO_DIFF,
      comments: comments.counts(id),
      queue: queued(id),
      trouble,
    };
  }

  /** Changes its row; on disk when this resolves. */
  async update(workspace: OpenWorkspace, change: Partial<StoredWorkspace>): Promise<void> {
    workspace.row = { ...workspace.row, ...change };
    this.touch(workspace.row.id);
    await this.#o.store.putWorkspace(workspace.row);
  }

  /** Its agent's terminal is gone with the holder: said from the first time that this is seen. */
  async agentGone(workspace: OpenWorkspace): Promise<void> {
    const known = knownAgent(workspace.row);
    if (!known) return;
    const { status } = known.tracker;
    const { kind, since, turn } = status;
    workspace.lastStatus = { ...goneStatus(kind, status.state === 'exited' ? since : this.#o.now()), turn };
    const agent = { ...known, tracker: { ...known.tracker, status: workspace.lastStatus } };
    await this.update(workspace, { more: { ...workspace.row.more, agent } });
  }

  /** Something that people see of it may have changed. */
  touch(id: number): void {
    this.#touched.add(id);
    this.#telling ??= setImmediate(() => this.#tell());
  }

  /**
   * Drops it from the session. Where its worktree stays, so do its comments, for when that is opened again: how many. They are on disk as such
   * before anything is dropped.
   */
  async remove(workspace: OpenWorkspace, worktree: 'stays' | 'gone'): Promise<number> {
    const { id, path, repository } = workspace.row;
    const left = worktree === 'stays' && repository !== null ? await this.#o.comments.leave(id, path) : 0;
    workspace.closing.abort();
    this.#open.delete(id);
    this.#told.delete(id);
    this.#o.comments.forget(id);
    this.#o.onGone(id);
    this.#o.emit({ event: 'workspace.gone', id });
    await workspace.review?.close();
    if (repository !== null) await this.#o.git.forget(path, id);
    await this.#o.store.removeWorkspace(id);
    return left;
  }

  /** `name`, or with a number behind it when another workspace has it. */
  freeName(name: string): string {
    const taken = new Set(this.all().map((w) => w.row.name));
    if (!taken.has(name)) return name;
    for (let n = 2; ; n++) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`;
  }

  async close(): Promise<void> {
    if (this.#telling) clearImmediate(this.#telling);
    await Promise.all(this.all().map((w) => w.review?.close()));
  }

  #openReview(workspace: OpenWorkspace): void {
    const { id, path } = workspace.row;
    workspace.review = new Review({
      ...{ workspace: id, path, git: this.#o.git, now: this.#o.now },
      base: () => workspace.row.base,
      busy: () => ['working', 'blocked'].includes(this.status(workspace).state),
      onChange: (changeset, files) => this.#refreshed(workspace, changeset, files),
      onTrouble: (text) => {
        if (workspace.trouble === text) return;
        workspace.trouble = text;
        this.touch(id);
      },
      onSlow: () => this.touch(id),
    });
    void workspace.review.refresh();
  }

  #refreshed(workspace: OpenWorkspace, changeset: Changeset, files: string[] | null): void {
    const { row } = workspace;
    workspace.head = changeset.branch === null ? changeset.head : null;
    const base = row.base ?? (changeset.base && { name: changeset.base.name, commit: changeset.base.commit });
    if (changeset.branch !== row.branch || base !== row.base) void this.update(workspace, { branch: changeset.branch, base });
    this.#o.emit({ event: 'changeset', workspace: row.id, generation: changeset.generation, files });
    this.touch(row.id);
    this.#o.onChangeset(workspace, changeset);
  }

  #tell(): void {
    this.#telling = null;
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const id of touched) {
      const workspace = this.#open.get(id);
      if (!workspace) continue;
      const described = this.describe(workspace);
      const text = JSON.stringify(described);
      if (this.#told.get(id) === text) continue;
      this.#told.set(id, text);
      this.#o.emit({ event: 'workspace', workspace: described });
    }
  }
}

/** The agent of a workspace whose terminal is gone: never started again by itself. */
function goneStatus(kind: string, at: number): AgentStatus {
  return {
    ...{ kind, state: 'exited' as const, since: at, why: 'its terminal is gone; it can be resumed' },
    evidence: [{ source: 'process', rule: 'no terminal', says: 'exited', at }],
    ...{ marks: {}, question: null, turn: 0 },
  };
}
