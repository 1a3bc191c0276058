// What stands above the diff pane: scope, size, comments; progress at the right.

import { counted } from '../model/counted.ts';
import type { DiffView } from './diff/view.ts';
import { isViewed } from './diff/view.ts';
import type { DiffHead } from './present.ts';
import { plain, type Span } from './spans.ts';

/** What `diffHead` looks at: the same values, the same head. */
export function diffHeadKey(view: DiffView): readonly unknown[] {
  const { changeset, viewed, comments, scope, trouble, ignoreWhitespace } = view;
  return [changeset, viewed, comments, scope, trouble, ignoreWhitespace, keysOf(view)];
}

/** What stands above the pane: scope, size, comments; progress at the right. */
export function diffHead(view: DiffView): DiffHead {
  const { changeset } = view;
  const bare = view.scope === 'base' ? 'diff' : scopeName(view);
  // Without a changeset the pane itself says what is wrong.
  const keys = keysOf(view);
  if (!changeset) return { name: bare, brief: bare, facts: [], keys };
  if (view.trouble) return { name: bare, brief: bare, facts: [{ text: plain(view.trouble), color: 'warning' }], keys };
  const files = changeset.files.length;
  const notes = changeset.notes ?? [];
  const size = [changeset.added > 0 ? `+${changeset.added}` : '', changeset.removed > 0 ? `−${changeset.removed}` : '']
    .filter((part) => part !== '')
    .join(' ');
  const open = view.comments.filter(({ state, author }) => state !== 'resolved' && author === 'user').length;
  const scope = `${scopeName(view)}${view.ignoreWhitespace ? ' · without whitespace' : ''}`;
  const parts = [
    scope,
    files === 0 ? 'no changes' : `${files}${notes.length > 0 ? '+' : ''} ${files === 1 ? 'file' : 'files'}${size ? ` ${size}` : ''}`,
    ...(open > 0 ? [counted(open, 'comment')] : []),
    ...(changeset.subject ? [plain(changeset.subject)] : []),
  ];
  const viewed = changeset.files.filter((file) => isViewed(view, file)).length;
  const facts: Span[] = notes.map((text) => ({ text: plain(text), color: 'warning' }));
  const { base } = changeset;
  if (base?.gone) facts.push({ text: `${plain(base.name)} is gone`, color: 'warning' });
  else if (base?.moved) facts.push({ text: `${plain(base.name)} has moved`, color: 'muted' });
  if (changeset.operation) facts.push({ text: changeset.operation, color: 'conflict' });
  if (changeset.error) facts.push({ text: 'not refreshed', color: 'warning' });
  if (viewed > 0) facts.push({ text: `${viewed}/${files} viewed`, color: viewed === files ? 'success' : 'muted' });
  return { name: parts.join(' · '), brief: `${scope} ${size}`.trimEnd(), facts: apart(facts), keys };
}

function keysOf({ list, select }: DiffView): DiffHead['keys'] {
  if (list) return 'files';
  return select ? 'selection' : 'diff';
}

function apart(facts: readonly Span[]): Span[] {
  return facts.flatMap((fact, i) => (i === 0 ? [fact] : [{ text: '  ' }, fact]));
}

/** The scope in words. */
export function scopeName({ scope, changeset }: DiffView): string {
  if (typeof scope === 'object') return 'round' in scope ? `since round ${scope.round}` : `commit ${scope.commit.slice(0, 7)}`;
  const names = {
    base: `since ${plain(changeset?.base?.name ?? 'the start')}`,
    uncommitted: 'uncommitted',
    staged: 'staged',
    turn: 'last turn',
    look: 'since last look',
  };
  return names[scope];
}
