// What Ink draws for an element on a screen of a given size, as lines of ANSI text. For tests and pictures of the chrome alone.
import { EventEmitter } from 'node:events';
import { type Instance, render } from 'ink';
import type { ReactElement } from 'react';

class Screen extends EventEmitter {
  readonly columns: number;
  readonly rows: number;
  readonly isTTY = true;
  last = '';
  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }
  write = (frame: string): boolean => {
    if (frame.includes('\n') || frame.trim() !== '') this.last = frame;
    return true;
  };
}

/** The frame's lines with their SGR; `plainText` of it has none. */
export function drawChrome(element: ReactElement, cols: number, rows: number): string {
  const screen = new Screen(cols, rows);
  const app: Instance = render(element, {
    stdout: screen as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const frame = screen.last;
  app.unmount();
  return frame;
}

/** Without SGR, trailing blanks cut. */
export function plainText(ansi: string): string {
  return ansi
    .replace(/\x1b\[[0-9;:]*m/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
