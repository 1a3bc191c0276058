// The stack of overlays in the client's state: open, close, change. Text begun in one that is closed stays as a draft.
import { createEditor } from '../editor.ts';
import { draftKey, type Overlay, type OverlayKind, type OverlayOf } from './overlay.ts';
import type { ClientState } from './state.ts';

export function topOverlay(state: ClientState): Overlay | null {
  return state.overlays.at(-1) ?? null;
}

export function openOverlay(state: ClientState, overlay: Overlay): ClientState {
  const below = state.overlays.filter((open) => open.kind !== overlay.kind);
  return { ...state, overlays: [...below, overlay], prefix: false, notice: null };
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
  const drafts = key !== null && key in state.drafts ? withoutKey(state.drafts, key) : state.drafts;
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
  if (key === null || !('editor' in overlay)) return drafts;
  if (overlay.editor.text.trim() === '') return key in drafts ? withoutKey(drafts, key) : drafts;
  return { ...drafts, [key]: overlay.editor.text };
}

function withoutKey<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}

/** The overlay with its kept draft in the editor, if there is one. */
export function withDraft<O extends OverlayOf<'prompt' | 'comment' | 'commit'>>(state: ClientState, overlay: O): O {
  const key = draftKey(overlay);
  const draft = key === null ? undefined : state.drafts[key];
  return draft === undefined ? overlay : { ...overlay, editor: createEditor(draft) };
}
