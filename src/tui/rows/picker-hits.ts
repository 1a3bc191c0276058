// What the pickers find for a query, best first.
import type { Workspace } from '../../model/workspace.ts';
import { fuzzyFilter } from '../fuzzy.ts';
import { COMMAND_ROWS, type CommandId, type CommandRow } from '../input/keymap-table.ts';
import { repositoryName } from '../store/attention.ts';

/** What a query finds, best first. */
export function workspaceHits(query: string, workspaces: readonly Workspace[]): Workspace[] {
  return fuzzyFilter(
    query,
    workspaces,
    ({ name, branch, repository }) => `${name} ${branch ?? ''} ${repository === null ? '' : repositoryName(repository)}`,
  );
}

/** Commands of the palette that fit a query, best first. */
export function paletteHits(query: string): [CommandId, CommandRow][] {
  const offered = COMMAND_ROWS.filter(([id, row]) => row.palette || (id.startsWith('diff.') && row.keys.diff));
  return fuzzyFilter(query, offered, ([id, row]) => `${row.group} ${row.title} ${id}`);
}
