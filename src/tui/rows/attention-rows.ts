// The attention queue as rows of text: who waits, for what, how long, with the keys that answer. Views draw these rows and clicks look them
// up, so that a click on an answer gives that answer.
import type { Question } from '../../model/agent.ts';
import type { Workspace } from '../../model/workspace.ts';
import { ageText, diffSizeSpans, glyphSpan, lookFor, rowText } from '../agent-look.ts';
import { cutText, fitLine, type Line, lineCells, plain, type Span, spread } from '../spans.ts';
import { lookOf } from '../store/attention.ts';

export interface AttentionRow {
  line: Line;
  workspace: number | null;
  /** Columns that answer when clicked, in cells from the row's start. */
  answers: { from: number; to: number; answer: 'approve' | 'reject' | number }[];
}

/** The rows as drawn in `cols` x `rows` cells, scrolled so that the cursor's workspace is whole. `at` is a workspace's id. */
export function attentionRows(
  workspaces: readonly Workspace[],
  at: number | null,
  now: number,
  cols: number,
  rows: number,
): AttentionRow[] {
  const all = workspaces.flatMap((workspace) => entryRows(workspace, workspace.id === at, now, cols));
  if (all.length <= rows) return all;
  const last = all.findLastIndex((row) => row.workspace === at);
  const top = Math.max(0, Math.min(last + 2 - rows, all.length - rows));
  return all.slice(top, top + rows);
}

function entryRows(workspace: Workspace, at: boolean, now: number, cols: number): AttentionRow[] {
  const blocked = lookOf(workspace.agent) === 'blocked';
  const fill: Omit<Span, 'text'> = at ? { ground: 'selected' } : blocked ? { ground: 'accentGround' } : {};
  const row = (line: Line, answers: AttentionRow['answers'] = []): AttentionRow => ({ line, workspace: workspace.id, answers });
  const first = row(headLine(workspace, now, cols, fill, blocked));
  const { question } = workspace.agent;
  if (!question) return [first];
  const keys = answerLine(question);
  return [
    first,
    row(fitLine([{ text: `   ${cutText(plain(question.text), cols - 4)}` }], cols, fill)),
    row(fitLine(keys.line, cols, fill), keys.answers),
  ];
}

function headLine(workspace: Workspace, now: number, cols: number, fill: Omit<Span, 'text'>, blocked: boolean): Line {
  const name: Span = { text: plain(workspace.name), bold: lookFor(workspace.agent).bold };
  const size = diffSizeSpans(workspace.diff);
  const right: Line = [
    { text: ' ' },
    ...size,
    { text: ` ${ageText(workspace.agent.since, now)}`.padStart(5), color: 'muted' },
    { text: ' ' },
  ];
  const said: Span = { text: blocked ? '' : `  ${rowText(workspace, now)}`, color: 'muted' };
  return spread([{ text: ' ' }, glyphSpan(workspace.agent), { text: ' ' }, name, said], right, cols, fill);
}

/** '[y] yes  [N] no' for a permission, numbered options otherwise. */
function answerLine({ kind, options }: Question): { line: Line; answers: AttentionRow['answers'] } {
  const yesNo = kind === 'permission' || kind === 'trust' || options.length === 0;
  const choices: [key: string, label: string, answer: 'approve' | 'reject' | number][] = yesNo
    ? [
        ['y', 'yes', 'approve'],
        ['N', 'no', 'reject'],
      ]
    : options.slice(0, 9).map(({ label }, index) => [`${index + 1}`, cutText(plain(label), 24), index + 1]);
  const line: Span[] = [{ text: '   ' }];
  const answers: AttentionRow['answers'] = [];
  for (const [key, label, answer] of choices) {
    const from = lineCells(line);
    line.push({ text: `[${key}]`, color: 'key' }, { text: ` ${label}` });
    answers.push({ from, to: lineCells(line), answer });
    line.push({ text: '  ' });
  }
  return { line, answers };
}
