// What lies above the panes: each overlay as data, the stack they form, and which keys each takes. Only the top one has the keys.
import type { Side } from '../../model/review/comment.ts';
import type { CommentTarget, Params, Result } from '../../wire/requests.ts';
import type { Editor } from '../editor.ts';
import type { Place } from '../input/keymap-table.ts';
import { plain } from '../spans.ts';

/** What a confirmation does when it is given. */
export type Ask =
  | { do: 'close'; workspace: number }
  | { do: 'remove'; workspace: number; discard: boolean }
  | { do: 'close-terminal'; terminal: number }
  | { do: 'remove-comment'; comment: number }
  /** A text that was begun and left. */
  | { do: 'drop-draft'; key: string }
  | { do: 'discard'; params: Params<'hunk.apply'> }
  /** The commands of the repository's `.herd.toml` may run; or, `run` false, the worktree is made without them. */
  | { do: 'allow-setup'; settings: Result<'worktree.settings'>; run: boolean };

/** What a one-line question is for. */
export type InputPurpose =
  | { for: 'rename'; workspace: number }
  | { for: 'answer'; workspace: number; dialog: string }
  | { for: 'copy-search'; back: boolean }
  | { for: 'diff-search' }
  | { for: 'diff-line' }
  | { for: 'diff-base'; workspace: number }
  /** The list shows what fits while one types; `before` comes back when one leaves. */
  | { for: 'filter-files'; before: string };

export type NewField = 'repository' | 'name' | 'base' | 'agent' | 'prompt';
export const NEW_FIELDS: NewField[] = ['repository', 'name', 'base', 'agent', 'prompt'];
/** Fields whose value is chosen with the arrows, not typed. */
type ChoiceField = 'repository' | 'agent';

/** The field is chosen among what there is, not typed. */
export function isChoice(field: NewField): field is ChoiceField {
  return field === 'repository' || field === 'agent';
}

export interface NewForm {
  /** Main worktree or bare folder it is made in; null: what the server finds where the client stands. */
  repository: string | null;
  /** Those of the session and the one the person stands in. */
  repositories: readonly string[];
  field: NewField;
  name: Editor;
  base: Editor;
  /** Kind chosen; null for a plain shell. */
  agent: string | null;
  prompt: Editor;
  /** Worktrees that exist and have no workspace yet; one may be taken instead of a new name (index, or null). */
  worktrees: readonly { path: string; branch: string | null }[];
  worktree: number | null;
  busy: boolean;
  error: string | null;
}

export type Overlay =
  | { kind: 'workspaces'; query: Editor; at: number }
  | { kind: 'attention'; at: number }
  | { kind: 'board'; at: number }
  | { kind: 'new'; form: NewForm }
  | {
      kind: 'prompt';
      workspace: number /** Prompt in the queue that is edited, or null for a new one. */;
      prompt: number | null;
      /** Other workspaces that a new prompt goes to as well. */
      also?: readonly number[];
      editor: Editor;
      busy: boolean;
    }
  | { kind: 'queue'; workspace: number; at: number }
  | {
      kind: 'comment';
      workspace: number;
      target: CommentTarget;
      /** The comment that is edited or replied to; null for a new one. */
      comment: number | null;
      reply: boolean;
      excerpt: readonly string[];
      editor: Editor;
      busy: boolean;
    }
  | { kind: 'comments'; workspace: number; at: number; filter: CommentFilter }
  | {
      kind: 'preview';
      workspace: number;
      /** Workspace whose agent gets it. */
      to: number;
      comments: readonly number[];
      editor: Editor;
      original: string;
      busy: boolean;
    }
  | { kind: 'commit'; workspace: number; amend: boolean; editor: Editor; busy: boolean }
  /** Lines to read; null while they are asked for. */
  | { kind: 'explain'; workspace: number; title: string; lines: readonly ExplainLine[] | null; top: number }
  | { kind: 'confirm'; ask: Ask; title: string; lines: readonly string[]; yes: string; other: string | null }
  | { kind: 'palette'; query: Editor; at: number }
  | { kind: 'help'; query: Editor; at: number }
  | { kind: 'input'; purpose: InputPurpose; label: string; editor: Editor };

/** What the list of comments shows. */
export const COMMENT_FILTERS = ['all', 'open', 'draft', 'sent', 'addressed', 'resolved', 'gone', 'agent', 'closed'] as const;
export type CommentFilter = (typeof COMMENT_FILTERS)[number];

export interface ExplainLine {
  text: string;
  tone: 'head' | 'plain' | 'dim' | 'screen' | 'said';
}

export type OverlayKind = Overlay['kind'];
export type OverlayOf<K extends OverlayKind> = Extract<Overlay, { kind: K }>;

const PLACES: Record<OverlayKind, Place> = {
  workspaces: 'picker',
  palette: 'picker',
  help: 'picker',
  attention: 'list',
  board: 'list',
  queue: 'list',
  comments: 'list',
  explain: 'list',
  confirm: 'dialog',
  new: 'editor',
  prompt: 'editor',
  comment: 'editor',
  preview: 'editor',
  commit: 'editor',
  input: 'editor',
};

/** Which table of keys an overlay takes. */
export function placeOfOverlay(overlay: Overlay): Place {
  return PLACES[overlay.kind];
}

/**
 * What a draft is kept under, its workspace first; null for overlays without text of worth. That of a new comment ends with what its code
 * says: lines move on while it waits.
 */
export function draftKey(overlay: Overlay): string | null {
  if (overlay.kind === 'prompt') return `${overlay.workspace}:${overlay.prompt === null ? 'prompt' : `queued:${overlay.prompt}`}`;
  if (overlay.kind === 'commit') return `${overlay.workspace}:${overlay.amend ? 'amend' : 'commit'}`;
  // The words put into a review are about the comments that it was made of.
  if (overlay.kind === 'preview') return `${overlay.workspace}:review:${textMark([overlay.original])}`;
  if (overlay.kind !== 'comment') return null;
  if (overlay.comment !== null) return `${overlay.workspace}:${overlay.reply ? 'reply' : 'edit'}:${overlay.comment}`;
  const { path, side, range, seen } = overlay.target;
  const lines = range ? `${range.start}-${range.end}:${textMark(seen?.lines ?? [])}` : '';
  return `${overlay.workspace}:new:${path ?? ''}:${side}:${lines}`;
}

/** What the draft of a key is, for people: "comment on src/a.ts:12". */
export function draftName(key: string): string {
  const [, what, rest = ''] = /^\d+:(\w+):?(.*)$/s.exec(key) ?? [];
  switch (what) {
    case 'new': {
      const { path = null, range } = readNewKey(key) ?? {};
      return `comment on ${path === null ? 'the whole change' : plain(range ? `${path}:${range.start}` : path)}`;
    }
    case 'reply':
      return `reply to #${rest}`;
    case 'edit':
      return `comment #${rest}`;
    case 'queued':
      return 'a waiting prompt';
    case 'review':
      return 'review';
    default:
      return what === 'prompt' ? 'prompt' : 'commit message';
  }
}

/** What the key of a new comment's draft says; null for any other. `mark` is that of its lines. */
export function readNewKey(
  key: string,
): { workspace: number; path: string | null; side: Side; range: { start: number; end: number } | null; mark: string | null } | null {
  const [, workspace, path, side, start, end, mark] = /^(\d+):new:(.*):(old|new):(?:(\d+)-(\d+):(\w+))?$/s.exec(key) ?? [];
  if (workspace === undefined) return null;
  const range = start === undefined ? null : { start: Number(start), end: Number(end) };
  return { workspace: Number(workspace), path: path || null, side: side as Side, range, mark: mark ?? null };
}

/** Short, and another for another text as good as always: FNV-1a. */
export function textMark(lines: readonly string[]): string {
  let mark = 0x811c9dc5;
  for (const char of lines.join('\n')) mark = Math.imul(mark ^ char.codePointAt(0)!, 0x01000193);
  return (mark >>> 0).toString(36);
}

/** The editor that takes typing, of the overlay on top; null when none does. */
export function editorOf(overlay: Overlay): Editor | null {
  switch (overlay.kind) {
    case 'workspaces':
    case 'palette':
    case 'help':
      return overlay.query;
    case 'new':
      return isChoice(overlay.form.field) ? null : overlay.form[overlay.form.field];
    case 'prompt':
    case 'comment':
    case 'preview':
    case 'commit':
    case 'input':
      return overlay.editor;
    default:
      return null;
  }
}

/** The overlay with another editor in the same place; a changed query starts at the first hit again. */
export function withEditor(overlay: Overlay, editor: Editor): Overlay {
  switch (overlay.kind) {
    case 'workspaces':
    case 'palette':
    case 'help':
      return { ...overlay, query: editor, at: editor.text === overlay.query.text ? overlay.at : 0 };
    case 'new':
      return { ...overlay, form: { ...overlay.form, [overlay.form.field]: editor, error: null } };
    case 'prompt':
    case 'comment':
    case 'preview':
    case 'commit':
    case 'input':
      return { ...overlay, editor };
    default:
      return overlay;
  }
}
