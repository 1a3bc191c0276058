// The top line: session and roll-up on the left, the workspace shown on the right.
import type { Workspace } from '../../model/workspace.ts';
import { rollUpSpans } from '../agent-look.ts';
import type { Rect } from '../layout.ts';
import { type Line, plain, type Span, spread } from '../spans.ts';
import { type RollUp, repositoryName } from '../store/attention.ts';
import type { Block } from './block.ts';

interface Props {
  rect: Rect;
  session: string;
  counts: RollUp;
  workspace: Workspace | null;
}

export function titleBar({ rect, session, counts, workspace }: Props): Block {
  const narrow = rect.cols < 60;
  const name: Span[] = [{ text: ' herd', bold: true }];
  if (!narrow && session) name.push({ text: ` · ${plain(session)}`, color: 'barText' });
  const left: Line = [...name, { text: narrow ? ' ' : '    ' }, ...rollUpSpans(counts, narrow ? '' : ' ')];
  return { rect, lines: [spread(left, workspace && !narrow ? placeOf(workspace) : [], rect.cols, { ground: 'bar' })] };
}

function placeOf(workspace: Workspace): Line {
  const spans: Span[] = [{ text: '  ' }];
  if (workspace.repository !== null) spans.push({ text: `${plain(repositoryName(workspace.repository))}  `, color: 'muted' });
  spans.push({ text: plain(workspace.branch ?? workspace.head ?? workspace.name), color: 'barText', bold: true });
  if (workspace.base) spans.push({ text: `  base ${baseText(workspace.base)}`, color: 'muted' });
  return [...spans, { text: ' ' }];
}

/** "main 1a2b3c4"; of a base that is named by its commit only the beginning. */
function baseText({ name, commit }: { name: string; commit: string }): string {
  const short = commit.slice(0, 7);
  return commit.startsWith(name) ? short : `${plain(name)} ${short}`;
}
