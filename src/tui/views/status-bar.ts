// The bottom line: trouble with the server before all, then a notice, the question at hand, else the most useful keys of this place.
import { type Hint, type HintSet, hintLine } from '../hints.ts';
import { chordLabel } from '../input/chord.ts';
import { type Keymap, keysOf } from '../input/keymap.ts';
import type { Rect } from '../layout.ts';
import { cutText, fitLine, type Line, lineCells, plain, type Span, spread } from '../spans.ts';
import type { Link, Notice } from '../store/state.ts';
import type { Block } from './block.ts';

export interface StatusBarProps {
  keymap: Keymap;
  /** null: the place shows its own keys. */
  set: HintSet | null;
  link: Link;
  notice: Notice | null;
  /** A question in a workspace that is not the one with the keys. */
  question: { name: string; text: string } | null;
  /** Standing facts for the right end. */
  facts: Line;
}

export function statusBar({ rect, ...props }: StatusBarProps & { rect: Rect }): Block {
  return { rect, lines: [statusLine(props, rect.cols)] };
}

export function statusLine(props: StatusBarProps, cols: number): Line {
  const fill = { ground: 'bar' } as const;
  const { link, notice, question, set } = props;
  if (link.state !== 'up') return fitLine([{ text: ` ${linkText(link)}`, color: 'warning' }], cols, fill);
  if (set === 'prefix')
    return fitLine(
      [
        { text: ` ${chordLabel(props.keymap.prefix)} `, color: 'key', bold: true },
        { text: ' ' },
        ...hintLine(props.keymap, set, cols - 12),
      ],
      cols,
      fill,
    );
  if (notice) return fitLine(noticeLine(notice), cols, fill);
  if (question) return questionLine(props, question, cols);
  const facts = props.facts.length > 0 ? [...props.facts, { text: ' ' }] : [];
  return spread([{ text: ' ' }, ...(set ? hintLine(props.keymap, set, cols - 2 - lineCells(facts)) : [])], facts, cols, fill);
}

/** 'server unreachable since 14:03; showing what was last known'. */
export function linkText(link: Exclude<Link, { state: 'up' }>): string {
  const at = new Date(link.since).toTimeString().slice(0, 5);
  const what = link.state === 'silent' ? 'server does not answer since' : 'server unreachable since';
  return `${what} ${at} · showing what was last known${link.why ? ` · ${plain(link.why)}` : ''}`;
}

function noticeLine({ text, hint, tone }: Notice): Line {
  const color = tone === 'error' ? 'error' : tone === 'good' ? 'success' : 'barText';
  const spans: Span[] = [{ text: ` ${plain(text)}`, color }];
  if (hint) spans.push({ text: `  ${plain(hint)}`, color: 'muted' });
  return spans;
}

const ANSWERS: Hint[] = [
  ['attention.approve', 'yes'],
  ['attention.reject', 'no'],
  ['attention.next', 'go there'],
];

function questionLine({ keymap }: StatusBarProps, question: { name: string; text: string }, cols: number): Line {
  const keys = ANSWERS.slice(0, cols < 70 ? 2 : 3).flatMap(([command, word]): Span[] => {
    const key = keysOf(keymap, 'prefix', command)[0];
    return key === undefined
      ? []
      : [
          { text: `  ${key}`, color: 'key' },
          { text: ` ${word}`, color: 'barText' },
        ];
  });
  const right: Line = [{ text: `  ${chordLabel(keymap.prefix)}`, color: 'key' }, ...keys, { text: ' ' }];
  const name = ` ▲ ${plain(question.name)}  `;
  const room = cols - lineCells([{ text: name }]) - lineCells(right);
  const left: Line = [{ text: name, color: 'accent', bold: true }, { text: cutText(plain(question.text), Math.max(10, room)) }];
  return spread(left, right, cols, { ground: 'bar' });
}
