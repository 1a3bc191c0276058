// The prompts of one agent: what waits, in order, and what became of those before.
import type { ReactElement } from 'react';
import type { Prompt } from '../../model/review/comment.ts';
import { ageText } from '../agent-look.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { queueRows } from '../rows/review-rows.ts';
import { cutText, type Line, plain, type Span, spread } from '../spans.ts';
import type { ColorName, Theme } from '../theme.ts';
import { Frame } from './frame.tsx';
import { windowTop } from './list-window.ts';

interface Props {
  rect: Rect;
  name: string;
  prompts: readonly Prompt[];
  at: number;
  now: number;
  foot: Line;
  theme: Theme;
}

const STATES: Record<Prompt['state'], [glyph: string, color: ColorName]> = {
  queued: ['…', 'working'],
  delivering: ['→', 'working'],
  accepted: ['✓', 'success'],
  refused: ['✕', 'error'],
  undelivered: ['!', 'warning'],
  dropped: ['–', 'faint'],
};

export function Queue({ rect, name, prompts, at, now, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const rows = queueRows(prompts);
  const top = windowTop(at, inner.rows, rows.length);
  const lines = rows.slice(top, top + inner.rows).map((prompt, index) => promptLine(prompt, top + index === at, now, inner.cols));
  const empty: Line[] = [[{ text: 'No prompt waits. Prompts sent while the agent works wait here, one per turn.', color: 'muted' }]];
  return <Frame rect={rect} title={`prompts · ${name}`} foot={foot} lines={rows.length > 0 ? lines : empty} theme={theme} />;
}

function promptLine(prompt: Prompt, at: boolean, now: number, cols: number): Line {
  const [glyph, color] = STATES[prompt.state];
  const why = prompt.state === 'queued' && prompt.afterTurn !== undefined ? 'after the turn' : prompt.receipt?.reason;
  const reason = why ? ` · ${plain(why)}` : '';
  const round = prompt.round === null ? '' : `round ${prompt.round} `;
  const right: Span[] = [{ text: ` ${round}${prompt.state}${cutText(reason, 36)} ${ageText(prompt.updated, now)}`, color: 'muted' }];
  return spread([{ text: ` ${glyph} `, color }, { text: plain(prompt.text) }], right, cols, at ? { ground: 'selected' } : {});
}
