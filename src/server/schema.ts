// Shapes of what arrives on the socket: each checks a value of unknown origin and gives it its type, or throws Misfit naming the
// place. Limits are part of every shape; unknown fields are dropped.

/** What did not fit, and where: "views[2].cols". */
export class Misfit extends Error {}

export type Shape<T> = (value: unknown, at: string) => T;

function misfit(at: string, wanted: string): never {
  throw new Misfit(`${at || 'params'} must be ${wanted}`);
}

/** Longest string that is no prompt or paste, characters: paths have 4,096 bytes, everything else is shorter. */
const SHORT = 4096;

export function text(max = SHORT): Shape<string> {
  return (value, at) => (typeof value === 'string' && value.length <= max ? value : misfit(at, `text of at most ${max} characters`));
}

export function integer(min: number, max: number): Shape<number> {
  return (value, at) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : misfit(at, `a whole number from ${min} to ${max}`);
}

export const flag: Shape<boolean> = (value, at) => (typeof value === 'boolean' ? value : misfit(at, 'true or false'));

export function oneOf<T extends string>(...words: T[]): Shape<T> {
  return (value, at) => (words.includes(value as T) ? (value as T) : misfit(at, `one of ${words.join(', ')}`));
}

/** Absent, undefined or null. */
export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : shape(value, at));
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value, at) => (value === null || value === undefined ? null : shape(value, at));
}

export function list<T>(shape: Shape<T>, max: number): Shape<T[]> {
  return (value, at) =>
    Array.isArray(value) && value.length <= max
      ? value.map((item, i) => shape(item, `${at}[${i}]`))
      : misfit(at, `a list of at most ${max} entries`);
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

export function object<T extends Record<string, unknown>>(fields: { [K in keyof T]: Shape<T[K]> }): Shape<Optional<T>> {
  const shapes = Object.entries(fields) as [string, Shape<unknown>][];
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) misfit(at, 'an object');
    const made: Record<string, unknown> = {};
    for (const [key, shape] of shapes) made[key] = shape((value as Record<string, unknown>)[key], at ? `${at}.${key}` : key);
    return made as Optional<T>;
  };
}

/** String to string, as an environment: at most `max` entries, together at most `bytes` characters. */
export function texts(max: number, bytes: number): Shape<Record<string, string>> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) misfit(at, 'an object');
    const entries = Object.entries(value as Record<string, unknown>);
    const size = entries.reduce((sum, [k, v]) => sum + k.length + (typeof v === 'string' ? v.length : Number.POSITIVE_INFINITY), 0);
    if (entries.length > max || size > bytes) misfit(at, `at most ${max} texts of ${bytes} characters together`);
    return Object.assign(Object.create(null) as Record<string, string>, value);
  };
}

/** The first shape that fits. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value, at) => {
    try {
      return first(value, at);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return second(value, at);
    }
  };
}
