// Why herd thinks what it thinks of an agent: verdict, evidence, and the screen it saw.
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { type Line, plain } from '../spans.ts';
import type { ExplainLine } from '../store/overlay.ts';
import type { Block } from './block.ts';
import { frame } from './frame.ts';

interface Props {
  rect: Rect;
  name: string;
  lines: readonly ExplainLine[] | null;
  top: number;
  foot: Line;
}

export function explainBox({ rect, name, lines, top, foot }: Props): Block {
  const inner = innerRect(rect);
  const shown = (lines ?? [{ text: 'asking the server …', tone: 'dim' } as const]).slice(top, top + inner.rows).map(toLine);
  return frame(rect, { title: `why · ${name}`, foot, lines: shown });
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
