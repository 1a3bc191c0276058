// Picking a workspace: fuzzy over name, branch, repository and what its agent is at.
import type { ReactElement } from 'react';
import type { Workspace } from '../../model/workspace.ts';
import { ageText, diffSizeSpans, glyphSpan, lookFor, rowText } from '../agent-look.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { workspaceHits } from '../rows/picker-hits.ts';
import { cutText, fitLine, type Line, plain, type Span, spread } from '../spans.ts';
import { lookOf, repositoryName } from '../store/attention.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { editorLines } from './editor-lines.ts';
import { Frame } from './frame.tsx';
import { windowTop } from './list-window.ts';

interface Props {
  rect: Rect;
  overlay: OverlayOf<'workspaces'>;
  workspaces: readonly Workspace[];
  now: number;
  foot: Line;
  theme: Theme;
}

export function Workspaces({ rect, overlay, workspaces, now, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const hits = workspaceHits(overlay.query.text, workspaces);
  const rows = Math.max(0, inner.rows - 2);
  const top = windowTop(overlay.at, rows, hits.length);
  const query: Line = [{ text: '› ', color: 'key' }, ...editorLines(overlay.query, inner.cols - 2, 1, 'name, branch or repository')[0]!];
  const list = hits
    .slice(top, top + rows)
    .map((workspace, index) => hitLine(workspace, workspaces.indexOf(workspace), top + index === overlay.at, now, inner.cols));
  const none: Line[] = hits.length === 0 ? [[{ text: '  nothing fits', color: 'muted' }]] : [];
  return <Frame rect={rect} title="workspaces" foot={foot} theme={theme} lines={[query, [], ...list, ...none]} />;
}

function hitLine(workspace: Workspace, index: number, at: boolean, now: number, cols: number): Line {
  const fill = at ? ({ ground: 'selected' } as const) : {};
  const name = fitLine([{ text: plain(workspace.name), bold: at || lookFor(workspace.agent).bold }], Math.min(24, Math.floor(cols / 3)));
  const repository: Span = {
    text: cutText(workspace.repository === null ? '' : plain(repositoryName(workspace.repository)), 14),
    color: 'muted',
  };
  const blocked = lookOf(workspace.agent) === 'blocked';
  const text: Span = { text: rowText(workspace, now), color: blocked ? 'accent' : 'muted' };
  const number: Span = { text: index < 9 ? `${index + 1} ` : '  ', color: 'faint' };
  const left: Line = [
    number,
    glyphSpan(workspace.agent),
    { text: ' ' },
    ...name,
    { text: ' ' },
    ...fitLine([repository], 14),
    { text: ' ' },
    text,
  ];
  const right: Line = [
    { text: ' ' },
    ...diffSizeSpans(workspace.diff),
    { text: ` ${ageText(workspace.agent.since, now)}`.padStart(5), color: 'muted' },
  ];
  return spread(left, right, cols, fill);
}
