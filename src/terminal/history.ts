// What has scrolled out of one terminal's live rows, append-only, as logical lines of SGR text: wrapped rows are joined, so readers wrap
// at their own width. Lines are numbered from the terminal's start and keep their numbers. A row is in the live buffer or here, never
// in both and never in neither.
import type { XLine } from './xterm.ts';

/** How far the history had come at a moment: kept in a checkpoint, so that the next server goes on from there. */
export interface HistoryMark {
  epoch: number;
  /** Lines begun since the terminal's start. */
  lines: number;
  /** Cells of the last line when it goes on in the live rows; 0 when it has ended. */
  open: number;
  /** First line of the epoch. */
  since: number;
  /** First line of the block being written, and bytes in it; null when none has been begun. */
  block: { first: number; bytes: number } | null;
}

/** What a screen needs of a history; `History` writes files, a screen without one only counts. */
export interface HistorySink {
  /** Takes the row that is about to leave; `next` is the row below it, which may go on with its line. */
  row(row: XLine, next: XLine | undefined, cols: number): void;
  /** The program erased what had scrolled off: what it prints next is no continuation. */
  endEpoch(): void;
  readonly lines: number;
  readonly open: number;
  /** More is waiting to be written than may be: stop feeding until `drained` resolves. */
  readonly full: boolean;
  drained(): Promise<void>;
  mark(): HistoryMark;
  /** Goes back to a mark (null: to nothing): what was written since will be written again. */
  rewind(mark: HistoryMark | null): void;
  /** Oldest line there is. */
  readonly first: number;
  /** First line since the program last erased its history. */
  readonly since: number;
  /** Lines [from, from + count) as SGR text without line ends. */
  read(from: number, count: number): string[];
}
