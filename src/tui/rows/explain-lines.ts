// Lines to read: why an agent is in its state (verdict, question, evidence, the screen it was read from), and what a program said.
import type { AgentStatus, Evidence } from '../../model/agent.ts';
import { clean } from '../../model/clean.ts';
import { ageText, lookFor } from '../agent-look.ts';
import { breakText } from '../spans.ts';
import type { ExplainLine } from '../store/overlay.ts';

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

/** What a program printed, its indentation kept. */
export function saidLines(said: string): ExplainLine[] {
  const lines = said.trimEnd().split('\n');
  return lines.map((line) => ({ text: ' '.repeat(line.search(/\S|$/)) + clean(line, SAID_LENGTH), tone: 'said' }));
}

/** Characters of one line of it. */
const SAID_LENGTH = 4000;
/** Cells of the mark before what a program said. */
const SAID_MARK = 2;

/** The lines as rows of at most `cols` cells: what a program said goes on in the next, all else is one row. */
export function explainRows(lines: readonly ExplainLine[], cols: number): ExplainLine[] {
  return lines.flatMap((line) =>
    line.tone === 'said' ? breakText(line.text, Math.max(1, cols - SAID_MARK)).map((text) => ({ ...line, text })) : [line],
  );
}
