// Ghostty's own terminal core (npm ghostty-web), as the judge in differential tests: widths, key encodings, cells.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The parts of the module that tests use; its own types need a browser's. */
export interface GhosttyTerminal {
  cols: number;
  rows: number;
  write(data: string | Uint8Array): void;
  update(): void;
  resize(cols: number, rows: number): void;
  getCursor(): { x: number; y: number; visible: boolean | number; style: string };
  getLine(y: number): GhosttyCell[] | null;
  getGraphemeString(row: number, col: number): string;
  getMode(mode: number, ansi?: boolean): boolean;
  readResponse(): string | null;
  free(): void;
}

export interface GhosttyCell {
  codepoint: number;
  fg_r: number;
  fg_g: number;
  fg_b: number;
  bg_r: number;
  bg_g: number;
  bg_b: number;
  flags: number;
  width: number;
  hyperlink_id: number;
  grapheme_len: number;
}

export interface GhosttyKeyEncoder {
  setOption(option: number, value: boolean | number): void;
  encode(event: { action: number; key: number; mods: number; utf8?: string }): Uint8Array;
}

/** What is used of the runtime's WebAssembly, for which Node's types have no declarations. */
interface Instance {
  exports: Record<string, (...args: number[]) => number> & { memory: { buffer: ArrayBuffer } };
}
interface WebAssemblyPart {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: Instance }>;
}

export interface GhosttyCore {
  exports: Instance['exports'];
  createTerminal(cols: number, rows: number, config?: { scrollbackLimit?: number }): GhosttyTerminal;
  createKeyEncoder(): GhosttyKeyEncoder;
}

/** Loads the core; one per test file is enough. */
export async function loadGhostty(): Promise<GhosttyCore> {
  const require = createRequire(import.meta.url);
  const module = (await import('ghostty-web')) as unknown as { Ghostty: new (instance: Instance) => GhosttyCore };
  const bytes = readFileSync(require.resolve('ghostty-web/ghostty-vt.wasm'));
  const { instance } = await (globalThis as unknown as { WebAssembly: WebAssemblyPart }).WebAssembly.instantiate(bytes, {
    env: { log() {} },
  });
  const core = new module.Ghostty(instance);
  core.exports = instance.exports;
  return core;
}

/** Columns by which `text` moves Ghostty's cursor, grapheme clustering on. */
export function ghosttyWidth(terminal: GhosttyTerminal, text: string): number {
  terminal.write(`\x1b[?2027h\x1b[H\x1b[2J${text}`);
  terminal.update();
  return terminal.getCursor().x;
}
