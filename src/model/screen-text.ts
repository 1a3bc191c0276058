// A screen as text with the attributes that mean something: what the agent rules, delivery and `herd explain` look at.

/** A run of cells with the same looks, in columns [from, to). Runs with default looks are left out. */
export interface TextRun {
  from: number;
  to: number;
  dim: boolean;
  bold: boolean;
  inverse: boolean;
  italic: boolean;
  /** '#rrggbb', a palette index, or null for default. */
  fg: string | number | null;
  bg: string | number | null;
}

export interface ScreenLine {
  /** Text without trailing blanks; one string index per column where all is narrow, else see `columns`. */
  text: string;
  /** Continues on the next line by automatic wrap. */
  wrapped: boolean;
  runs: TextRun[];
}

export interface ScreenText {
  cols: number;
  rows: number;
  lines: readonly ScreenLine[];
  cursor: { x: number; y: number; visible: boolean };
  alternate: boolean;
  bracketedPaste: boolean;
  /** The program asked for kitty keyboard flags (0 none). */
  kittyFlags: number;
}

/** The same rows, as objects, and the same cursor and modes. */
export function isSameText(a: ScreenText, b: ScreenText): boolean {
  return (
    a.lines === b.lines &&
    a.cols === b.cols &&
    a.cursor.x === b.cursor.x &&
    a.cursor.y === b.cursor.y &&
    a.cursor.visible === b.cursor.visible &&
    a.alternate === b.alternate &&
    a.bracketedPaste === b.bracketedPaste &&
    a.kittyFlags === b.kittyFlags
  );
}
