// What the keys for staging and discarding act on: the selected lines, the hunk, or on its header the whole file. A discard asks first.
import { type CommandContext, change, say, sayError, saying } from './commands/context.ts';
import { type ActTarget, actTarget } from './diff/act-target.ts';
import { type DiffView, filesOf } from './diff/view.ts';
import { confirmRoom } from './overlay-geometry.ts';
import { plain, wrapText } from './spans.ts';
import { openOverlay } from './store/overlay-stack.ts';

type Action = 'stage' | 'unstage' | 'discard';

const DONE = { stage: 'staged', unstage: 'unstaged' } as const;
const DOING = { stage: 'staging', unstage: 'unstaging' } as const;

/** `taken` is called once the act is done, or asked about: whoever is refused goes on with what they had selected. */
export function act(context: CommandContext, workspace: number, view: DiffView, action: Action, taken: () => void): void {
  const target = actTarget(view);
  const file = filesOf(view)[view.cursor.file];
  if (!file || !target) return say(context, 'move into a hunk first, or onto the header of its file');
  if (target.what === 'refused') return say(context, target.why);
  const { scope, ignoreWhitespace } = view;
  // Of a picture and of a commit the stages are not known.
  if (scope === 'base' || scope === 'uncommitted' || scope === 'staged') {
    if (action === 'stage' && !file.unstaged && file.status !== 'untracked') return say(context, 'nothing of this file is left to stage');
    if (action === 'unstage' && !file.staged) return say(context, 'nothing of this file is staged');
  }
  const params = { workspace, path: file.path, seen: target.seen, action, fingerprint: file.fingerprint, scope, ignoreWhitespace };
  if (action === 'discard') {
    const isNew = file.status === 'untracked' || file.status === 'added';
    const back = target.what === 'file' && isNew ? 'The file is removed.' : 'What was there before comes back.';
    const room = confirmRoom(context.store.getState()).cols;
    const said = [back, 'It is saved to a ref first; U undoes this.'].flatMap((text) => wrapText(text, room));
    const title = `discard ${named(target)} of ${plain(file.path)}?`;
    taken();
    return change(context, (state) =>
      openOverlay(state, { kind: 'confirm', ask: { do: 'discard', params }, title, lines: said, yes: 'discard', other: null }),
    );
  }
  saying(context, `${DOING[action]} ${named(target)} of ${plain(file.path)} …`, context.request('hunk.apply', params))
    .then(() => {
      taken();
      say(context, `${DONE[action]}: ${named(target)} of ${plain(file.path)}`, 'good');
    })
    .catch((error) => sayError(context, error));
}

function named(target: Exclude<ActTarget, { what: 'refused' }>): string {
  if (target.what === 'lines') return target.count === 1 ? 'this line' : `these ${target.count} lines`;
  return target.what === 'hunk' ? 'this hunk' : 'all changes';
}

/** Brings back what was discarded last in the worktree. */
export function undoDiscard(context: CommandContext, workspace: number): void {
  saying(context, 'bringing back what was discarded last …', context.request('hunk.undo', { workspace }))
    .then(({ paths }) => say(context, `brought back: ${paths.map(plain).join(', ')}`, 'good'))
    .catch((error) => sayError(context, error));
}
