// The `keys` table of config.toml as overrides of the keymap. Two ways to write it: by place, `[keys.diff]` with `"diff.down" = "J"` (or a
// list, or false for no key), and by key, `"ctrl+b x" = "workspace.close"` for one after the prefix.
import { type KeyFault, type KeyOverrides, PLACES } from './keymap.ts';
import type { Place } from './keymap-table.ts';

type Keys = string | string[] | false;

/** The overrides, and each entry that is none. */
export function readKeyOverrides(table: Readonly<Record<string, unknown>>): { keys: KeyOverrides; problems: KeyFault[] } {
  const keys: KeyOverrides = {};
  const problems: KeyFault[] = [];
  for (const [name, value] of Object.entries(table)) {
    if ((PLACES as string[]).includes(name) && typeof value === 'object' && value !== null) {
      for (const [command, chords] of Object.entries(value)) {
        if (isKeys(chords)) keys[name as Place] = { ...keys[name as Place], [command]: chords };
        else problems.push({ key: `keys.${name}.${command}`, message: 'must be a key, a list of keys, or false' });
      }
    } else if (typeof value === 'string' && /\s/.test(name)) {
      const chord = name.trim().split(/\s+/).at(-1)!;
      const before = keys.prefix?.[value];
      keys.prefix = { ...keys.prefix, [value]: [...(before ? [before].flat() : []), chord] };
    } else problems.push({ key: `keys.${name}`, message: `is neither a place (${PLACES.join(', ')}) nor a key after the prefix` });
  }
  return { keys, problems };
}

function isKeys(value: unknown): value is Keys {
  return value === false || typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
