// Ink's frames as cells: it renders into a stream that is no terminal, reads from one that never speaks, and never sees the tty. What lies
// above the panes passes through here, never a pane. Importing this file loads Ink: see overlays.ts.
import { Readable, Writable } from 'node:stream';
import type { ReactElement } from 'react';
import { createGrid, type Grid } from '../model/cell.ts';
import { writeStyled } from './styled-cells.ts';

// Colours are mapped down by the compositor; Ink's own guess, made when it is loaded, must not come before. Node warns of both variables
// at once, on the person's screen.
const { FORCE_COLOR, NO_COLOR } = process.env;
process.env.FORCE_COLOR = '3';
delete process.env.NO_COLOR;
const { render } = await import('ink');
delete process.env.FORCE_COLOR;
Object.assign(process.env, FORCE_COLOR !== undefined && { FORCE_COLOR }, NO_COLOR !== undefined && { NO_COLOR });

/** Clusters and links of old frames at which the grid's tables are started anew. */
const MAX_TABLE = 1000;

export interface InkLayer {
  /** The last frame; another object after a resize. */
  readonly grid: Grid;
  /** Replaces the whole tree, as React does. */
  render(element: ReactElement): void;
  resize(cols: number, rows: number): void;
  close(): void;
}

/** Renders `element` into cells, at once. */
export function createInkLayer(element: ReactElement, cols: number, rows: number): InkLayer {
  const paper = new Paper(cols, rows);
  const silence = new Readable({ read() {} });
  const instance = render(element, {
    stdout: paper,
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stdin: silence,
    // Whole frames as they are committed: no cursor moves, no erasing, no timer of Ink's.
    debug: true,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  return {
    get grid() {
      return paper.grid;
    },
    render: (next) => instance.rerender(next),
    resize: (nextCols, nextRows) => paper.resize(nextCols, nextRows),
    close: () => {
      paper.close();
      instance.unmount();
      silence.destroy();
    },
  };
}

/** The stream Ink writes to. Keeps the lines of the last frame, so that only changed ones become cells again. */
class Paper extends Writable {
  columns: number;
  rows: number;
  isTTY = true;
  grid: Grid;
  #lines: string[] = [];
  #closed = false;

  constructor(cols: number, rows: number) {
    super({ decodeStrings: false });
    this.columns = cols;
    this.rows = rows;
    this.grid = createGrid(cols, rows);
  }

  resize(cols: number, rows: number): void {
    this.columns = cols;
    this.rows = rows;
    this.grid = createGrid(cols, rows);
    this.#lines = [];
    this.emit('resize');
  }

  close(): void {
    this.#closed = true;
  }

  override _write(frame: string, _encoding: string, done: () => void): void {
    if (!this.#closed) this.#take(String(frame));
    done();
  }

  /** Only lines that differ from the last frame's become cells again. */
  #take(frame: string): void {
    const lines = frame.split('\n');
    const { tables } = this.grid;
    if (tables.clusters.length > MAX_TABLE || tables.links.length > 200) {
      this.grid = createGrid(this.columns, this.rows);
      this.#lines = [];
    }
    for (let y = 0; y < this.rows; y++) {
      const line = lines[y] ?? '';
      if (line !== this.#lines[y]) writeStyled(this.grid, y, line);
    }
    this.#lines = lines;
  }
}
