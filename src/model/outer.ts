// What is known of the terminal a client runs in; programs in panes are told its colours and cell size.

export interface OuterTerminal {
  /** XTVERSION answer or TERM_PROGRAM; '' when unknown. */
  name: string;
  /** '#rrggbb'; null when it did not say. */
  foreground: string | null;
  background: string | null;
  cursor: string | null;
  palette: (string | null)[];
  dark: boolean | null;
  /** Cell size in pixels. */
  cell: { width: number; height: number } | null;
}

/** The part that programs in panes may ask for. */
export type OuterColours = Pick<OuterTerminal, 'foreground' | 'background' | 'cursor' | 'palette' | 'dark' | 'cell'>;

/** Colours of a terminal nobody has looked at yet: light grey on black. */
export const UNKNOWN_OUTER: OuterColours = { foreground: null, background: null, cursor: null, palette: [], dark: null, cell: null };
