// How states look and what rows say: glyph, colour, words, ages. One table, so that no place shows a state differently.
import type { AgentStatus } from '../model/agent.ts';
import { counted } from '../model/counted.ts';
import type { DiffSize, Workspace } from '../model/workspace.ts';
import { plain, type Span } from './spans.ts';
import { LOOKS, type LookName, lookOf, type RollUp } from './store/attention.ts';
import type { ColorName } from './theme.ts';

interface Look {
  glyph: string;
  color: ColorName;
  bold: boolean;
  word: string;
}

const TABLE: Record<LookName, Look> = {
  blocked: { glyph: '▲', color: 'accent', bold: true, word: 'needs you' },
  stalled: { glyph: '◔', color: 'accent', bold: false, word: 'stalled' },
  limited: { glyph: '◷', color: 'limited', bold: false, word: 'limited' },
  done: { glyph: '●', color: 'done', bold: true, word: 'done' },
  working: { glyph: '◐', color: 'working', bold: false, word: 'working' },
  unknown: { glyph: '?', color: 'muted', bold: false, word: "can't tell" },
  idle: { glyph: '○', color: 'muted', bold: false, word: 'idle' },
  exited: { glyph: '✕', color: 'muted', bold: false, word: 'exited' },
};

/** Glyph, colour and word for an agent, by `lookOf`. */
export function lookFor(status: AgentStatus): Look {
  return TABLE[lookOf(status)];
}

/** The state's sign in its colour. */
export function glyphSpan(status: AgentStatus): Span {
  const { glyph, color, bold } = lookFor(status);
  return { text: glyph, color, bold };
}

const MINUTE = 60_000;

/** Whole minutes, hours, days; '<1m' in the first minute, so that nothing ticks by the second. */
export function ageText(since: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - since) / MINUTE);
  if (minutes < 1) return '<1m';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** ms until the text of any of these ages changes; null when there is none. The only timer of a screen at rest. */
export function nextAgeChange(sinces: readonly number[], now: number): number | null {
  const waits = sinces.map((since) => {
    const age = Math.max(0, now - since);
    const step = age < 60 * MINUTE ? MINUTE : 60 * MINUTE;
    return step - (age % step);
  });
  return waits.length === 0 ? null : Math.min(...waits);
}

/** '+48 −12', parts that are zero left out; '' when nothing changed or it is not known. */
export function diffSizeSpans(diff: DiffSize): Span[] {
  const spans: Span[] = [];
  if (diff.added > 0) spans.push({ text: `+${diff.added}`, color: 'added' });
  if (diff.removed > 0) spans.push({ text: `${spans.length > 0 ? ' ' : ''}−${diff.removed}`, color: 'removed' });
  if (spans.length === 0 && diff.files > 0) spans.push({ text: counted(diff.files, 'file'), color: 'muted' });
  return spans;
}

/** What a row says under the name. */
export function rowText(workspace: Workspace, now: number): string {
  const { agent } = workspace;
  const { marks } = agent;
  switch (lookOf(agent)) {
    case 'blocked':
      return plain(agent.question?.text ?? 'waits for an answer');
    case 'stalled':
      return `no sign of life ${ageText(agent.since, now)}`;
    case 'limited':
      return marks.limit?.resets ? `limit, resets ${plain(marks.limit.resets)}` : 'limit reached';
    case 'done':
      return plain(marks.error ?? marks.task ?? filesText(workspace.diff));
    case 'working':
      return plain(marks.task ?? 'working');
    case 'idle':
      return marks.background ? plain(marks.background) : 'idle';
    case 'exited':
      return workspace.conversation === null ? exitText(agent) : `${exitText(agent)}, can be resumed`;
    case 'unknown':
      return "can't tell: press e";
  }
}

function filesText({ files }: DiffSize): string {
  return files === 0 ? 'no changes' : `${counted(files, 'file')} changed`;
}

/** 'exit 1', 'ended by SIGKILL'. */
export function exitText(agent: AgentStatus): string {
  if (agent.exit?.signal) return `ended by ${agent.exit.signal}`;
  return agent.exit?.code ? `exit ${agent.exit.code}` : 'exited';
}

/** '▲ 2  ● 1  ◐ 4', worst first, nothing for zero. */
export function rollUpSpans(counts: RollUp, gap = ' '): Span[] {
  const spans: Span[] = [];
  for (const look of LOOKS) {
    if (counts[look] === 0 || look === 'exited') continue;
    const { glyph, color, bold } = TABLE[look];
    if (spans.length > 0) spans.push({ text: gap === '' ? ' ' : '  ' });
    spans.push({ text: `${glyph}${gap}${counts[look]}`, color, bold });
  }
  return spans;
}

/** What a tab bar shows: who needs you and what is done. */
export function windowTitle(counts: RollUp): string {
  const parts = (['blocked', 'stalled', 'done'] as const)
    .filter((look) => counts[look] > 0)
    .map((look) => `${TABLE[look].glyph}${counts[look]}`);
  return ['herd', ...parts].join(' ');
}
