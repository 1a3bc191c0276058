// The keymap: the command table with a person's own keys laid over it, looked up by place and chord. Over a terminal there is
// no place: whatever is not the prefix belongs to the program.
import { chordLabel, parseChord } from './chord.ts';
import { COMMAND_ROWS, COMMANDS, type CommandId, type Place } from './keymap-table.ts';

/** Keys as written in config: per place, command to one chord, several, or none (false). */
export type KeyOverrides = Partial<Record<Place, Record<string, string | string[] | false>>>;

export interface Keymap {
  /** Chord that opens the prefix table. */
  prefix: string;
  bound: Record<Place, ReadonlyMap<string, CommandId>>;
}

/** What is wrong with a person's own key: the dotted key of config.toml and a clause. */
export interface KeyFault {
  key: string;
  message: string;
}

export const PLACES: Place[] = ['prefix', 'diff', 'list', 'picker', 'dialog', 'editor', 'copy'];
export const DEFAULT_PREFIX = 'ctrl+b';

/** The keymap, and each override that could not be taken. A person's key displaces the default on the same chord. */
export function createKeymap(prefix: string = DEFAULT_PREFIX, overrides: KeyOverrides = {}): { keymap: Keymap; problems: KeyFault[] } {
  const problems: KeyFault[] = [];
  const bound = Object.fromEntries(PLACES.map((place) => [place, bindPlace(place, overrides[place] ?? {}, problems)])) as Record<
    Place,
    Map<string, CommandId>
  >;
  const chord = parseChord(prefix);
  if (!chord || !/^(ctrl|alt|super|shift)\+|^f\d/.test(chord))
    problems.push({ key: 'ui.prefix', message: `must be a key with ctrl or alt, or a function key, not "${prefix}"` });
  return { keymap: { prefix: problems.length > 0 && !chord ? DEFAULT_PREFIX : chord!, bound }, problems };
}

function bindPlace(place: Place, own: Record<string, string | string[] | false>, problems: KeyFault[]): Map<string, CommandId> {
  const map = new Map<string, CommandId>();
  for (const [id, row] of COMMAND_ROWS) if (!(id in own)) for (const chord of row.keys[place] ?? []) map.set(chord, id);
  const taken = new Map<string, string>();
  for (const [id, keys] of Object.entries(own)) {
    if (!(id in COMMANDS)) {
      problems.push({ key: `keys.${place}.${id}`, message: 'is not a command' });
      continue;
    }
    for (const key of keys === false ? [] : [keys].flat()) {
      const chord = parseChord(key);
      if (!chord) problems.push({ key: `keys.${place}.${id}`, message: `names no key: "${key}"` });
      else if (taken.has(chord))
        problems.push({ key: `keys.${place}.${id}`, message: `has the key ${chordLabel(chord)}, as ${taken.get(chord)} has` });
      else {
        taken.set(chord, id);
        map.set(chord, id as CommandId);
      }
    }
  }
  return map;
}

/** The command a chord stands for in a place. */
export function lookUp(keymap: Keymap, place: Place, chord: string): CommandId | null {
  return keymap.bound[place].get(chord) ?? null;
}

/** Labels of the chords that run a command in a place, first the one to show. */
export function keysOf(keymap: Keymap, place: Place, command: CommandId): string[] {
  return [...keymap.bound[place]].filter(([, id]) => id === command).map(([chord]) => chordLabel(chord));
}

export interface HelpGroup {
  group: string;
  rows: { keys: string; title: string; command: CommandId }[];
}

/** Help as it stands on the screen: groups in table order, each command with its present keys; commands without a key are left out. */
export function helpGroups(keymap: Keymap): HelpGroup[] {
  const groups = new Map<string, HelpGroup>();
  for (const [command, row] of COMMAND_ROWS) {
    const keys = (Object.keys(row.keys) as Place[]).flatMap((place) => shownKeys(keymap, place, command));
    if (keys.length === 0) continue;
    const group = groups.get(row.group) ?? { group: row.group, rows: [] };
    group.rows.push({ keys: [...new Set(keys)].slice(0, 2).join('  '), title: row.title, command });
    groups.set(row.group, group);
  }
  return [...groups.values()];
}

function shownKeys(keymap: Keymap, place: Place, command: CommandId): string[] {
  const keys = keysOf(keymap, place, command);
  const short = keys.length > 4 ? [`${keys[0]}…${keys.at(-1)}`] : keys;
  return place === 'prefix' ? short.map((key) => `${chordLabel(keymap.prefix)} ${key}`) : short;
}
