// What stands where panes would be when there is no workspace: how to begin, in three lines and three keys.
import { chordLabel } from '../input/chord.ts';
import { type Keymap, keysOf } from '../input/keymap.ts';
import type { CommandId } from '../input/keymap-table.ts';
import type { Rect } from '../layout.ts';
import { fitLine, type Line, lineCells, plain, type Span, wrapText } from '../spans.ts';
import { repositoryName } from '../store/attention.ts';
import type { InstalledKind, Standing } from '../store/state.ts';
import type { Block } from './block.ts';

interface Props {
  rect: Rect;
  keymap: Keymap;
  installed: readonly InstalledKind[] | null;
  standing: Standing | null;
}

const WIDTH = 58;

export function emptyScreen({ rect, keymap, installed, standing }: Props): Block {
  const cols = Math.min(WIDTH, rect.cols - 2);
  const said = [
    ...wrapText('One workspace per git worktree: the agent on the left, what it changed on the right.', cols),
    ...wrapText('herd shows who works, who waits for you, and why.', cols),
    ...wrapText('Comment on a line of the diff and send it: the agent gets it as its next prompt.', cols),
  ];
  const keys: [CommandId, string][] = [
    ['workspace.new', standing ? `start an agent in a new worktree of ${nameOf(standing)}` : 'start an agent in a new worktree'],
    ['herd.help', 'every key'],
    ['herd.detach', 'leave; everything goes on'],
  ];
  const lines: Line[] = [
    [{ text: standing ? whereText(standing) : 'No workspace yet', bold: true }],
    [],
    ...said.map((text): Line => [{ text, color: 'muted' }]),
    [],
    ...keys.map(([command, word]) => keyLine(keymap, command, word)),
    ...agentLines(installed, cols),
  ];
  const width = Math.max(...lines.map(lineCells));
  const left = Math.max(1, Math.floor((rect.cols - width) / 2));
  const above = Math.max(0, Math.floor((rect.rows - lines.length) / 3));
  const placed = [...Array.from({ length: above }, (): Line => []), ...lines].map((line) =>
    fitLine([{ text: ' '.repeat(left) }, ...line], rect.cols),
  );
  return { rect, lines: placed };
}

function nameOf({ main }: Standing): string {
  return plain(repositoryName(main));
}

function whereText(standing: Standing): string {
  const branch = standing.branch === null ? '' : ` · ${plain(standing.branch)}`;
  const worktrees = standing.worktrees > 1 ? ` · ${standing.worktrees} worktrees` : '';
  return `${nameOf(standing)}${branch}${worktrees}: no workspace yet`;
}

function keyLine(keymap: Keymap, command: CommandId, word: string): Line {
  const key = `${chordLabel(keymap.prefix)} ${keysOf(keymap, 'prefix', command)[0] ?? ''}`;
  return [{ text: key.padEnd(12), color: 'key' }, { text: word }];
}

/** Says which agents were looked for when none was found. */
function agentLines(installed: readonly InstalledKind[] | null, cols: number): Line[] {
  if (installed === null || installed.length === 0 || installed.some(({ path }) => path !== null)) return [];
  const names = installed.map(({ command }) => plain(command)).join(', ');
  const text = wrapText(`No agent is on your PATH; looked for ${names}. Without one, this shows the whole loop:`, cols);
  return [[], ...text.map((line): Line => [{ text: line, color: 'warning' } satisfies Span]), [{ text: 'herd demo', color: 'key' }]];
}
