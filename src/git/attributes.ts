// What .gitattributes say of paths, as far as herd asks: one process for all paths.
import type { Look } from './run.ts';

/** Values by path, as git prints them: 'set', 'unset' or a word. What is not specified is left out. */
export type Attributes = ReadonlyMap<string, { filter?: string; 'linguist-generated'?: string }>;

const UNSPECIFIED = Buffer.from('unspecified');

/** Attributes of the paths; of none where git cannot say. */
export async function readAttributes(look: Look, paths: readonly string[]): Promise<Attributes> {
  const out = new Map<string, { filter?: string; 'linguist-generated'?: string }>();
  if (paths.length === 0) return out;
  const input = paths.map((path) => `${path}\0`).join('');
  const asked = ['check-attr', '-z', '--stdin', 'filter', 'linguist-generated'];
  const { stdout } = await look.run(asked, { input, codes: [0, 1, 128] });
  // Path, name and value, each ended by a NUL.
  for (let at = 0; at < stdout.length; ) {
    const path = stdout.indexOf(0, at);
    const name = stdout.indexOf(0, path + 1);
    const value = stdout.indexOf(0, name + 1);
    if (value < 0) break;
    if (stdout.compare(UNSPECIFIED, 0, UNSPECIFIED.length, name + 1, value) !== 0) {
      const key = stdout.toString('utf8', at, path);
      out.set(key, { ...out.get(key), [stdout.toString('latin1', path + 1, name)]: stdout.toString('utf8', name + 1, value) });
    }
    at = value + 1;
  }
  return out;
}
