// A history folder of its own for a test, removed with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryFolder } from '../../src/terminal/history-blocks.ts';

export interface TestFolder {
  dir: string;
  folder: HistoryFolder;
  dropped: string[];
  faults: string[];
  /** The same files as another server would find them. */
  again(): HistoryFolder;
  [Symbol.dispose](): void;
}

export function testFolder(quota = 1 << 30): TestFolder {
  const dir = mkdtempSync(join(tmpdir(), 'herd-history-'));
  const dropped: string[] = [];
  const faults: string[] = [];
  const open = () => new HistoryFolder({ dir, quota, onDropped: (stream) => dropped.push(stream), onFault: (text) => faults.push(text) });
  return { dir, folder: open(), dropped, faults, again: open, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}
