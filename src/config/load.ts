// Reads config.toml: every key checked, every fault with its file, line and key. A faulty setting keeps its default; nothing here
// throws for what a person wrote, and nothing is ever written.
import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { type Config, SETTINGS, type Setting } from './settings.ts';

type Settings = Readonly<Record<string, Setting>>;

export interface ConfigFault {
  file: string;
  /** 1-based. */
  line: number;
  key: string;
  message: string;
}

export interface LoadedConfig {
  config: Config;
  faults: ConfigFault[];
}

/** The settings in `file`; defaults where it does not exist. */
export function loadConfig(file: string): LoadedConfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const faults = code === 'ENOENT' ? [] : [{ file, line: 1, key: '', message: `cannot be read (${code})` }];
    return { config: defaults(), faults };
  }
  return readConfig(text, file);
}

/** The settings in `text`, TOML; `file` only names it in faults. */
export function readConfig(text: string, file: string): LoadedConfig {
  const { config, faults } = readSettings(text, file, SETTINGS);
  return { config: config as unknown as Config, faults };
}

/** The same for any table of settings. */
export function readSettings(text: string, file: string, settings: Settings): { config: Record<string, unknown>; faults: ConfigFault[] } {
  const config = defaultsOf(settings);
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { config, faults: [{ file, line: error.line, key: '', message: `is not TOML: ${reason}` }] };
  }
  const faults: ConfigFault[] = [];
  for (const [key, value] of leaves(table, '', settings)) {
    const message = assign(config, key, value, settings);
    if (message) faults.push({ file, line: lineOf(text, key), key, message });
  }
  return { config, faults };
}

/** One sentence, as `herd config check` and the status bar show it. */
export function faultText(fault: ConfigFault): string {
  return `${fault.file}:${fault.line}: ${fault.key ? `${fault.key} ` : ''}${fault.message}`;
}

/** What holds when nothing is set. */
export function defaults(): Config {
  return defaultsOf(SETTINGS) as unknown as Config;
}

function defaultsOf(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, structuredClone(setting.unless)]));
}

/** Dotted keys down to known settings or to values that are no tables. */
function* leaves(table: Record<string, unknown>, above: string, settings: Settings): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = above ? `${above}.${name}` : name;
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
    if (isTable && !(key in settings)) yield* leaves(value as Record<string, unknown>, key, settings);
    else yield [key, value];
  }
}

function assign(config: Record<string, unknown>, key: string, value: unknown, settings: Settings): string | null {
  if (!Object.hasOwn(settings, key)) return `is not a setting${nearest(key, settings)}`;
  const fault = misfit(settings[key]!, value);
  if (fault === null) config[key] = typeof value === 'bigint' ? Number(value) : value;
  return fault;
}

function misfit({ kind }: Setting, value: unknown): string | null {
  if (kind === 'strings') return Array.isArray(value) && value.every((v) => typeof v === 'string') ? null : 'must be a list of strings';
  if (kind === 'map') return typeof value === 'object' && !Array.isArray(value) ? null : 'must be a table';
  if (typeof kind === 'string') return typeof value === kind ? null : `must be a ${kind}, not ${JSON.stringify(value)}`;
  if ('oneOf' in kind) return kind.oneOf.includes(value as string) ? null : `must be one of ${kind.oneOf.join(', ')}`;
  const fits = typeof value === 'number' && value >= kind.from && value <= kind.to;
  return fits ? null : `must be a number from ${kind.from} to ${kind.to}`;
}

/** ' (did you mean …?)' for a key whose last part or letters are close. */
function nearest(key: string, settings: Settings): string {
  const last = key.split('.').at(-1)!;
  const near = Object.keys(settings).find(
    (known) => known.endsWith(`.${last}`) || known.replace(/[._]/g, '') === key.replace(/[._-]/g, ''),
  );
  return near ? ` (did you mean ${near}?)` : '';
}

/** Line of a dotted key in a file, 1-based; 1 when the file cannot be read or the key is written in a way this does not know. */
export function lineOfKey(file: string, key: string): number {
  try {
    return lineOf(readFileSync(file, 'utf8'), key);
  } catch {
    return 1;
  }
}

/** Line of the assignment to a dotted key, 1 when it is written in a way this does not know. */
function lineOf(text: string, key: string): number {
  const parts = key.split('.');
  const lines = text.split('\n');
  let table = '';
  for (const [i, raw] of lines.entries()) {
    const line = raw.trim();
    const header = /^\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) table = header.replaceAll('"', '');
    const name = /^([A-Za-z0-9_."-]+)\s*=/.exec(line)?.[1]?.replaceAll('"', '');
    const here = name === undefined ? table : table ? `${table}.${name}` : name;
    if (here === key || (header !== undefined && table === key)) return i + 1;
  }
  const last = lines.findIndex((line) => line.includes(parts.at(-1)!));
  return last < 0 ? 1 : last + 1;
}
