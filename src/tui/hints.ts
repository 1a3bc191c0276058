// The keys worth knowing in the place where the person is: data for the status bar and for the foot of overlays, read from the keymap.
import { chordLabel } from './input/chord.ts';
import { type Keymap, keysOf } from './input/keymap.ts';
import type { CommandId, Place } from './input/keymap-table.ts';
import { type Line, lineCells } from './spans.ts';

/** A command with the short word the bar has for it, most useful first. */
export type Hint = readonly [command: CommandId, word: string];

export const HINTS = {
  terminal: [
    ['workspace.pick', 'workspaces'],
    ['attention.next', 'next that needs you'],
    ['pane.other', 'agent/diff'],
    ['workspace.new', 'new'],
    ['prompt.write', 'prompt'],
    ['review.send', 'send'],
    ['pane.zoom', 'zoom'],
    ['herd.detach', 'detach'],
    ['herd.help', 'help'],
  ],
  narrow: [
    ['list.focus', 'list'],
    ['pane.other', 'agent/diff'],
    ['attention.next', 'next'],
    ['prompt.write', 'prompt'],
    ['herd.help', 'help'],
  ],
  prefix: [
    ['workspace.pick', 'workspaces'],
    ['attention.next', 'next ▲'],
    ['pane.other', 'agent/diff'],
    ['pane.zoom', 'zoom'],
    ['workspace.new', 'new'],
    ['prompt.write', 'prompt'],
    ['review.send', 'send'],
    ['copy.enter', 'copy'],
    ['pane.split-stacked', 'shell'],
    ['agent.explain', 'explain'],
    ['herd.palette', 'commands'],
    ['herd.detach', 'detach'],
    ['herd.help', 'help'],
  ],
  diff: [
    ['diff.comment', 'comment'],
    ['review.send', 'send'],
    ['diff.next-hunk', 'hunk'],
    ['diff.next-file', 'file'],
    ['diff.viewed', 'viewed'],
    ['diff.files', 'files'],
    ['diff.search', 'search'],
    ['diff.scope', 'scope'],
    ['diff.leave', 'agent'],
    ['herd.help', 'help'],
  ],
  selection: [
    ['diff.comment', 'comment'],
    ['diff.suggest', 'suggest'],
    ['diff.stage', 'stage'],
    ['diff.unstage', 'unstage'],
    ['diff.discard', 'discard'],
    ['diff.yank', 'copy'],
    ['diff.cancel', 'drop'],
  ],
  files: [
    ['diff.comment-open', 'open'],
    ['diff.search', 'filter'],
    ['diff.viewed', 'viewed'],
    ['diff.files-flat', 'tree or flat'],
    ['diff.files', 'close'],
    ['herd.help', 'help'],
  ],
  list: [
    ['list.open', 'open'],
    ['list.diff', 'diff'],
    ['list.approve', 'yes'],
    ['list.reject', 'no'],
    ['list.mark', 'mark'],
    ['prompt.write', 'prompt'],
    ['workspace.new', 'new'],
    ['list.leave', 'back'],
  ],
  attention: [
    ['list.approve', 'yes'],
    ['list.reject', 'no'],
    ['list.option', 'option'],
    ['list.type', 'type'],
    ['list.open', 'open'],
    ['list.diff', 'diff'],
    ['list.leave', 'back'],
  ],
  copy: [
    ['copy.select', 'select'],
    ['copy.select-lines', 'lines'],
    ['copy.yank', 'copy'],
    ['copy.find', 'search'],
    ['copy.next', 'next'],
    ['copy.editor', 'editor'],
    ['copy.top', 'start'],
    ['copy.leave', 'leave'],
  ],
  picker: [
    ['list.open', 'open'],
    ['list.leave', 'back'],
  ],
  help: [['list.leave', 'back']],
  prompt: [
    ['editor.save', 'send'],
    ['editor.later', 'queue'],
    ['editor.discard', 'discard'],
    ['editor.cancel', 'keep draft'],
  ],
  waiting: [
    ['editor.save', 'save'],
    ['editor.discard', 'discard'],
    ['editor.cancel', 'keep draft'],
  ],
  comment: [
    ['editor.save', 'save'],
    ['editor.external', 'editor'],
    ['editor.discard', 'discard'],
    ['editor.cancel', 'keep draft'],
  ],
  preview: [
    ['editor.save', 'send'],
    ['editor.later', 'queue'],
    ['editor.copy', 'copy'],
    ['editor.write', 'file'],
    ['editor.target', 'agent'],
    ['editor.now', 'now or never'],
    ['editor.cancel', 'back'],
  ],
  commit: [
    ['editor.save', 'commit'],
    ['editor.external', 'editor'],
    ['editor.cancel', 'keep draft'],
  ],
  new: [
    ['editor.next-field', 'next'],
    ['editor.save', 'create'],
    ['editor.cancel', 'back'],
  ],
  input: [
    ['edit.newline', 'ok'],
    ['editor.cancel', 'back'],
  ],
  queue: [
    ['list.edit', 'edit'],
    ['list.move-up', 'up'],
    ['list.move-down', 'down'],
    ['list.send-now', 'send now'],
    ['list.drop', 'drop'],
    ['list.leave', 'back'],
  ],
  comments: [
    ['list.open', 'go there'],
    ['list.edit', 'edit'],
    ['list.resolve', 'resolve'],
    ['list.filter', 'filter'],
    ['list.drop', 'remove'],
    ['review.send', 'send'],
    ['list.leave', 'back'],
  ],
  board: [
    ['list.open', 'its workspace'],
    ['batch.pause', 'pause or go on'],
    ['list.resolve', 'try again'],
    ['list.drop', 'cancel'],
    ['list.leave', 'back'],
  ],
  explain: [['list.leave', 'back']],
} satisfies Record<string, Hint[]>;

export type HintSet = keyof typeof HINTS;

const PLACE_OF: Record<HintSet, Place> = {
  terminal: 'prefix',
  narrow: 'prefix',
  prefix: 'prefix',
  diff: 'diff',
  selection: 'diff',
  files: 'diff',
  list: 'list',
  attention: 'list',
  copy: 'copy',
  picker: 'picker',
  help: 'picker',
  prompt: 'editor',
  waiting: 'editor',
  comment: 'editor',
  preview: 'editor',
  commit: 'editor',
  new: 'editor',
  input: 'editor',
  queue: 'list',
  comments: 'list',
  board: 'list',
  explain: 'list',
};

/** Cells between two hints. */
const GAP = 2;

/**
 * 'key word  key word …' as far as it fits `cols` cells; over a terminal the prefix stands in front once. The last hint,
 * the way out or to every other key, gives way to none.
 */
export function hintLine(keymap: Keymap, set: HintSet, cols: number): Line {
  const overTerminal = set === 'terminal' || set === 'narrow';
  const lead: Line = overTerminal ? [{ text: `${chordLabel(keymap.prefix)}  `, color: 'key' }] : [];
  const hints = (HINTS[set] as readonly Hint[]).flatMap((hint) => hintSpans(keymap, set, hint));
  const last = hints.pop() ?? [];
  let room = cols - lineCells(lead) - lineCells(last);
  const shown: Line[] = [];
  for (const spans of hints) {
    room -= lineCells(spans) + GAP;
    if (room < 0) break;
    shown.push(spans);
  }
  return [...lead, ...[...shown, last].flatMap((spans, i) => (i === 0 ? spans : [{ text: ' '.repeat(GAP) }, ...spans]))];
}

function hintSpans(keymap: Keymap, set: HintSet, [command, word]: Hint): Line[] {
  const key = keyFor(keymap, set, command);
  if (key === null) return [];
  return [
    [
      { text: key, color: 'key' },
      { text: ` ${word}`, color: 'barText' },
    ],
  ];
}

function keyFor(keymap: Keymap, set: HintSet, command: CommandId): string | null {
  const keys = keysOf(keymap, PLACE_OF[set], command);
  if (keys.length === 0) return null;
  return keys.length > 4 ? `${keys[0]}-${keys.at(-1)}` : keys[0]!;
}
