// How a person left the diff of a workspace, so that they find it so again, in whatever client they come back.
import type { Scope } from './changeset.ts';
import type { Side } from './comment.ts';

export interface DiffArrangement {
  scope: Scope;
  layout: 'auto' | 'split' | 'stack';
  wrap: boolean;
  ignoreWhitespace: boolean;
  /** The list of files is open, with its cursor on this path. */
  list: { at: string | null } | null;
  /** It shows paths, not a tree. */
  flat: boolean;
  /** Files folded (true) or unfolded by hand, by path. */
  folds: Record<string, boolean>;
  /** Where the cursor was; null: at the very top, where one sees what comes in above. */
  at: DiffSpot | null;
}

/** A row of the stream, whatever the width it is drawn at. */
export interface DiffSpot {
  path: string;
  side: Side;
  /** The nearest line's number on that side, its text, and the rows from it to this one, negative above it; null: the file's header. */
  line: { number: number; text: string; off: number } | null;
  /** Row of the window that it stood on, from 0. */
  row: number;
}

/** Folds kept of one diff, the newest, and characters of a line that are enough to know it again. */
export const MAX_FOLDS = 2000;
export const KNOWN_BY = 200;
