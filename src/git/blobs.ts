// Reads objects of the repository in one process, as they are stored: no filter, no conversion.

import type { Look } from './run.ts';

/** Blobs in the order asked; null where git has none. One process. */
export async function readBlobs(look: Look, ids: readonly string[]): Promise<(Buffer | null)[]> {
  const r = await look.run(['cat-file', '--batch'], { input: ids.map((id) => `${id}\n`).join('') });
  const out: (Buffer | null)[] = [];
  let at = 0;
  for (let i = 0; i < ids.length; i += 1) {
    const end = r.stdout.indexOf(10, at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(r.stdout.toString('latin1', at, end))?.[1];
    if (size === undefined) {
      out.push(null);
      at = end + 1;
      continue;
    }
    out.push(r.stdout.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return out;
}
