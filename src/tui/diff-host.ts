// The diff panes of all workspaces that were looked at: which view belongs to which workspace, what its keys do, and its facts from the
// server. Drawing and moving are the pane's own (tui/diff); nothing here draws.

import { counted } from '../model/counted.ts';
import { ownOf } from '../model/own.ts';
import { commitOfScope, type Scope } from '../model/review/changeset.ts';
import type { DiffArrangement } from '../model/review/diff-arrangement.ts';
import { suggestionBlock } from '../model/review/suggestion.ts';
import type { CommentTarget } from '../wire/requests.ts';
import { goOnWith } from './commands/begun.ts';
import type { DiffPort } from './commands/context.ts';
import { type CommandContext, change, say, sayError } from './commands/context.ts';
import { askRemoveComment, isBegun, openCommentEditor } from './commands/lists.ts';
import { focusOther } from './commands/panes.ts';
import { writeCommit } from './commands/review.ts';
import { arrangedView } from './diff/arrangement.ts';
import { applyDiff, type DiffIntent } from './diff/intents.ts';
import { createDiffFeed, type DiffFeed, type DiffPort as FeedPort } from './diff/needs.ts';
import { createDiffView, type DiffView, filesOf, isViewed, rowsOf } from './diff/view.ts';
import { editorPlace, targetOf, yankText } from './diff/yank.ts';
import { act, undoDiscard } from './diff-acts.ts';
import { scopeName } from './diff-head.ts';
import { INTENTS } from './diff-intents.ts';
import { DiffKeeper } from './diff-keeper.ts';
import { createEditor } from './editor.ts';
import type { CommandId } from './input/keymap-table.ts';
import { commentTitle } from './rows/review-rows.ts';
import { plain } from './spans.ts';
import type { ShownComment } from './store/begun-comments.ts';
import type { InputPurpose, Overlay } from './store/overlay.ts';
import { openOverlay, openWriting } from './store/overlay-stack.ts';
import { workspaceOf } from './store/state.ts';

/** Rows of context before and after a pane is known; any size would do. */
const FIRST_SIZE = { cols: 80, rows: 24 };
const SCOPES: Scope[] = ['base', 'uncommitted', 'staged', 'turn', 'look'];

interface Held {
  view: DiffView;
  feed: DiffFeed;
  /** Its changeset was asked for; a change since then makes it stale. */
  fresh: boolean;
}

export interface DiffHostOptions {
  /** Filled after the host is made: commands and host need one another. */
  context(): CommandContext;
  /** A view changed: draw when it is on the screen. */
  changed(workspace: number): void;
}

export class DiffHost implements DiffPort {
  readonly #o: DiffHostOptions;
  readonly #held = new Map<number, Held>();
  readonly #keeper: DiffKeeper;
  /** How diffs were left that nobody has looked at here, by workspace. */
  #left: Readonly<Record<number, DiffArrangement>> = {};

  constructor(options: DiffHostOptions) {
    this.#o = options;
    this.#keeper = new DiffKeeper({
      view: (workspace) => this.view(workspace),
      request: (method, params) => this.#o.context().request(method, params),
    });
  }

  /** The server knows how diffs were left. */
  attached(diffs: Readonly<Record<number, DiffArrangement>>): void {
    this.#left = diffs;
    this.#keeper.attached(diffs);
    for (const workspace of this.#held.keys()) this.#keeper.moved(workspace);
  }

  /** The client is about to leave; resolves when the server knows how its diffs stand. */
  leave(): Promise<void> {
    return this.#keeper.flush();
  }

  /** The view of a workspace; made when first asked for. */
  view(workspace: number): DiffView {
    return this.#hold(workspace).view;
  }

  /** The pane is on the screen at this size: reads what it needs. */
  show(workspace: number, cols: number, rows: number): void {
    const held = this.#hold(workspace);
    this.apply(workspace, { do: 'size', cols, rows });
    if (held.fresh) return held.feed.look(held.view);
    held.fresh = true;
    this.#readComments(workspace);
    void held.feed.refresh(held.view).then(() => this.#leaveLost(workspace));
  }

  /** A commit or a round that was left on the screen and is no more: back to all. */
  #leaveLost(workspace: number): void {
    const { changeset, trouble, scope } = this.view(workspace);
    if (!changeset && trouble !== null && typeof scope === 'object') void this.#setScope(workspace, 'base');
  }

  /** Files changed: read now when on the screen, else when next shown. */
  stale(workspace: number, shown: boolean): void {
    const held = this.#held.get(workspace);
    if (!held) return;
    held.fresh = shown;
    if (shown) void held.feed.refresh(held.view);
  }

  /** Comments as they are now; where they stand in a scope of its own is asked for with its changes. */
  takeComments(workspace: number, comments: readonly ShownComment[], shown: boolean): void {
    this.apply(workspace, { do: 'take-comments', comments });
    if (this.view(workspace).scope !== 'base') this.stale(workspace, shown);
  }

  /** The server is back: everything is asked for anew. */
  allStale(): void {
    for (const held of this.#held.values()) held.fresh = false;
  }

  drop(workspace: number): void {
    this.#held.get(workspace)?.feed.dispose();
    this.#held.delete(workspace);
    this.#keeper.forget(workspace);
  }

  close(): void {
    void this.#keeper.flush();
    for (const id of [...this.#held.keys()]) this.drop(id);
  }

  apply(workspace: number, intent: DiffIntent): void {
    const held = this.#hold(workspace);
    const next = applyDiff(held.view, intent);
    if (next === held.view) return;
    held.view = next;
    held.feed.look(next);
    this.#keeper.moved(workspace);
    this.#o.changed(workspace);
  }

  /** What is written in the pane's own card; null: nothing. */
  setDraft(workspace: number, overlay: Extract<Overlay, { kind: 'comment' }> | null, keys: string): void {
    const { draft } = this.view(workspace);
    if (!overlay) {
      if (draft) this.apply(workspace, { do: 'take-draft', draft: null });
      return;
    }
    const { target, editor } = overlay;
    if (target.path === null || (draft && draft.text === editor.text && draft.caret === editor.caret)) return;
    const place = { path: target.path, side: target.side, line: target.range?.end ?? null };
    this.apply(workspace, {
      do: 'take-draft',
      draft: { place, title: plain(commentTitle(overlay)), text: editor.text, caret: editor.caret, keys },
    });
  }

  #hold(workspace: number): Held {
    const known = this.#held.get(workspace);
    if (known) return known;
    const feed = createDiffFeed(this.#port(workspace), (intent) => this.apply(workspace, intent));
    const { cols, rows } = FIRST_SIZE;
    const left = this.#left[workspace];
    const held = { view: left ? arrangedView(cols, rows, left) : createDiffView(cols, rows), feed, fresh: false };
    this.#held.set(workspace, held);
    return held;
  }

  #port(workspace: number) {
    const { request } = this.#o.context();
    return {
      changeset: (query: { scope: Scope; ignoreWhitespace: boolean }) => request('changeset.get', { workspace, ...query }),
      file: async (path: string, query: Parameters<FeedPort['file']>[1]) =>
        (await request('changeset.file', { workspace, path, ...query })).diff,
      moved: (query: { scope: Scope; ignoreWhitespace: boolean }) => request('changeset.moved', { workspace, ...query }),
      lines: (path: string, from: number, to: number, scope: Scope) =>
        request('changeset.lines', { workspace, path, side: 'new', scope, from, to }),
    };
  }

  #readComments(workspace: number): void {
    const context = this.#o.context();
    context
      .request('comment.list', { workspace })
      .then(({ comments }) => change(context, (state) => ({ ...state, comments: { ...state.comments, [workspace]: comments } })))
      .catch(() => {});
  }

  /** A diff command for the workspace shown. */
  run(command: CommandId): void {
    const context = this.#o.context();
    const workspace = context.store.getState().shown;
    if (workspace === null) return;
    const intent = INTENTS[command];
    if (intent?.do === 'search-step' && !this.view(workspace).search) return say(context, 'nothing is searched for', 'plain', '/ begins');
    if (intent) return this.apply(workspace, intent);
    this.#acts[command]?.(workspace, context);
  }

  reveal(path: string | null, side: 'old' | 'new', line: number | null, card?: number): void {
    const { shown } = this.#o.context().store.getState();
    if (shown !== null) this.apply(shown, { do: 'go', path, side, line, card });
  }

  search(text: string): void {
    const { shown } = this.#o.context().store.getState();
    if (shown === null) return;
    // Nothing typed: on with what was searched for.
    if (text !== '') this.apply(shown, { do: 'search', text });
    this.apply(shown, { do: 'search-step', by: 1 });
  }

  goToLine(line: number): void {
    const context = this.#o.context();
    const { shown } = context.store.getState();
    if (shown === null) return;
    if (!Number.isInteger(line) || line < 1) return say(context, 'that is no number of a line');
    const view = this.view(shown);
    const path = filesOf(view)[view.cursor.file]?.path;
    if (path === undefined) return;
    this.apply(shown, { do: 'go', path, side: 'new', line });
    const total = ownOf(view.files, path)?.total ?? null;
    if (total !== null && line > total) say(context, `${plain(path)} has ${counted(total, 'line')}`);
  }

  async changeBase(workspace: number, base: string): Promise<void> {
    await this.#o.context().request('changeset.base', { workspace, base });
    this.#setScope(workspace, 'base');
  }

  filterFiles(text: string): void {
    const { shown } = this.#o.context().store.getState();
    if (shown !== null && this.view(shown).list?.filter !== text) this.apply(shown, { do: 'list-set', change: { filter: text } });
  }

  readonly #acts: Partial<Record<CommandId, (workspace: number, context: CommandContext) => void>> = {
    'diff.leave': (workspace, context) => (this.view(workspace).list ? this.apply(workspace, { do: 'list' }) : focusOther(context)),
    'diff.comment': (workspace, context) => this.#comment(workspace, context),
    'diff.suggest': (workspace, context) => this.#comment(workspace, context, true),
    'diff.comment-change': (workspace, context) => this.#commentOn(workspace, context, { path: null, side: 'new', range: null }),
    'diff.since': (workspace, context) => this.#since(workspace, context),
    'diff.older': (workspace, context) => this.#walk(workspace, context, 1),
    'diff.newer': (workspace, context) => this.#walk(workspace, context, -1),
    'diff.line': (_workspace, context) => ask(context, { for: 'diff-line' }, 'line', ''),
    'diff.base': (workspace, context) =>
      ask(context, { for: 'diff-base', workspace }, `base instead of ${plain(this.view(workspace).changeset?.base?.name ?? 'none')}`, ''),
    'diff.commit': (workspace, context) => this.#commit(workspace, context, false),
    'diff.amend': (workspace, context) => this.#commit(workspace, context, true),
    'diff.comment-open': (workspace, context) => this.#open(workspace, context),
    'diff.comment-resolve': (workspace, context) =>
      this.#withComment(workspace, context, (comment) => {
        if (isBegun(context, comment)) return;
        const state = comment.state === 'resolved' ? 'reopened' : 'resolved';
        context.request('comment.mark', { comment: comment.id, state }).catch((error) => sayError(context, error));
      }),
    'diff.comment-remove': (workspace, context) => this.#withComment(workspace, context, (comment) => askRemoveComment(context, comment)),
    'diff.viewed': (workspace, context) => this.#viewed(workspace, context),
    'diff.scope': (workspace, context) => this.#nextScope(workspace, context),
    'diff.whitespace': (workspace) => {
      this.apply(workspace, { do: 'whitespace' });
      this.stale(workspace, true);
    },
    'diff.search': (workspace, context) => this.#ask(workspace, context),
    'diff.yank': (workspace, context) => this.#yank(context, yankText(this.view(workspace))),
    'diff.yank-path': (workspace, context) => this.#yank(context, targetOf(this.view(workspace))?.path ?? ''),
    'diff.editor': (workspace, context) => {
      const place = editorPlace(this.view(workspace));
      const root = workspaceOf(context.store.getState(), workspace)?.path;
      if (place && root) void context.openEditor(`${root}/${place.path}`, place.line);
      else say(context, 'there is no file here to open');
    },
    'diff.stage': (workspace, context) => this.#act(workspace, context, 'stage'),
    'diff.unstage': (workspace, context) => this.#act(workspace, context, 'unstage'),
    'diff.discard': (workspace, context) => this.#act(workspace, context, 'discard'),
    'diff.undo': (workspace, context) => undoDiscard(context, workspace),
  };

  /** Starts a comment on the selection, the line, the hunk or the file; a draft begun there comes back. */
  #comment(workspace: number, context: CommandContext, suggest = false): void {
    const view = this.view(workspace);
    const found = targetOf(view);
    if (!found) return say(context, 'there is nothing to comment on yet');
    const target = view.scope === 'base' ? found : { ...found, scope: view.scope };
    const lines = suggest ? (target.seen?.lines ?? null) : null;
    if (suggest && (!lines || target.side === 'old')) return say(context, 'code can be suggested for lines of the new side');
    const excerpt = yankText(view).split('\n').slice(0, 4);
    this.#commentOn(workspace, context, target, excerpt, lines ? `\n\n${suggestionBlock(lines.join('\n'))}` : '');
    if (view.select) this.apply(workspace, { do: 'cancel' });
  }

  #commentOn(workspace: number, context: CommandContext, target: CommentTarget, excerpt: readonly string[] = [], text = ''): void {
    const editor = { ...createEditor(text), caret: 0 };
    change(context, (state) =>
      openWriting(state, { kind: 'comment', workspace, target, comment: null, reply: false, excerpt, editor, busy: false }),
    );
  }

  #act(workspace: number, context: CommandContext, action: 'stage' | 'unstage' | 'discard'): void {
    const view = this.view(workspace);
    const begun = view.select?.begun;
    act(context, workspace, view, action, () => {
      // It has followed the refresh by then; another may have been begun meanwhile.
      if (begun && this.view(workspace).select?.begun === begun) this.apply(workspace, { do: 'cancel' });
    });
  }

  #commit(workspace: number, context: CommandContext, amend: boolean): void {
    writeCommit(context, workspace, amend).catch((error) => sayError(context, error));
  }

  /** What changed since the comment at the cursor was sent, at its place. */
  #since(workspace: number, context: CommandContext): void {
    const { cursor, comments } = this.view(workspace);
    const row = rowsOf(this.view(workspace), cursor.file)[cursor.row];
    const comment = row?.kind === 'card' ? comments.find(({ id }) => id === row.comment.id) : undefined;
    const round = comment?.rounds.at(-1);
    if (!comment || round === undefined) return say(context, 'move onto a comment that was sent: { and } go to the next one');
    const path = comment.place.path ?? comment.anchor.path;
    const line = comment.place.range?.start ?? null;
    void this.#setScope(workspace, { round }).then(() => {
      if (filesOf(this.view(workspace)).some((file) => file.path === path))
        this.apply(workspace, { do: 'go', path: path!, side: comment.anchor.side, line });
      else if (path !== null) say(context, `${plain(path)} has not changed since round ${round}`, 'plain', 'm goes back');
    });
  }

  /** Commit by commit from the newest; past it, back to all. */
  #walk(workspace: number, context: CommandContext, by: 1 | -1): void {
    context
      .request('changeset.commits', { workspace })
      .then(({ commits }) => {
        const { scope } = this.view(workspace);
        const shown = commitOfScope(scope);
        const at = commits.findIndex(({ commit }) => commit === shown);
        const next = commits[at + by];
        if (at + by < 0 && shown !== null)
          return this.#setScope(workspace, 'base').then(() => say(context, scopeName(this.view(workspace))));
        if (by < 0 && !next) return say(context, 'nothing is newer than this', 'plain', '< begins with the newest commit');
        if (!next) return say(context, commits.length === 0 ? 'no commits since the base' : 'that is the oldest commit since the base');
        say(context, `${at + by + 1}/${commits.length} ${next.short} ${plain(next.subject)} · ${plain(next.author)}`);
        return this.#setScope(workspace, { commit: next.commit });
      })
      .catch((error) => sayError(context, error));
  }

  /** Enter: a file folds, a gap opens, a comment is edited or replied to, a line gets a comment. */
  #open(workspace: number, context: CommandContext): void {
    const view = this.view(workspace);
    if (view.list) return this.apply(workspace, { do: 'list' });
    const row = rowsOf(view, view.cursor.file)[view.cursor.row];
    if (row?.kind === 'file') this.apply(workspace, { do: 'fold' });
    else if (row?.kind === 'gap') this.apply(workspace, { do: 'context', whole: false });
    else if (row?.kind === 'hunk' && row.shut) this.apply(workspace, { do: 'fold-hunk' });
    else if (row?.kind === 'card') {
      const { id, state, begun } = row.comment;
      if (begun) return goOnWith(context, workspace, view, row.comment);
      change(context, (now) => openCommentEditor(now, id, workspace, state !== 'draft'));
    } else this.#comment(workspace, context);
  }

  #withComment(workspace: number, context: CommandContext, run: (comment: ShownComment) => void): void {
    const view = this.view(workspace);
    const row = rowsOf(view, view.cursor.file)[view.cursor.row];
    if (row?.kind === 'card') run(row.comment);
    else say(context, 'move onto a comment first: { and } go to the next one');
  }

  #viewed(workspace: number, context: CommandContext): void {
    const before = this.view(workspace);
    const file = filesOf(before)[before.cursor.file];
    if (!file) return;
    this.apply(workspace, { do: 'viewed' });
    context
      .request('changeset.viewed', { workspace, path: file.path, viewed: !isViewed(before, file) })
      .catch((error) => sayError(context, error));
  }

  /** Said besides: a narrow pane has no room for it in its title. */
  #nextScope(workspace: number, context: CommandContext): void {
    const at = SCOPES.indexOf(this.view(workspace).scope);
    void this.#setScope(workspace, SCOPES[(at + 1) % SCOPES.length]!).then(() => say(context, scopeName(this.view(workspace))));
  }

  /** Resolves when the scope's files have been read. */
  #setScope(workspace: number, scope: Scope): Promise<void> {
    this.apply(workspace, { do: 'scope', scope });
    const held = this.#hold(workspace);
    held.fresh = true;
    return held.feed.refresh(held.view);
  }

  #ask(workspace: number, context: CommandContext): void {
    const { list } = this.view(workspace);
    if (list) ask(context, { for: 'filter-files', before: list.filter }, 'files', list.filter);
    else ask(context, { for: 'diff-search' }, '/', '');
  }

  #yank(context: CommandContext, text: string): void {
    if (text === '') return say(context, 'there is no text here to copy');
    const lines = text.split('\n').length;
    context.copyText(text, lines === 1 ? `copied: ${text.trim().slice(0, 60)}` : `copied ${lines} lines`);
  }
}

function ask(context: CommandContext, purpose: InputPurpose, label: string, text: string): void {
  change(context, (state) => openOverlay(state, { kind: 'input', purpose, label, editor: createEditor(text, { singleLine: true }) }));
}
