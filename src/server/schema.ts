// Shapes of what arrives on the socket: each checks a value of unknown origin and gives it its type, or throws Misfit naming the
// place. Limits are part of every shape; unknown fields are dropped.

/** What did not fit, and where: 'views[2].cols must be …'. The place is put together on the way out, so that what fits costs no words. */
export class Misfit extends Error {
  readonly #wanted: string;
  #place = '';

  constructor(wanted: string) {
    super(`params must be ${wanted}`);
    this.#wanted = wanted;
  }

  /** The same, seen from the value around it: `step` is '.key' or '[index]'. */
  within(step: string): this {
    this.#place = `${step}${this.#place}`;
    this.message = `${this.#place.replace(/^\./, '')} must be ${this.#wanted}`;
    return this;
  }
}

export type Shape<T> = (value: unknown) => T;

function misfit(wanted: string): never {
  throw new Misfit(wanted);
}

/** Longest string that is no prompt or paste, characters: paths have 4,096 bytes, everything else is shorter. */
const SHORT = 4096;

/** At most `max` characters (UTF-16 units). */
export function text(max = SHORT): Shape<string> {
  return (value) => (typeof value === 'string' && value.length <= max ? value : misfit(`text of at most ${max} characters`));
}

/** A whole number, both ends included. */
export function integer(min: number, max: number): Shape<number> {
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : misfit(`a whole number from ${min} to ${max}`);
}

/** Largest number of a row, a line or a round. */
export const MAX_ID = 2 ** 31;
/** The number of a workspace, a terminal, a comment or another row. */
export const id = integer(0, MAX_ID);
/** The number of a line. */
export const line = integer(1, MAX_ID);

export const flag: Shape<boolean> = (value) => (typeof value === 'boolean' ? value : misfit('true or false'));

export function oneOf<T extends string>(...words: T[]): Shape<T> {
  return (value) => (words.includes(value as T) ? (value as T) : misfit(`one of ${words.join(', ')}`));
}

/** Absent, undefined or null. */
export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value) => (value === undefined || value === null ? undefined : shape(value));
}

/** Null for absent, undefined or null. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => (value === null || value === undefined ? null : shape(value));
}

/** At most `max` entries, each of the shape. */
export function list<T>(shape: Shape<T>, max: number): Shape<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > max) misfit(`a list of at most ${max} entries`);
    let i = 0;
    try {
      const made: T[] = [];
      for (; i < value.length; i++) made.push(shape(value[i]));
      return made;
    } catch (error) {
      throw error instanceof Misfit ? error.within(`[${i}]`) : error;
    }
  };
}

type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** An object of these fields; others are dropped, and those whose shape takes undefined may be left out. */
export function object<T extends Record<string, unknown>>(fields: { [K in keyof T]: Shape<T[K]> }): Shape<Optional<T>> {
  const keys = Object.keys(fields);
  const shapes = Object.values<Shape<unknown>>(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) misfit('an object');
    let i = 0;
    try {
      const made: Record<string, unknown> = {};
      // By index: every key that is typed comes through here, in code that is hardly warm.
      for (; i < keys.length; i++) made[keys[i]!] = shapes[i]!((value as Record<string, unknown>)[keys[i]!]);
      return made as Optional<T>;
    } catch (error) {
      throw error instanceof Misfit ? error.within(`.${keys[i]}`) : error;
    }
  };
}

/** String to string, as an environment: at most `max` entries, together at most `bytes` characters. */
export function texts(max: number, bytes: number): Shape<Record<string, string>> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) misfit('an object');
    const entries = Object.entries(value as Record<string, unknown>);
    const size = entries.reduce((sum, [k, v]) => sum + k.length + (typeof v === 'string' ? v.length : Number.POSITIVE_INFINITY), 0);
    if (entries.length > max || size > bytes) misfit(`at most ${max} texts of ${bytes} characters together`);
    return Object.assign(Object.create(null) as Record<string, string>, value);
  };
}

/** The first shape that fits. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value) => {
    try {
      return first(value);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return second(value);
    }
  };
}
