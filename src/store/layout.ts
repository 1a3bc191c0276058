// The clients' layout as one JSON file: written whole and renamed into place, with the generation before it kept as a fall-back.
// A file that does not parse is renamed, never overwritten.
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

const CURRENT = 'layout.json';
const PREVIOUS = 'layout.previous.json';

export interface SavedLayout {
  /** Counts up with every save. */
  generation: number;
  layout: unknown;
}

/**
 * Reads the newest layout that parses and `fits`; null when there is none. `notice` says what was kept aside. `now` in ms since the epoch.
 */
export async function readLayout(
  dir: string,
  now: number,
  fits: (layout: unknown) => boolean,
): Promise<{ saved: SavedLayout | null; notice: string | null }> {
  const current = await parseFile(join(dir, CURRENT), fits);
  if (current !== 'broken' && current !== 'missing') return { saved: current, notice: null };
  const previous = await parseFile(join(dir, PREVIOUS), fits);
  const saved = previous === 'broken' || previous === 'missing' ? null : previous;
  if (current === 'missing') return { saved, notice: null };
  const kept = `layout.broken-${new Date(now).toISOString().replace(/[:.]/g, '-')}.json`;
  await rename(join(dir, CURRENT), join(dir, kept));
  return {
    saved,
    notice: `The saved layout was damaged or of a newer herd: it was kept as ${kept}, and herd used ${saved ? 'the one before' : 'a fresh one'}.`,
  };
}

/** Saves a layout (any JSON value) as the next generation. Rejects with the file system's error. */
export async function writeLayout(dir: string, saved: SavedLayout): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = join(dir, `${CURRENT}.${process.pid}.new`);
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(saved));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(join(dir, CURRENT), join(dir, PREVIOUS)).catch(ignoreMissing);
  await rename(temporary, join(dir, CURRENT));
}

async function parseFile(path: string, fits: (layout: unknown) => boolean): Promise<SavedLayout | 'broken' | 'missing'> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as Partial<SavedLayout> | null;
    return typeof value?.generation === 'number' && fits(value.layout) ? (value as SavedLayout) : 'broken';
  } catch (cause) {
    return (cause as { code?: string }).code === 'ENOENT' ? 'missing' : 'broken';
  }
}

function ignoreMissing(cause: unknown): void {
  if ((cause as { code?: string }).code !== 'ENOENT') throw cause;
}
