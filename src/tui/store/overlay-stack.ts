// The stack of overlays in the client's state: open, close, change. Text begun in one that is closed stays as a draft.
import { createEditor } from '../editor.ts';
import { draftKey, type Overlay, type OverlayKind, type OverlayOf } from './overlay.ts';
import type { ClientState } from './state.ts';

/** The overlay that gets the keys; null when none is open. */
export function topOverlay(state: ClientState): Overlay | null {
  return state.overlays.at(-1) ?? null;
}

/** Puts an overlay on top. One of its kind that was open goes, and text begun in it stays as a draft. */
export function openOverlay(state: ClientState, overlay: Overlay): ClientState {
  const below = state.overlays.filter((open) => open.kind !== overlay.kind);
  const drafts = state.overlays.filter((open) => open.kind === overlay.kind).reduce(keepDraft, state.drafts);
  return { ...state, overlays: [...below, overlay], drafts, prefix: false, notice: null };
}

/** Closes the top overlay; text begun in it stays as a draft. */
export function closeOverlay(state: ClientState): ClientState {
  const top = topOverlay(state);
  if (!top) return state;
  const drafts = keepDraft(state.drafts, top);
  return { ...state, overlays: state.overlays.slice(0, -1), drafts };
}

/** Closes the overlay of a kind wherever it lies, and forgets its draft: what it was for is done. */
export function finishOverlay(state: ClientState, kind: OverlayKind): ClientState {
  const found = state.overlays.find((open) => open.kind === kind);
  if (!found) return state;
  const key = draftKey(found);
  const drafts = key === null ? state.drafts : withDraft(state.drafts, key, null);
  return { ...state, overlays: state.overlays.filter((open) => open !== found), drafts };
}

/** The top overlay changed by `change`, if it is of the kind. */
export function changeOverlay<K extends OverlayKind>(
  state: ClientState,
  kind: K,
  change: (overlay: OverlayOf<K>) => OverlayOf<K>,
): ClientState {
  const index = state.overlays.findLastIndex((open) => open.kind === kind);
  if (index < 0) return state;
  const before = state.overlays[index] as OverlayOf<K>;
  const after = change(before);
  return after === before ? state : { ...state, overlays: state.overlays.with(index, after) };
}

function keepDraft(drafts: ClientState['drafts'], overlay: Overlay): ClientState['drafts'] {
  const key = draftKey(overlay);
  // What was opened and left as it was is nothing that was begun.
  if (key === null || !('editor' in overlay) || overlay.editor.undo.length === 0) return drafts;
  const { text } = overlay.editor;
  return withDraft(drafts, key, text.trim() === '' ? null : text);
}

/** The drafts with this text under the key; without it for null. */
export function withDraft(drafts: ClientState['drafts'], key: string, text: string | null): ClientState['drafts'] {
  if (text !== null) return { ...drafts, [key]: text };
  if (!(key in drafts)) return drafts;
  const { [key]: _gone, ...others } = drafts;
  return others;
}

/** Opens an overlay to write in, with the draft that was kept for it, if there is one. */
export function openWriting(state: ClientState, overlay: OverlayOf<'prompt' | 'comment' | 'commit' | 'preview'>): ClientState {
  const key = draftKey(overlay);
  const found = key === null ? undefined : findDraft(state.drafts, key);
  if (key === null || found === undefined) return openOverlay(state, overlay);
  const text = state.drafts[found]!;
  const drafts = withDraft(withDraft(state.drafts, found, null), key, text);
  const editor = createEditor(text);
  // A review is read from its beginning, anything else is gone on with.
  return openOverlay({ ...state, drafts }, { ...overlay, editor: overlay.kind === 'preview' ? { ...editor, caret: 0 } : editor });
}

/** The draft of that key; for a comment's also the one whose code says the same on other lines now. */
function findDraft(drafts: ClientState['drafts'], key: string): string | undefined {
  if (drafts[key] !== undefined) return key;
  const [, start, mark] = /^(\d+:new:.*:(?:old|new):)\d+-\d+(:\w+)$/s.exec(key) ?? [];
  if (start === undefined || mark === undefined) return undefined;
  return Object.keys(drafts).find(
    (other) => other.startsWith(start) && other.endsWith(mark) && /^\d+-\d+:/.test(other.slice(start.length)),
  );
}

/** All that is begun and not saved: what was left, and what is being written. */
export function draftsOf({ drafts, overlays }: Pick<ClientState, 'drafts' | 'overlays'>): ClientState['drafts'] {
  return overlays.reduce(keepDraft, drafts);
}
