// The addon that gives @xterm/headless graphemes, loaded so that its table is right under Node, as the second judge of widths.
import { createRequire } from 'node:module';

export interface AddonWidths {
  wcwidth(code: number): number;
  getStringCellWidth(text: string): number;
  charProperties(code: number, before: number): number;
}

/** The addon reads its table at offset 0 of a pooled Buffer: without a pool, offset 0 is right. */
export function loadAddon(): AddonWidths {
  const require = createRequire(import.meta.url);
  const pool = Buffer.poolSize;
  Buffer.poolSize = 0;
  const { Terminal } = require('@xterm/headless');
  const { UnicodeGraphemesAddon } = require('@xterm/addon-unicode-graphemes');
  const terminal = new Terminal({ allowProposedApi: true });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  Buffer.poolSize = pool;
  const widths = terminal._core.unicodeService as AddonWidths;
  if (widths.wcwidth(0x1f600) !== 2) throw new Error('the graphemes addon was loaded with a wrong table');
  return widths;
}
