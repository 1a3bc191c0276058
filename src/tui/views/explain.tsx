// Why herd thinks what it thinks of an agent: verdict, evidence, and the screen it saw.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { type Line, plain } from '../spans.ts';
import type { ExplainLine } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  name: string;
  lines: readonly ExplainLine[] | null;
  top: number;
  foot: Line;
  theme: Theme;
}

export function Explain({ rect, name, lines, top, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const shown = (lines ?? [{ text: 'asking the server …', tone: 'dim' } as const]).slice(top, top + inner.rows).map(toLine);
  return <Frame rect={rect} title={`why · ${name}`} foot={foot} lines={shown} theme={theme} />;
}

function toLine({ text, tone }: ExplainLine): Line {
  if (tone === 'head') return [{ text: plain(text), bold: true }];
  if (tone === 'screen')
    return [
      { text: '▏ ', color: 'faint' },
      { text: text === '' ? ' ' : text, color: 'muted' },
    ];
  return [{ text: plain(text), ...(tone === 'dim' ? { color: 'muted' as const } : {}) }];
}
