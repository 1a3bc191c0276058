// Checks a kind that came from outside (config). Every fault is named by its place; nothing unknown is let through.
import { KIND_VERSION, type Kind } from './kind.ts';

/** One fault: a dotted path into the kind and a clause for people. */
export interface KindProblem {
  path: string;
  message: string;
}

type Check = (value: unknown, path: string, problems: KindProblem[]) => void;

/** A regular expression longer than this is a mistake or an attack. Characters. */
const PATTERN_MAX = 512;
/** Rules of one kind; each is tried on every look. */
const RULES_MAX = 128;

const say = (problems: KindProblem[], path: string, message: string) => problems.push({ path, message });

const text: Check = (v, path, problems) => {
  if (typeof v !== 'string') say(problems, path, 'must be text');
  else if (v.length > PATTERN_MAX) say(problems, path, `is longer than ${PATTERN_MAX} characters`);
};

const pattern: Check = (v, path, problems) => {
  text(v, path, problems);
  if (typeof v !== 'string') return;
  try {
    new RegExp(v, 'imu');
  } catch {
    say(problems, path, 'is not a regular expression');
  }
  // A repeated group that ends in a repetition (or in one and something optional) can match the same text in countless ways.
  if (/[+*](.\?)?\)[+*]/.test(v)) say(problems, path, 'repeats a repetition, which can take forever');
};

const count =
  (max: number): Check =>
  (v, path, problems) => {
    if (typeof v !== 'number' || !Number.isInteger(v) || v < 0 || v > max) say(problems, path, `must be a whole number from 0 to ${max}`);
  };

const flag: Check = (v, path, problems) => {
  if (typeof v !== 'boolean') say(problems, path, 'must be true or false');
};

const oneOf =
  (...values: (string | number)[]): Check =>
  (v, path, problems) => {
    if (!values.includes(v as string | number)) say(problems, path, `must be one of ${values.join(', ')}`);
  };

const list =
  (item: Check, max = RULES_MAX): Check =>
  (v, path, problems) => {
    if (!Array.isArray(v)) return say(problems, path, 'must be a list');
    if (v.length > max) say(problems, path, `has more than ${max} entries`);
    v.slice(0, max).forEach((one, i) => {
      item(one, `${path}[${i}]`, problems);
    });
  };

const orNull =
  (check: Check): Check =>
  (v, path, problems) =>
    v === null ? undefined : check(v, path, problems);

/** An object with these fields; names that end in `?` may be absent. */
const shape = (fields: Record<string, Check>): Check => {
  const known = new Map(Object.entries(fields).map(([name, check]) => [name.replace(/\?$/, ''), { check, needed: !name.endsWith('?') }]));
  return (v, path, problems) => {
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return say(problems, path || 'kind', 'must be a table');
    const at = (name: string) => (path ? `${path}.${name}` : name);
    for (const name of Object.keys(v)) if (!known.has(name)) say(problems, at(name), 'is not a known key');
    for (const [name, field] of known) {
      const value = (v as Record<string, unknown>)[name];
      if (value !== undefined) field.check(value, at(name), problems);
      else if (field.needed) say(problems, at(name), 'is missing');
    }
  };
};

const MINUTE = 60_000;
const texts = list(text, 32);
const patterns = list(pattern, 32);

const checkKind = shape({
  version: oneOf(KIND_VERSION),
  id: text,
  name: text,
  command: texts,
  detect: shape({ programs: texts, scripts: texts }),
  'headless?': texts,
  titles: list(shape({ match: pattern, says: oneOf('working', 'blocked', 'rest') })),
  composer: orNull(
    shape({
      'top?': pattern,
      first: pattern,
      'more?': pattern,
      'bottom?': pattern,
      'trailer?': count(8),
      rows: count(100),
      footer: count(40),
      'placeholder?': patterns,
    }),
  ),
  rules: list(
    shape({
      id: text,
      says: oneOf('working', 'rest', 'background', 'rate-limit', 'usage-limit', 'error', 'view'),
      region: oneOf('above', 'last-item', 'border', 'footer', 'bottom', 'screen'),
      'rows?': count(40),
      any: patterns,
      'not?': patterns,
      'fresh?': count(10 * MINUTE),
      'stands?': flag,
      'finish?': texts,
    }),
  ),
  motion: shape({ counts: flag, 'pulses?': flag, rest: count(MINUTE) }),
  prompt: shape({ method: oneOf('paste', 'none'), settle: count(MINUTE), startup: count(2 * MINUTE), folded: patterns }),
  keys: shape({ approve: texts, reject: texts, interrupt: texts, exit: texts }),
  resume: orNull(texts),
  farewell: orNull(pattern),
  shows: shape({ 'context?': pattern, 'cost?': pattern, 'task?': pattern }),
});

/**
 * A kind from parsed TOML or JSON. With `base`, what is absent comes from it (an override names only what differs; lists are replaced
 * whole). Never throws.
 */
export function parseKind(json: unknown, base?: Kind): { kind: Kind } | { problems: KindProblem[] } {
  const whole =
    base && typeof json === 'object' && json !== null && !Array.isArray(json) ? over(base, json as Record<string, unknown>) : json;
  const problems: KindProblem[] = [];
  checkKind(whole, '', problems);
  const id = (whole as { id?: unknown } | null)?.id;
  if (typeof id === 'string' && !/^[a-z][a-z0-9-]{0,30}$/.test(id)) say(problems, 'id', 'must be lower-case letters, digits and dashes');
  return problems.length ? { problems } : { kind: whole as Kind };
}

function over(base: Kind, json: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(json)) {
    const old = out[name];
    const tables = [old, value].every((v) => typeof v === 'object' && v !== null && !Array.isArray(v));
    out[name] = tables ? { ...(old as object), ...(value as object) } : value;
  }
  return out;
}
