// A picture of a terminal screen: ANSI text (as `tmux capture-pane -p -e` prints it) to SVG-free HTML with every cell in its place, then
// to PNG by a headless Chromium. `node test/support/screenshot.ts SCREEN.ansi OUT.png`; the folder of OUT must exist.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Looks {
  fg: string | null;
  bg: string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
}

const PLAIN: Looks = { fg: null, bg: null, bold: false, dim: false, italic: false, underline: false, strike: false, inverse: false };
/** A quiet dark ground, in which most users sit; and the sixteen colours that go with it. */
const GROUND = '#14171c';
const TEXT = '#d5dae2';
const SIXTEEN =
  '#2a2f37 #e06c65 #7fb77e #d9b55f #6ea8e6 #c58ad0 #62b6bf #c3c9d3 #5b6470 #ff8a80 #98d394 #f0cd7a #8fc1f5 #dba5e6 #80d3db #eef1f5'.split(
    ' ',
  );
/** Pixels of a cell. */
const CELL = { width: 9, height: 18, font: 15 };
const PADDING = 14;

/** The colour of an index in the 256-colour palette. */
export function paletteColor(index: number): string {
  if (index < 16) return SIXTEEN[index]!;
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join()})`;
  const level = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  const i = index - 16;
  return `rgb(${[Math.floor(i / 36), Math.floor(i / 6) % 6, i % 6].map(level).join()})`;
}

/** Looks after one SGR sequence's parameters. */
function applySgr(looks: Looks, params: string): Looks {
  const codes = params.replaceAll(':', ';').split(';').map(Number);
  let next = { ...looks };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) next = { ...PLAIN };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 9) next.strike = true;
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code === 29) next.strike = false;
    else if (code >= 30 && code <= 37) next.fg = SIXTEEN[code - 30]!;
    else if (code >= 90 && code <= 97) next.fg = SIXTEEN[code - 82]!;
    else if (code >= 40 && code <= 47) next.bg = SIXTEEN[code - 40]!;
    else if (code >= 100 && code <= 107) next.bg = SIXTEEN[code - 92]!;
    else if (code === 39) next.fg = null;
    else if (code === 49) next.bg = null;
    else if (code === 38 || code === 48 || code === 58) {
      const rgb = codes[i + 1] === 2;
      const color = rgb ? `rgb(${codes.slice(i + 2, i + 5).join()})` : paletteColor(codes[i + 2] ?? 0);
      if (code === 38) next.fg = color;
      if (code === 48) next.bg = color;
      i += rgb ? 4 : 2;
    }
  }
  return next;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** HTML of a screen; `cols` only sets its width. */
export function screenHtml(ansi: string, cols: number): string {
  const lines = ansi.replace(/\n$/, '').split('\n');
  let looks = PLAIN;
  const out: string[] = [];
  for (const [row, line] of lines.entries()) {
    let col = 0;
    for (const [, , params, , text] of line.matchAll(
      /(\x1b\[([0-9;:]*)m)|(\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][0-9A-B]|[\x0e\x0f])|([^\x1b\x0e\x0f]+)/g,
    )) {
      if (params !== undefined) looks = applySgr(looks, params);
      for (const { segment } of segmenter.segment(text ?? '')) {
        const width = WIDE.test(segment) ? 2 : 1;
        out.push(cellHtml(segment, looks, col, row, width));
        col += width;
      }
    }
  }
  const [width, height] = [cols * CELL.width + 2 * PADDING, lines.length * CELL.height + 2 * PADDING];
  return `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;background:${GROUND}}
body{position:relative;width:${width}px;height:${height}px;overflow:hidden;font:${CELL.font}px/${CELL.height}px "DejaVu Sans Mono",Menlo,monospace;color:${TEXT}}
i{position:absolute;font-style:normal;height:${CELL.height}px;white-space:pre;text-align:center}</style>${out.join('')}`;
}

function cellHtml(text: string, looks: Looks, col: number, row: number, width: number): string {
  const [fg, bg] = looks.inverse ? [looks.bg ?? GROUND, looks.fg ?? TEXT] : [looks.fg, looks.bg];
  if (text === ' ' && bg === null && !looks.underline) return '';
  const css = [`left:${PADDING + col * CELL.width}px`, `top:${PADDING + row * CELL.height}px`, `width:${width * CELL.width}px`];
  if (fg) css.push(`color:${fg}`);
  if (bg) css.push(`background:${bg}`);
  if (looks.bold) css.push('font-weight:700');
  if (looks.dim) css.push('opacity:.6');
  if (looks.italic) css.push('font-style:italic');
  if (looks.underline || looks.strike) css.push(`text-decoration:${looks.underline ? 'underline' : 'line-through'}`);
  return `<i style="${css.join(';')}">${text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)}</i>`;
}

/** Writes a PNG of the screen. Throws when there is no Chromium. */
export function takePicture(ansi: string, cols: number, file: string): void {
  const dir = mkdtempSync(join(tmpdir(), 'herd-picture-'));
  try {
    const page = join(dir, 'screen.html');
    writeFileSync(page, screenHtml(ansi, cols));
    const rows = ansi.replace(/\n$/, '').split('\n').length;
    const size = `${cols * CELL.width + 2 * PADDING},${rows * CELL.height + 2 * PADDING}`;
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      `--user-data-dir=${dir}`,
      `--window-size=${size}`,
      `--screenshot=${resolve(file)}`,
    ];
    execFileSync(process.env.CHROMIUM ?? 'chromium', [...flags, pathToFileURL(page).href], { stdio: 'ignore', timeout: 60_000 });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const [input, output] = process.argv.slice(2);
if (process.argv[1]?.endsWith('screenshot.ts') && input && output) {
  const ansi = readFileSync(input, 'utf8');
  const plain = ansi.replace(/\x1b\[[0-9;:]*m/g, '');
  const cols = Math.max(
    ...plain.split('\n').map((line) => [...segmenter.segment(line)].reduce((n, { segment }) => n + (WIDE.test(segment) ? 2 : 1), 0)),
  );
  takePicture(ansi, cols, output);
}
