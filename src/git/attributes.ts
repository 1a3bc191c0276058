// What .gitattributes say of paths, as far as herd asks: one process for all paths.
import type { Look } from './run.ts';
import { splitZero } from './status.ts';

/** Values by path, as git prints them: 'set', 'unset', 'unspecified' or a word. */
export type Attributes = ReadonlyMap<string, { filter: string; 'linguist-generated': string }>;

/** Attributes of the paths; of none where git cannot say. */
export async function readAttributes(look: Look, paths: readonly string[]): Promise<Attributes> {
  const out = new Map<string, { filter: string; 'linguist-generated': string }>();
  if (paths.length === 0) return out;
  const input = paths.map((path) => `${path}\0`).join('');
  const asked = ['check-attr', '-z', '--stdin', 'filter', 'linguist-generated'];
  const words = splitZero((await look.run(asked, { input, codes: [0, 1, 128] })).stdout);
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [path, name, value] = words.slice(i, i + 3) as [string, string, string];
    const known = out.get(path) ?? { filter: 'unspecified', 'linguist-generated': 'unspecified' };
    out.set(path, { ...known, [name]: value });
  }
  return out;
}
