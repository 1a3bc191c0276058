// The rows of a screen as a dialog is looked for in them. What a row is found to be is found once, for as long as it stands where it does:
// a look at an agent changes few rows.
import type { ScreenLine } from '../model/screen-text.ts';

/** Sides of boxes, and the scroll bar at the right, whose thumb moves while a dialog waits. */
const SIDE = /^\s*[│┃║▌▎]|[│┃║█▐]\s*$/gu;
const NUMBERED = /^(\s*)(?:([❯›>●→▶▸▷▹➤➜◉☞*])\s*)?\[?\(?(\d{1,2})[.)\]:]\s+(\S.*)$/u;
const POINTED = /^(\s*)([❯›→▶▸▷▹➤➜●◉☞>])\s+(\S.*)$/u;
const KEY = /(\b(enter|return|esc|escape|tab|space|ctrl[+-]\w|\^\w)\b|\^\w|[↑↓⇆←→↵⏎])/giu;
const LETTERS = /(?<=^|\s)[[(]([a-z0-9]|esc|enter)[\])]\s?[\p{L}][^[(]*/giu;
const PRESS =
  /\bpress (any key|enter|return|space|y)\b.{0,12}\b(continue|proceed|confirm|accept|agree|start|begin|open|close|dismiss|exit|quit|skip|retry|log ?in|sign ?in|authorize|select)\b/iu;

/** A row that begins as an option does; its label begins at `column`. */
export interface ListItem {
  column: number;
  number: number | null;
  label: string;
  pointed: boolean;
}

/** What one row is by its form, each found out once. */
export class RowForm {
  readonly line: ScreenLine;
  #bare: string | undefined;
  #numbered: ListItem | null | undefined;
  #pointed: ListItem | null | undefined;
  #keys: number | undefined;
  #press: boolean | undefined;
  #lettered: readonly RegExpExecArray[] | undefined;

  constructor(line: ScreenLine) {
    this.line = line;
  }

  /** The text without a box's sides, its columns kept; '' where nothing else stands. */
  get bare(): string {
    this.#bare ??= this.line.text.replace(SIDE, (side) => ' '.repeat(side.length)).trimEnd();
    return this.#bare;
  }

  /** Begins with a number, with or without a pointer before it. */
  get numbered(): ListItem | null {
    if (this.#numbered === undefined) this.#numbered = readNumbered(this.bare);
    return this.#numbered;
  }

  /** Begins with a pointer. */
  get pointed(): ListItem | null {
    if (this.#pointed === undefined) {
      const found = POINTED.exec(this.bare);
      this.#pointed = found && { column: found[0].length - found[3]!.length, number: null, label: found[3]!, pointed: true };
    }
    return this.#pointed;
  }

  /** How many names of keys stand in it. */
  get keys(): number {
    this.#keys ??= countKeys(this.bare);
    return this.#keys;
  }

  /** "Press Enter to continue" and its like. */
  get saysPress(): boolean {
    this.#press ??= PRESS.test(this.bare);
    return this.#press;
  }

  /** "[y] Approve", "(n) Deny": the key is the first group. */
  get lettered(): readonly RegExpExecArray[] {
    this.#lettered ??= [...this.bare.matchAll(LETTERS)];
    return this.#lettered;
  }

  /** The row has nothing in it but `lettered`. */
  get onlyLettered(): boolean {
    return this.bare.replace(LETTERS, '').trim() === '';
  }
}

/** The option that a row with a number at its beginning is; null for any other row. */
export function readNumbered(row: string): ListItem | null {
  const found = NUMBERED.exec(row);
  if (!found) return null;
  const label = found[4]!;
  return { column: found[0].length - label.length, number: Number(found[3]), label, pointed: found[2] !== undefined };
}

/** How many names of keys stand in a row. */
export function countKeys(row: string): number {
  return row.match(KEY)?.length ?? 0;
}

/** The rows of a screen that is looked at again and again. */
export class RowForms {
  #forms: RowForm[] = [];

  /** One per row; the same object for a row that is the same object as before. */
  of(lines: readonly ScreenLine[]): readonly RowForm[] {
    const before = this.#forms;
    this.#forms = lines.map((line, y) => (before[y]?.line === line ? before[y] : new RowForm(line)));
    return this.#forms;
  }
}
