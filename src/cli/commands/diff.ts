// herd diff: a workspace's changes as a patch; --stat or --json for the list of files.
import { clean } from '../../model/clean.ts';
import { counted } from '../../model/counted.ts';
import { columns } from '../output.ts';
import { scopeOf } from '../values.ts';
import type { RunVerb } from '../verb.ts';

/** Longest path shown, characters: no file system takes more. */
const PATH_MAX = 4096;

export const run: RunVerb = async (call) => {
  const scope = scopeOf(call.options.scope as string | undefined);
  const workspace = call.workspace(call.words[0]);
  const link = await call.link();
  if (!call.json && call.options.stat !== true) {
    return call.out.text((await link.request('changeset.patch', { workspace, scope })).patch);
  }
  const { changeset } = await link.request('changeset.get', { workspace, scope });
  if (call.json) return call.out.json(changeset);
  if (changeset.error) call.out.note(`as of the last good reading: ${changeset.error}`);
  for (const note of changeset.notes ?? []) call.out.note(note);
  const rows = changeset.files.map((f) => [f.status, f.added === null ? 'binary' : `+${f.added} -${f.removed}`, clean(f.path, PATH_MAX)]);
  call.out.text(
    [columns(rows), `${counted(changeset.files.length, 'file')} +${changeset.added} -${changeset.removed}`].filter(Boolean).join('\n'),
  );
};
