// Where rows leave the normal screen's live rows: by scrolling, and when a resize wraps them anew. The parser drops them without a word;
// here each is shown first to whoever keeps them, with the row below it.
import type { Emulator, XCore, XLine } from './xterm.ts';

/** Takes a row that leaves, with the row below it. */
export type Leave = (row: XLine, next: XLine | undefined) => void;

/** Has `leave` called with each row of the normal screen that scrolling is about to drop, and with the row below it. */
export function watchScroll(core: XCore, leave: Leave): void {
  const service = core._bufferService;
  const scroll = service.scroll.bind(service);
  service.scroll = (attributes, wrapped) => {
    const { buffer } = service;
    if (buffer.scrollTop === 0 && buffer.lines.isFull && buffer === core.buffers.normal) leave(buffer.lines.get(0)!, buffer.lines.get(1));
    scroll(attributes, wrapped);
  };
}

/** Resizes; rows for which there is no room above the screen any more leave as in `watchScroll`. */
export function resizeEmulator({ terminal, core }: Emulator, cols: number, rows: number, leave: Leave) {
  const { rawOptions } = core.optionsService;
  const { scrollback } = rawOptions;
  const { normal } = core.buffers;
  // Room for everything while it is wrapped anew: the parser would drop rows without a word.
  rawOptions.scrollback = (scrollback + core.rows) * Math.ceil(core.cols / Math.max(1, cols - 1)) + scrollback;
  terminal.resize(cols, rows);
  rawOptions.scrollback = scrollback;
  const spare = normal.lines.length - (rows + scrollback);
  for (let i = 0; i < spare; i++) leave(normal.lines.get(i)!, normal.lines.get(i + 1));
  if (spare > 0) {
    normal.lines.trimStart(spare);
    normal.ybase = Math.max(normal.ybase - spare, 0);
    normal.ydisp = Math.max(normal.ydisp - spare, 0);
    normal.savedY = Math.max(normal.savedY - spare, 0);
  }
  normal.lines.maxLength = rows + scrollback;
}
