// Which agents are installed: the programs of all kinds, looked for on a PATH. Reads folders, runs nothing.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Kind } from '../agents/kinds/kind.ts';

export interface FoundAgent {
  kind: string;
  title: string;
  command: string;
  /** null: not there. */
  path: string | null;
}

/** Every kind that is started by a program of its own, in the order in which people are offered them. */
export function findAgents(kindsById: ReadonlyMap<string, Kind>, path: string): FoundAgent[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const kinds = [...kindsById.values()].filter(({ id, command }) => command.length > 0 && id !== 'shell');
  return kinds.map(({ id, name, command }) => ({ kind: id, title: name, command: command[0]!, path: findProgram(command[0]!, folders) }));
}

function findProgram(program: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, program)).find(isRunnable) ?? null;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
