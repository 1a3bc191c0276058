// Checks plain values of a task file against shapes and collects every fault with its place; nothing is thrown. Unknown keys are faults.
import type { Path } from './document.ts';

export interface Context {
  fault(path: Path, message: string): void;
}

/** The value in its type, or undefined after telling a fault. */
export type Field<T> = (value: unknown, path: Path, context: Context) => T | undefined;

function wrong(context: Context, path: Path, wanted: string): undefined {
  context.fault(path, `must be ${wanted}`);
  return undefined;
}

/** Longest text of a task file, characters: prompts are the longest. */
const TEXT_MAX = 1024 * 1024;

export const text: Field<string> = (value, path, context) =>
  typeof value === 'string' && value.length <= TEXT_MAX && !value.includes('\0') ? value : wrong(context, path, 'a text');

export const filled: Field<string> = (value, path, context) =>
  typeof value === 'string' && value.trim() !== '' ? text(value, path, context) : wrong(context, path, 'a text that is not empty');

/** Both ends included. */
export function number(from: number, to: number): Field<number> {
  return (value, path, context) => {
    const n = typeof value === 'bigint' ? Number(value) : value;
    return typeof n === 'number' && n >= from && n <= to ? n : wrong(context, path, `a number from ${from} to ${to}`);
  };
}

/** A whole number, both ends included. */
export function whole(from: number, to: number): Field<number> {
  return (value, path, context) => {
    const n = number(from, to)(value, path, context);
    return n === undefined || Number.isInteger(n) ? n : wrong(context, path, 'a whole number');
  };
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s", "15m", "2h", or a number of seconds; as ms. */
export const duration: Field<number> = (value, path, context) => {
  const n = typeof value === 'bigint' ? Number(value) : value;
  if (typeof n === 'number' && n > 0 && n < 1e9) return Math.round(n * 1000);
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(value.trim()) : null;
  const ms = match ? Math.round(Number(match[1]) * UNITS[match[2]!]!) : 0;
  return ms > 0 ? ms : wrong(context, path, 'a time such as "90s", "15m" or "2h"');
};

/** 0.1 or "10%". */
export const share: Field<number> = (value, path, context) => {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*%$/.exec(value.trim()) : null;
  const n = match ? Number(match[1]) / 100 : value;
  return typeof n === 'number' && n >= 0 && n <= 1 ? n : wrong(context, path, 'a share such as 0.1 or "10%"');
};

export function oneOf<T extends string>(...words: T[]): Field<T> {
  return (value, path, context) => (words.includes(value as T) ? (value as T) : wrong(context, path, `one of ${words.join(', ')}`));
}

export function list<T>(item: Field<T>): Field<T[]> {
  return (value, path, context) => {
    if (!Array.isArray(value)) return wrong(context, path, 'a list');
    const items = value.map((entry, i) => item(entry, [...path, i], context));
    return items.includes(undefined) ? undefined : (items as T[]);
  };
}

/** Words as a list, or one text that a shell splits. */
export const command: Field<string[]> = (value, path, context) => {
  if (typeof value === 'string' && value.trim() !== '') return ['/bin/sh', '-c', value];
  const words = Array.isArray(value) && value.length > 0 ? list(text)(value, path, context) : undefined;
  return words ?? wrong(context, path, 'a command: a list of words, or one text for a shell');
};

export function map<T>(item: Field<T>): Field<Record<string, T>> {
  return (value, path, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(context, path, 'a table');
    const made: Record<string, T> = Object.create(null);
    for (const [key, entry] of Object.entries(value)) {
      const checked = item(entry, [...path, key], context);
      if (checked !== undefined) made[key] = checked;
    }
    return made;
  };
}

export function table<T extends object>(fields: { [K in keyof T]: Field<T[K]> }): Field<Partial<T>> {
  const known = Object.keys(fields);
  return (value, path, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(context, path, 'a table');
    const made: Partial<T> = {};
    for (const [key, entry] of Object.entries(value)) {
      if (!Object.hasOwn(fields, key)) context.fault([...path, key], `is not known here${near(key, known)}`);
      else made[key as keyof T] = fields[key as keyof T](entry, [...path, key], context);
    }
    return made;
  };
}

function near(key: string, known: string[]): string {
  const plain = (word: string) => word.toLowerCase().replace(/[_-]/g, '').replace(/s$/, '');
  const found = known.find((word) => plain(word) === plain(key)) ?? known.find((word) => plain(word).startsWith(plain(key).slice(0, 4)));
  return found ? ` (did you mean ${found}?)` : `; known: ${known.join(', ')}`;
}
