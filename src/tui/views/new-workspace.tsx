// The dialog for a new workspace: name, base, agent, first prompt; worktrees that exist already are offered below the name.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import { FIELD_ROW, innerRect, LABEL_COLS, PROMPT_FIELD_ROWS } from '../overlay-geometry.ts';
import { cutText, fitLine, type Line, lineCells, plain, type Span } from '../spans.ts';
import { repositoryName } from '../store/attention.ts';
import { isChoice, type NewField, type NewForm } from '../store/overlay.ts';
import type { InstalledKind } from '../store/state.ts';
import type { Theme } from '../theme.ts';
import { editorLines } from './editor-lines.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  form: NewForm;
  installed: readonly InstalledKind[] | null;
  foot: Line;
  theme: Theme;
}

const EMPTY: Record<'name' | 'base' | 'prompt', string> = {
  name: 'branch and worktree',
  base: 'where it starts; the present branch when empty',
  prompt: 'first prompt; sent once the agent reads keys',
};

export function NewWorkspace({ rect, form, installed, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const lines: Line[] = Array.from({ length: inner.rows }, () => []);
  const put = (row: number, line: Line) => {
    if (row < lines.length) lines[row] = line;
  };
  put(FIELD_ROW.repository, [label('repository', form), ...repositoryChoice(form, inner.cols - LABEL_COLS)]);
  for (const field of ['name', 'base'] as const)
    put(FIELD_ROW[field], [label(field, form), ...editorLines(form[field], inner.cols - LABEL_COLS, 1, EMPTY[field])[0]!]);
  put(FIELD_ROW.agent, [label('agent', form), ...agentChoice(form, installed)]);
  const prompt = editorLines(form.prompt, inner.cols - LABEL_COLS, PROMPT_FIELD_ROWS, EMPTY.prompt);
  prompt.forEach((line, index) => {
    put(FIELD_ROW.prompt + index, [index === 0 ? label('prompt', form) : { text: ' '.repeat(LABEL_COLS) }, ...line]);
  });
  const after = FIELD_ROW.prompt + PROMPT_FIELD_ROWS + 1;
  worktreeLines(form, inner.cols).forEach((line, index) => {
    put(after + index, line);
  });
  if (form.error) put(inner.rows - 1, [{ text: cutText(plain(form.error), inner.cols), color: 'error' }]);
  else if (form.busy) put(inner.rows - 1, [{ text: 'making the worktree …', color: 'muted' }]);
  return <Frame rect={rect} title="new workspace" foot={foot} lines={lines} theme={theme} />;
}

function label(field: NewField, form: NewForm): Span {
  const at = form.field === field;
  // A choice begins with the blank of its ground.
  return { text: `${at ? '›' : ' '} ${field}`.padEnd(LABEL_COLS - (isChoice(field) ? 1 : 0)), color: at ? 'key' : 'muted', bold: at };
}

/** The only repository as a path; several by name, those that do not fit as a number. */
function repositoryChoice({ repository, repositories }: NewForm, cols: number): Line {
  if (repository === null) return [{ text: 'where herd was started', color: 'muted' }];
  if (repositories.length < 2) return [{ text: ` ${cutText(plain(repository), cols - 1)}`, color: 'muted' }];
  const all = choices(repositories.map((path) => ({ text: plain(repositoryName(path)), chosen: path === repository })));
  if (lineCells(all) <= cols) return all;
  const count = ` ${repositories.indexOf(repository) + 1} of ${repositories.length}`;
  return [...choices([{ text: plain(repositoryName(repository)), chosen: true }]), { text: count, color: 'muted' }];
}

function choices(of: { text: string; chosen: boolean }[]): Span[] {
  return of.flatMap(({ text, chosen }): Span[] => [
    { text: ` ${text} `, ...(chosen ? { ground: 'selected', bold: true } : { color: 'muted' }) } as Span,
    { text: ' ' },
  ]);
}

/** Installed kinds to choose from with the arrows; what is not there is named, so that nobody wonders. */
function agentChoice(form: NewForm, installed: readonly InstalledKind[] | null): Line {
  if (installed === null) return [{ text: 'looking for agents …', color: 'muted' }];
  const kinds = [...installed.filter(({ path }) => path !== null).map(({ kind }) => kind), null];
  const spans = choices(kinds.map((kind) => ({ text: kind ?? 'shell', chosen: kind === form.agent })));
  const missing = installed.filter(({ path }) => path === null).length;
  return missing > 0 && kinds.length === 1 ? [...spans, { text: `none of ${missing} known agents is installed`, color: 'muted' }] : spans;
}

function worktreeLines(form: NewForm, cols: number): Line[] {
  if (form.worktrees.length === 0) return [];
  const head: Line = [{ text: `${' '.repeat(LABEL_COLS)}or an existing worktree, by ↑ ↓ in name:`, color: 'muted' }];
  const first = Math.max(0, Math.min((form.worktree ?? 0) - 1, form.worktrees.length - 3));
  const rows = form.worktrees.slice(first, first + 3).map(({ path, branch }, index): Line => {
    const at = first + index === form.worktree;
    const span: Span = {
      text: cutText(`  ${plain(branch ?? '(detached)')}  ${plain(path)}`, cols - LABEL_COLS),
      ...(at ? { ground: 'selected' } : { color: 'muted' }),
    };
    return [{ text: ' '.repeat(LABEL_COLS) }, ...fitLine([span], cols - LABEL_COLS, at ? { ground: 'selected' } : {})];
  });
  return [head, ...rows];
}
