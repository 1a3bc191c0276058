// The attention queue as rows of text: who waits, for what, how long, with the keys that answer; of the entry at the cursor all that it asks.
// Views draw these rows and clicks look them up, so that a click on an answer gives that answer.
import type { Question } from '../../model/agent.ts';
import type { Workspace } from '../../model/workspace.ts';
import { ageText, diffSizeSpans, glyphSpan, lookFor, rowText } from '../agent-look.ts';
import { cutText, fitLine, type Line, lineCells, plain, type Span, spread, wrapText } from '../spans.ts';
import { lookOf } from '../store/attention.ts';

export interface AttentionRow {
  line: Line;
  workspace: number | null;
  /** Columns that answer when clicked, in cells from the row's start. */
  answers: { from: number; to: number; answer: 'approve' | 'reject' | number }[];
}

/** Rows that a question's text takes at the cursor, at most: all of it where the list is wide. */
const TEXT_ROWS = 5;
/** Cells of an option among others on one row. */
const LABEL_CELLS = 24;

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
  const first = all.findIndex((row) => row.workspace === at);
  const last = all.findLastIndex((row) => row.workspace === at);
  const top = Math.max(0, Math.min(last + 2 - rows, all.length - rows, first));
  return all.slice(top, top + rows);
}

/** Rows that they take in `cols` cells wherever the cursor stands. */
export function attentionHeight(workspaces: readonly Workspace[], cols: number): number {
  const rows = (at: boolean) => workspaces.map(({ agent }) => 1 + (agent.question ? questionRows(agent.question, at, cols).length : 0));
  const [apart, atCursor] = [rows(false), rows(true)];
  return apart.reduce((sum, count) => sum + count, 0) + Math.max(0, ...atCursor.map((count, i) => count - apart[i]!));
}

function entryRows(workspace: Workspace, at: boolean, now: number, cols: number): AttentionRow[] {
  const blocked = lookOf(workspace.agent) === 'blocked';
  const fill: Omit<Span, 'text'> = at ? { ground: 'selected' } : blocked ? { ground: 'accentGround' } : {};
  const first: AttentionRow = { line: headLine(workspace, now, cols, fill, blocked), workspace: workspace.id, answers: [] };
  const { question } = workspace.agent;
  if (!question) return [first];
  const asked = questionRows(question, at, cols);
  return [first, ...asked.map(({ line, answers }) => ({ line: fitLine(line, cols, fill), workspace: workspace.id, answers }))];
}

type AnswerRow = Pick<AttentionRow, 'line' | 'answers'>;

/** What is asked and the keys that answer it: on two rows, `whole` on as many as it takes. */
function questionRows(question: Question, whole: boolean, cols: number): AnswerRow[] {
  const text = plain(question.text);
  const room = cols - 4;
  const wrapped = whole ? wrapText(text, room) : [cutText(text, room)];
  const shown = wrapped.slice(0, TEXT_ROWS);
  if (wrapped.length > shown.length) shown[shown.length - 1] = `${cutText(shown.at(-1)!, room - 2)} …`;
  const words = shown.map((row): AnswerRow => ({ line: [{ text: `   ${row}` }], answers: [] }));
  return [...words, ...(whole ? allAnswers(question, room) : [answerRow(briefly(question))])];
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

type Choice = [key: string, label: string, answer: 'approve' | 'reject' | number];

const YES_NO: Choice[] = [
  ['y', 'yes', 'approve'],
  ['N', 'no', 'reject'],
];

function isYesNo({ kind, options }: Question): boolean {
  return kind === 'permission' || kind === 'trust' || options.length === 0;
}

function numbered({ options }: Question, cells: number): Choice[] {
  return options.slice(0, 9).map(({ label }, index) => [`${index + 1}`, cutText(plain(label), cells), index + 1]);
}

/** '[y] yes  [N] no' for a permission, numbered options otherwise. */
function briefly(question: Question): Choice[] {
  return isYesNo(question) ? YES_NO : numbered(question, LABEL_CELLS);
}

/** The same, and where that leaves out an option or a part of one, every option on a row of its own. */
function allAnswers(question: Question, room: number): AnswerRow[] {
  const brief = answerRow(briefly(question));
  const short = question.options.every(({ label }) => plain(label).length <= LABEL_CELLS) && lineCells(brief.line) <= room;
  if (isYesNo(question) ? question.options.length <= 2 : short) return [brief];
  const each = numbered(question, room - 4).map((choice) => answerRow([choice]));
  return isYesNo(question) ? [brief, ...each] : each;
}

function answerRow(choices: readonly Choice[]): AnswerRow {
  const line: Span[] = [];
  const answers: AttentionRow['answers'] = [];
  for (const [key, label, answer] of choices) {
    line.push({ text: line.length === 0 ? '   ' : '  ' });
    const from = lineCells(line);
    line.push({ text: `[${key}]`, color: 'key' }, { text: ` ${label}` });
    answers.push({ from, to: lineCells(line), answer });
  }
  return { line, answers };
}
