// Rows written exactly, fast or by the general writer: the same bytes, so that equal screens have equal checkpoints.
import { expect, test } from 'vitest';
import { hostileStream } from '../../test/support/hostile.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import { ByteScanner } from './byte-scanner.ts';
import { LinkTable, watchLinks } from './links.ts';
import { Looks } from './looks.ts';
import { RowPacker, trimmedCells } from './pack-row.ts';
import { type OddCell, writeRow } from './vt-row.ts';
import { createEmulator } from './xterm.ts';

const STREAMS: [name: string, bytes: Uint8Array, cols: number, rows: number][] = [
  ...loadRecordings().map((r): [string, Uint8Array, number, number] => [r.name, Buffer.concat(r.chunks), r.cols, r.rows]),
  ...Array.from({ length: 30 }, (_, seed): [string, Uint8Array, number, number] => [`hostile ${seed}`, hostileStream(seed, 400), 80, 24]),
  ['gaps and grounds', Buffer.from('a\x1b[9Cb\x1b[44m\x1b[3X\x1b[m\r\n\x1b[31m\x1b[5Cx\x1b[Ky\r\n中文\x1b[1;2Hz\x1b[3;79H'), 80, 24],
];

test.each(STREAMS)('%s', (_, bytes, cols, rows) => {
  const emulator = createEmulator(cols, rows, 50);
  const links = new LinkTable();
  watchLinks(emulator, links);
  const packer = new RowPacker((number) => links.get(number), new Looks());
  const link = (number: number) => links.get(number);
  const { _inputHandler } = emulator.core;
  new ByteScanner(cols, rows, { bytes: (part) => void _inputHandler.parse(part), apc: () => {} }).push(bytes);
  for (const buffer of [emulator.core.buffers.normal, emulator.core.buffers.alt]) {
    for (let y = 0; y < buffer.lines.length; y++) {
      const [fast, general]: [OddCell[], OddCell[]] = [[], []];
      const row = buffer.lines.get(y)!;
      packer.exactRow(row, cols, (cell) => fast.push(cell));
      expect(packer.take().toString()).toBe(writeRow(row, cols, { exact: true, link, odd: (cell) => general.push(cell) }));
      expect(fast).toEqual(general);
    }
  }
});

test('grounds of erased cells come back wherever they begin', () => {
  const line = pack('ab\x1b[2C\x1b[44m\x1b[3X\x1b[3C\x1b[41m\x1b[2X\x1b[m');
  const again = pack(line);
  expect(again).toBe(line);
  expect(line).toBe('ab\x1b[0;41m\x1b[7X\x1b[0;44m\x1b[5X\x1b[m\x1b[2X\x1b[m');
});

/** The line that a row becomes which shows `output`. */
function pack(output: string): string {
  const emulator = createEmulator(20, 3, 0);
  emulator.core._inputHandler.parse(Buffer.from(output));
  const packer = new RowPacker(() => undefined, new Looks());
  const row = emulator.core.buffers.normal.lines.get(0)!;
  packer.row(row, trimmedCells(row, 20), true);
  return packer.take().toString();
}
