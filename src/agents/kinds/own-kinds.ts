// A person's own kinds, and their changes to those that come with herd, laid over the table. A faulty one is left out and named; the rest
// holds. Pure.

import { generic } from './generic.ts';
import type { Kind } from './kind.ts';
import { parseKind } from './parse-kind.ts';
import { KINDS } from './table.ts';

/** All kinds by id, and one clause for each fault, beginning with its dotted key. A new kind starts from `generic`. */
export function withOwnKinds(own: Readonly<Record<string, unknown>>): {
  kinds: ReadonlyMap<string, Kind>;
  faults: { key: string; message: string }[];
} {
  const kinds = new Map(KINDS);
  const faults: { key: string; message: string }[] = [];
  for (const [id, table] of Object.entries(own)) {
    if (typeof table !== 'object' || table === null || Array.isArray(table)) {
      faults.push({ key: `agents.kinds.${id}`, message: 'must be a table' });
      continue;
    }
    const base = KINDS.get(id) ?? { ...generic, id, name: id };
    const parsed = parseKind({ ...table, id }, base);
    if ('kind' in parsed) kinds.set(id, parsed.kind);
    else for (const { path, message } of parsed.problems) faults.push({ key: `agents.kinds.${id}${path ? `.${path}` : ''}`, message });
  }
  return { kinds, faults };
}
