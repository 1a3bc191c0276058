// How a workspace's panes share the room: the nouns that clients draw by and the server keeps.

/** A pane of a workspace: a terminal by its id, or the diff. */
export type PaneId = number | 'diff';

/** How panes share a place. `ratio` (0-1) is the first one's share. */
export type PaneTree = { pane: PaneId } | { split: 'beside' | 'stacked'; ratio: number; first: PaneTree; second: PaneTree };

export interface PaneArrangement {
  tree: PaneTree;
  focus: PaneId;
  /** Only the focused pane is shown. */
  zoom: boolean;
}
