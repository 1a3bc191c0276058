// Why herd thinks what it thinks of an agent: verdict, evidence, and the screen it saw.
import type { ReactElement } from 'react';
import type { AgentStatus, Evidence } from '../../model/agent.ts';
import { ageText, lookFor } from '../agent-look.ts';
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

/** The answer of `agent.explain` as lines. */
export function explainLines(status: AgentStatus, evidence: readonly Evidence[], screen: readonly string[], now: number): ExplainLine[] {
  const { glyph, word } = lookFor(status);
  const verdict = `${glyph} ${word} for ${ageText(status.since, now)}: ${status.why}`;
  const question = status.question
    ? [
        `asks (${status.question.kind}): ${status.question.text}`,
        ...status.question.options.map(({ label, selected }, i) => `  ${selected ? '❯' : ' '} ${i + 1} ${label}`),
      ]
    : [];
  const marks = Object.entries(status.marks).map(
    ([name, value]) => `${name}: ${typeof value === 'object' ? Object.values(value).join(', ') : value}`,
  );
  return [
    { text: verdict, tone: 'head' },
    ...question.map((text): ExplainLine => ({ text, tone: 'plain' })),
    ...marks.map((text): ExplainLine => ({ text, tone: 'dim' })),
    { text: '', tone: 'plain' },
    { text: 'evidence, most trusted first', tone: 'head' },
    ...evidence.map((item): ExplainLine => ({ text: evidenceText(item, now), tone: 'plain' })),
    ...(evidence.length === 0 ? [{ text: 'none', tone: 'dim' } as const] : []),
    { text: '', tone: 'plain' },
    { text: 'the screen it saw', tone: 'head' },
    ...screen.map((text): ExplainLine => ({ text, tone: 'screen' })),
  ];
}

function evidenceText({ source, rule, says, text, at }: Evidence, now: number): string {
  return `${source.padEnd(9)} says ${says.padEnd(8)} ${ageText(at, now).padStart(4)} ago  ${rule}${text ? `  “${text}”` : ''}`;
}
