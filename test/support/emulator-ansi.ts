// The cells of an emulator as lines of text with SGR, for pictures.
import type { IBufferCell, Terminal } from '@xterm/headless';

/** One line per row of the screen, joined by line feeds; each line begins with default looks. */
export function emulatorAnsi(emulator: Terminal): string {
  const buffer = emulator.buffer.active;
  return Array.from({ length: emulator.rows }, (_, y) => {
    const line = buffer.getLine(buffer.viewportY + y);
    let text = '';
    let looks = '';
    for (let x = 0; x < emulator.cols; x++) {
      const cell = line?.getCell(x);
      if (!cell || cell.getWidth() === 0) continue;
      const next = sgr(cell);
      if (next !== looks) text += `\x1b[0${next}m`;
      looks = next;
      text += cell.getChars() || ' ';
    }
    return `${text}\x1b[0m`;
  }).join('\n');
}

function sgr(cell: IBufferCell): string {
  const flags: [number, string][] = [
    [cell.isBold(), ';1'],
    [cell.isDim(), ';2'],
    [cell.isItalic(), ';3'],
    [cell.isUnderline(), ';4'],
    [cell.isInverse(), ';7'],
    [cell.isStrikethrough(), ';9'],
  ];
  const on = flags.map(([set, code]) => (set ? code : '')).join('');
  return (
    on + color(38, cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()) + color(48, cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor())
  );
}

function color(code: 38 | 48, plain: boolean, rgb: boolean, value: number): string {
  if (plain) return '';
  return rgb ? `;${code};2;${value >> 16};${(value >> 8) & 255};${value & 255}` : `;${code};5;${value}`;
}
