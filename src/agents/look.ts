// One look at an agent's screen: where its composer is, whether a dialog waits, which rules match. What stands on rows that have not changed
// since the look before is not judged again; the same screen gives the same look, whatever was seen before.
import type { Question } from '../model/agent.ts';
import type { ScreenLine, ScreenText } from '../model/screen-text.ts';
import { type Composer, findBoxAtCursor, findComposer } from './composer.ts';
import { type Hit, Hits, type Shows } from './hits.ts';
import type { CompiledKind } from './kinds/compile.ts';
import { asksYesOrNo, findMenu, type Menu, type Place, pointedNumber } from './menu.ts';
import { type RowForm, RowForms } from './row-forms.ts';

export interface Look {
  composer: Composer | null;
  question: Question | null;
  /** The dialog has neither numbers nor key hints: its form says less. */
  weak: boolean;
  /** A notice covers the composer, and any key closes it: nothing waits for an answer. */
  notice: boolean;
  hits: Hit[];
  shows: Shows;
  /** The hints below the composer, without numbers, which count on by themselves. */
  footer: string[];
  /** Rows that a person's typing does not change, for motion: all but the composer's. */
  still: string[];
  blank: boolean;
  /** Bracketed paste is on. */
  takesPastes: boolean;
}

/** Its prompt is there, be it below a notice. */
export function hasPrompt(look: Look): boolean {
  return look.composer !== null || look.notice;
}

/** What was found outside the composer of a screen with these rows. */
interface Around extends Pick<Look, 'composer' | 'hits' | 'shows' | 'footer' | 'still'> {
  lines: readonly ScreenLine[];
}

/** A single look. */
export function lookAt(kind: CompiledKind, screen: ScreenText): Look {
  return new Looker(kind).look(screen);
}

export class Looker {
  readonly #kind: CompiledKind;
  readonly #hits: Hits;
  readonly #forms = new RowForms();
  #last: { screen: ScreenText; box: Composer | null; after: number; menu: Menu | null } | null = null;
  #around: Around | null = null;

  constructor(kind: CompiledKind) {
    this.#kind = kind;
    this.#hits = new Hits(kind);
  }

  look(screen: ScreenText): Look {
    const kind = this.#kind;
    const box = this.#box(screen);
    const strange = !box && kind.composer ? findBoxAtCursor(screen) : null;
    const menu = this.#menu(screen, box, strange);
    const draft = box !== null && menu !== null && box.cursorInside && !menu.hinted && menu.first >= box.top;
    const composer = menu && !draft ? null : (box ?? strange);
    const { hits, shows, footer, still } = this.#lookAround(screen, composer);
    const notice = menu?.notice === true && !draft && kind.composer !== null;
    const question =
      draft || notice || (menu?.question.options.length === 0 && !composer && hits.some((hit) => hit.says === 'rest'))
        ? null
        : (menu?.question ?? null);
    return {
      composer,
      question,
      weak: menu?.weak ?? false,
      notice,
      hits,
      shows,
      footer,
      still,
      blank: screen.lines.every((line) => line.text === ''),
      takesPastes: screen.bracketedPaste,
    };
  }

  /** What a person's typing does not change, and so is not looked for again when it is all that has changed. */
  #lookAround(screen: ScreenText, composer: Composer | null): Around {
    const { lines } = screen;
    const last = this.#around;
    const known = last && composer && isAround(composer, last.composer) && sameRows(last.lines, lines, composer.to + 1) ? last : null;
    if (known && !this.#hits.readsBox && sameRows(known.lines, lines, 0, composer!.from)) return known;
    const { hits, shows } = this.#hits.in(screen, composer);
    const footer = known?.footer ?? (composer ? footerOf(screen, composer) : []);
    this.#around = { lines, composer, hits, shows, footer, still: stillRows(screen, composer) };
    return this.#around;
  }

  /** Nothing above a box has a say in where it is. */
  #box(screen: ScreenText): Composer | null {
    const last = this.#last;
    if (last?.box && sameCursor(last.screen, screen) && sameRows(last.screen.lines, screen.lines, last.box.top)) return last.box;
    return findComposer(screen, this.#kind.composer);
  }

  /** `strange`: what may be a box that the kind does not know; where no dialog stands in it or below, it is one. */
  #menu(screen: ScreenText, box: Composer | null, strange: Composer | null): Menu | null {
    const kind = this.#kind;
    const after = box ? from(kind, box, screen.lines) : strange ? strange.top - 1 : kind.composer ? -1 : below(screen);
    const last = this.#last;
    // A dialog in place of the box may say above it what it asks.
    const open = strange !== null || (box !== null && after < box.bottom);
    const reachesUp = box !== null && open && (last?.menu != null || pointedNumber(screen.lines[box.from]!.text) !== null);
    const first = reachesUp ? 0 : after + 1;
    const same = last?.after === after && last.screen.cursor.y === screen.cursor.y && sameRows(last.screen.lines, screen.lines, first);
    const menu = same
      ? last.menu
      : dialog(screen, this.#forms.of(screen.lines), box, { after, open, boxGone: kind.composer !== null && !box });
    this.#last = { screen, box, after, menu };
    return menu;
  }
}

/** Key hints alone below what seemed to be a box: the box may be the dialog that they are about. */
function dialog(screen: ScreenText, forms: readonly RowForm[], box: Composer | null, { after, open, boxGone }: Place): Menu | null {
  if (box && open && pointedNumber(screen.lines[box.from]!.text) !== null) {
    // What seemed to be a prompt is the pointer, further down in a list.
    const list = findMenu(screen, forms, { after: -1, open, boxGone: true });
    if (list?.hinted && list.first < box.from) return list;
  }
  const menu = findMenu(screen, forms, { after, open, boxGone });
  if (!box || open || !menu?.hinted || menu.question.options.length > 0) return menu;
  const whole = findMenu(screen, forms, { after: box.top - 1, open: true, boxGone: true });
  return whole && whole.question.options.length > 1 ? whole : menu;
}

/** Rows [from, to) are the same objects: unchanged ones are (`RowTexts`). */
function sameRows(a: readonly ScreenLine[], b: readonly ScreenLine[], from: number, to = b.length): boolean {
  if (a.length !== b.length) return false;
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** On the same rows as before. */
function isAround(a: Composer, b: Composer | null): boolean {
  return b !== null && a.top === b.top && a.from === b.from && a.to === b.to && a.bottom === b.bottom;
}

function sameCursor({ cursor: a }: ScreenText, { cursor: b }: ScreenText): boolean {
  return a.x === b.x && a.y === b.y;
}

/**
 * The last row that a dialog can not be on. What stands inside borders behind a prompt glyph is a draft, whatever it looks like; without
 * borders or glyph the box itself may be a dialog.
 */
function from(kind: CompiledKind, box: Composer, lines: readonly ScreenLine[]): number {
  const shape = kind.composer!;
  return shape.bottom && !shape.first.test('') ? remnantBelow(lines, box.bottom) : box.top - 1;
}

/** The last row of a box whose upper edge is not below `after`: what an earlier frame left behind, or `after`. */
function remnantBelow(lines: readonly ScreenLine[], after: number): number {
  let end = after;
  for (let y = after + 1; y < lines.length && !/^\s*[╭┌╔][─═]/u.test(lines[y]!.text); y++)
    if (/^\s*([│║].*[│║]|[╰└╚][─═].*)\s*$/u.test(lines[y]!.text)) end = y;
  return end;
}

const BORDER = /^\s*[─━▄▀╭╰╹╻]{1,2}[─━▄▀]{6,}/u;

/**
 * For kinds without a composer of their own: the lowest row of whatever holds the cursor as an input box does: borders close above and
 * below it, or a prompt glyph before it on a row of its own.
 */
function below(screen: ScreenText): number {
  const { cursor, lines } = screen;
  const row = lines[cursor.y]?.text ?? '';
  const text = (y: number) => lines[y]?.text ?? '';
  // The cursor of a dialog stands on the option that is pointed at.
  if (/^\s*[│┃]?\s*[❯›>●▶]?\s*\d{1,2}[.)]\s/u.test(row)) return -1;
  const bottom = [1, 2, 3].map((step) => cursor.y + step).find((y) => BORDER.test(text(y)));
  if (bottom !== undefined && (BORDER.test(text(cursor.y - 1)) || /^\s*[│┃]/u.test(row))) return bottom;
  const glyph = /^\s*[│┃]?\s*[❯›>]/u.exec(row)?.[0].length;
  // What is typed there answers the row above.
  const before = lines.slice(0, cursor.y).findLast((line) => line.text.trim() !== '');
  if (before && asksYesOrNo(before.text)) return -1;
  const alone = text(cursor.y - 1).trim() === '' && text(cursor.y + 1).trim() === '';
  return glyph !== undefined && alone && cursor.x >= glyph ? cursor.y : -1;
}

function footerOf(screen: ScreenText, composer: Composer): string[] {
  const rows = screen.lines.slice(composer.to + 1).map((line) => line.text.replace(/\d+/gu, ''));
  return rows.flatMap((row) => row.split(/\s[·•|]\s|\s{2,}/u)).filter((hint) => /\p{L}/u.test(hint));
}

function stillRows({ lines }: ScreenText, composer: Composer | null): string[] {
  const rows: string[] = [];
  for (let y = 0; y < lines.length; y++) if (!composer || y < composer.from || y > composer.to) rows.push(lines[y]!.text);
  return rows;
}
