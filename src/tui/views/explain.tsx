// Lines to read: why herd thinks what it thinks of an agent (verdict, evidence, the screen it saw), or what a program said.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { explainRows } from '../rows/explain-lines.ts';
import { type Line, plain } from '../spans.ts';
import type { ExplainLine } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  title: string;
  lines: readonly ExplainLine[] | null;
  top: number;
  foot: Line;
  theme: Theme;
}

export function Explain({ rect, title, lines, top, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const rows = explainRows(lines ?? [{ text: 'asking the server …', tone: 'dim' }], inner.cols);
  const first = Math.max(0, Math.min(top, rows.length - inner.rows));
  const all = rows.length <= inner.rows;
  const note: Line = all ? [] : [{ text: `${first + 1}-${first + inner.rows} of ${rows.length}`, color: 'muted' }];
  const shown = rows.slice(first, first + inner.rows).map(toLine);
  return <Frame rect={rect} title={plain(title)} note={note} foot={foot} lines={shown} theme={theme} />;
}

function toLine({ text, tone }: ExplainLine): Line {
  if (tone === 'head') return [{ text: plain(text), bold: true }];
  if (tone === 'screen' || tone === 'said')
    return [
      { text: '▏ ', color: 'faint' },
      { text: text === '' ? ' ' : text, ...(tone === 'screen' ? { color: 'muted' as const } : {}) },
    ];
  return [{ text: plain(text), ...(tone === 'dim' ? { color: 'muted' as const } : {}) }];
}
