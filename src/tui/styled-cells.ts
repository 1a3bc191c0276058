// One line of styled text (SGR, OSC 8 links and text, as Ink writes it) to cells of a grid's row. Everything else in it is dropped.
import {
  BLANK,
  BLINK,
  BOLD,
  CELL_WORDS,
  CLUSTER,
  COLOR_MASK,
  COLOR_PALETTE,
  COLOR_RGB,
  DIM,
  type Grid,
  INVERSE,
  INVISIBLE,
  ITALIC,
  LINK_SHIFT,
  OVERLINE,
  STRIKE,
  UNDERLINE_SHIFT,
  WIDTH_SHIFT,
} from '../model/cell.ts';
import { clusters } from '../model/width.ts';

const MAX_LINKS = 255;

/** Looks that SGR codes switch on and off, as bits of words 1 and 2. */
const ON: Record<number, [fg: number, bg: number]> = {
  1: [BOLD, 0],
  2: [0, DIM],
  3: [0, ITALIC],
  5: [BLINK, 0],
  7: [INVERSE, 0],
  8: [INVISIBLE, 0],
  9: [STRIKE, 0],
  53: [0, OVERLINE],
};
const OFF: Record<number, [fg: number, bg: number]> = {
  22: [BOLD, DIM],
  23: [0, ITALIC],
  25: [BLINK, 0],
  27: [INVERSE, 0],
  28: [INVISIBLE, 0],
  29: [STRIKE, 0],
  55: [0, OVERLINE],
};

/** Writes `line` into row `y`, cut at the grid's right edge, blanks behind it. Looks start as default. */
export function writeStyled(grid: Grid, y: number, line: string): void {
  const pen = new Pen(grid, y);
  let at = 0;
  while (at < line.length) {
    const start = line.indexOf('\x1b', at);
    pen.text(start < 0 ? line.slice(at) : line.slice(at, start));
    if (start < 0) break;
    at = pen.escape(line, start);
  }
  pen.finish();
}

class Pen {
  readonly #grid: Grid;
  readonly #row: number;
  #x = 0;
  #fg = 0;
  #bg = 0;
  #ul = 0;
  #link = 0;

  constructor(grid: Grid, y: number) {
    this.#grid = grid;
    this.#row = y * grid.cols;
  }

  text(text: string): void {
    if (/^[ -~]*$/.test(text)) {
      for (let i = 0; i < text.length; i++) this.#put(text.charCodeAt(i), 1);
      return;
    }
    for (const cluster of clusters(text)) {
      if (cluster.width === 0) continue;
      const code = cluster.text.codePointAt(0)!;
      this.#put(cluster.text.length > (code > 0xffff ? 2 : 1) ? CLUSTER | this.#cluster(cluster.text) : code, cluster.width);
    }
  }

  /** The escape sequence at `at`; returns where it ends. */
  escape(line: string, at: number): number {
    const csi = /^\x1b\[([0-9;:]*)([^0-9;:])/.exec(line.slice(at, at + 80));
    if (csi) {
      if (csi[2] === 'm') this.#sgr(csi[1]!);
      return at + csi[0].length;
    }
    if (line[at + 1] !== ']') return at + 2;
    const end = /\x07|\x1b\\/.exec(line.slice(at));
    if (!end) return line.length;
    const link = /^8;[^;]*;(.*)$/s.exec(line.slice(at + 2, at + end.index));
    if (link) this.#link = this.#linkSlot(link[1]!);
    return at + end.index + end[0].length;
  }

  finish(): void {
    const { cells, cols } = this.#grid;
    for (let i = (this.#row + this.#x) * CELL_WORDS; i < (this.#row + cols) * CELL_WORDS; i += CELL_WORDS) {
      cells[i] = BLANK;
      cells[i + 1] = cells[i + 2] = cells[i + 3] = 0;
    }
  }

  #put(code: number, width: number): void {
    const { cells, cols } = this.#grid;
    if (this.#x + width > cols) return;
    const i = (this.#row + this.#x) * CELL_WORDS;
    this.#cell(cells, i, (code | (width << WIDTH_SHIFT) | (this.#link << LINK_SHIFT)) >>> 0);
    if (width === 2) this.#cell(cells, i + CELL_WORDS, 0);
    this.#x += width;
  }

  #cell(cells: Uint32Array, i: number, word: number): void {
    cells[i] = word;
    cells[i + 1] = this.#fg;
    cells[i + 2] = this.#bg;
    cells[i + 3] = this.#ul;
  }

  #cluster(text: string): number {
    const { clusters } = this.#grid.tables;
    const known = clusters.indexOf(text);
    return known >= 0 ? known : clusters.push(text) - 1;
  }

  #linkSlot(address: string): number {
    const { links } = this.#grid.tables;
    if (address === '') return 0;
    const known = links.indexOf(address);
    if (known > 0) return known;
    return links.length > MAX_LINKS ? 0 : links.push(address) - 1;
  }

  #sgr(params: string): void {
    const codes = params.split(';');
    for (let k = 0; k < codes.length; k++) {
      const [head = '', sub] = codes[k]!.split(':');
      const code = Number(head);
      if (code === 38 || code === 48) k += this.#extended(code, codes.slice(k + 1).map(Number));
      else this.#simple(code, sub);
    }
  }

  #simple(code: number, sub: string | undefined): void {
    if (code === 0) this.#fg = this.#bg = this.#ul = 0;
    else if (code === 4) this.#ul = (this.#ul & COLOR_MASK) | ((sub === undefined ? 1 : Number(sub) & 7) << UNDERLINE_SHIFT);
    else if (code === 24) this.#ul &= COLOR_MASK;
    else if (ON[code]) {
      this.#fg |= ON[code][0];
      this.#bg |= ON[code][1];
    } else if (OFF[code]) {
      this.#fg &= ~OFF[code][0];
      this.#bg &= ~OFF[code][1];
    } else if (code >= 30 && code <= 37) this.#color(38, COLOR_PALETTE | (code - 30));
    else if (code >= 90 && code <= 97) this.#color(38, COLOR_PALETTE | (code - 82));
    else if (code >= 40 && code <= 47) this.#color(48, COLOR_PALETTE | (code - 40));
    else if (code >= 100 && code <= 107) this.#color(48, COLOR_PALETTE | (code - 92));
    else if (code === 39) this.#color(38, 0);
    else if (code === 49) this.#color(48, 0);
  }

  /** 38 or 48 with what follows; returns how many parameters that took. */
  #extended(target: 38 | 48, [kind, a = 0, b = 0, c = 0]: number[]): number {
    if (kind === 5) {
      this.#color(target, COLOR_PALETTE | (a & 255));
      return 2;
    }
    if (kind !== 2) return 1;
    this.#color(target, COLOR_RGB | ((a & 255) << 16) | ((b & 255) << 8) | (c & 255));
    return 4;
  }

  #color(target: 38 | 48, color: number): void {
    if (target === 38) this.#fg = ((this.#fg & ~COLOR_MASK) | color) >>> 0;
    else this.#bg = ((this.#bg & ~COLOR_MASK) | color) >>> 0;
  }
}
