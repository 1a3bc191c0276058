// What the pinned parser does wrong and a program could run into: the same result without the fault. Nothing else is overridden here.
import type { IParser } from '@xterm/headless';
import type { XCore } from './xterm.ts';

/**
 * Erasing up to the cursor throws in the parser when the cursor stands in the last cell of a buffer without scrollback: it marks the row
 * below, which there is none. There, all rows above are erased as from one column before it, and the row itself by EL.
 */
export function mendParser(core: XCore, parser: IParser): void {
  for (const prefix of [undefined, '?']) {
    parser.registerCsiHandler({ prefix, final: 'J' }, (params) => {
      const buffer = core.buffers.active;
      const last = !buffer.lines.get(buffer.ybase + buffer.y + 1);
      if (params[0] !== 1 || !last || buffer.x + 1 < core.cols) return false;
      const { x } = buffer;
      const upTo = { params: [1], length: 1 };
      buffer.x = core.cols - 2;
      core._inputHandler.eraseInDisplay(upTo, prefix === '?');
      buffer.x = x;
      core._inputHandler.eraseInLine(upTo, prefix === '?');
      return true;
    });
  }
}
