// Records whose keys come from outside: a file may be called "constructor" or "__proto__".

/** The record's own entry of a key; undefined for what every object has. */
export function ownOf<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
