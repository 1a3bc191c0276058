// One look at an agent's screen: where its composer is, whether a dialog waits, which rules match. Pure; remembers nothing.
import type { Question } from '../model/agent.ts';
import type { ScreenText } from '../model/screen-text.ts';
import { type Composer, findComposer } from './composer.ts';
import type { CompiledKind, CompiledRule } from './kinds/compile.ts';
import type { Region, RuleSays } from './kinds/kind.ts';
import { findMenu } from './menu.ts';

export interface Hit {
  id: string;
  says: RuleSays;
  /** The text that matched, cleaned, ≤ 200 characters. */
  text: string;
  /** First group, where the rule has one. */
  part: string | null;
  fresh: number | null;
  finish: string[];
}

export interface Look {
  composer: Composer | null;
  question: Question | null;
  /** The dialog has neither numbers nor key hints: its form says less. */
  weak: boolean;
  /** A notice covers the composer, and any key closes it: nothing waits for an answer. */
  notice: boolean;
  hits: Hit[];
  shows: { context?: string; cost?: string; task?: string };
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

/** Rows of `above` and `bottom` when a rule names none. */
const ROWS = 8;
/** Characters kept of a matched text; what `explain` prints. */
const TEXT_MAX = 200;

export function lookAt(kind: CompiledKind, screen: ScreenText): Look {
  const box = findComposer(screen, kind.composer);
  const menu = findMenu(screen, box ? from(kind, box) : kind.composer ? -1 : below(screen));
  const draft = box !== null && menu !== null && box.cursorInside && !menu.hinted && menu.from >= box.top;
  const composer = menu && !draft ? null : box;
  const regions = regionsOf(screen, composer);
  const hits = hitsIn(kind, regions);
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
    shows: shown(kind, regions),
    still: stillRows(screen, composer),
    blank: screen.lines.every((line) => line.text === ''),
    takesPastes: screen.bracketedPaste,
  };
}

/**
 * The last row that a dialog can not be on. What stands inside borders behind a prompt glyph is a draft, whatever it looks like; without
 * borders or glyph the box itself may be a dialog.
 */
function from(kind: CompiledKind, box: Composer): number {
  const shape = kind.composer!;
  return shape.bottom && !shape.first.test('') ? box.bottom : box.top - 1;
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
  const alone = text(cursor.y - 1).trim() === '' && text(cursor.y + 1).trim() === '';
  return glyph !== undefined && alone && cursor.x >= glyph ? cursor.y : -1;
}

interface Rows {
  /** Lowest first. */
  upwards: string[];
  joined: string;
}

type Regions = (region: Region, rows: number) => string[];

function regionsOf(screen: ScreenText, composer: Composer | null): Regions {
  const texts = screen.lines.map((line) => line.text);
  const above = composer ? texts.slice(0, composer.top).filter((t) => t.trim() !== '') : [];
  const all = texts.filter((t) => t.trim() !== '');
  return (region, rows) => {
    switch (region) {
      case 'above':
        return above.slice(-rows);
      case 'last-item':
        return lastItem(above);
      case 'border':
        return composer ? [texts[composer.top]!] : [];
      case 'footer':
        return composer ? texts.slice(composer.to + 1).filter((t) => t.trim() !== '') : [];
      case 'bottom':
        return composer ? [] : all.slice(-rows);
      case 'screen':
        return all;
    }
  };
}

/** The lowest row that starts within two columns of the margin, with the rows that hang below it. */
function lastItem(above: string[]): string[] {
  const start = above.findLastIndex((row) => row.search(/\S/u) <= 2 && !/^\s*[─━═▀▄]{6,}/u.test(row));
  return start < 0 ? [] : [above[start]!];
}

function hitsIn(kind: CompiledKind, regions: Regions): Hit[] {
  const known = new Map<string, Rows>();
  const hits: Hit[] = [];
  for (const rule of kind.rules) {
    const { region, rows = ROWS } = rule.rule;
    const name = `${region} ${rows}`;
    let found = known.get(name);
    if (!found) {
      const lines = regions(region, rows);
      found = { upwards: lines.toReversed(), joined: joinRows(lines) };
      known.set(name, found);
    }
    const hit = match(rule, found);
    if (hit) hits.push(hit);
  }
  return hits;
}

function joinRows(rows: string[]): string {
  return rows.length < 2
    ? ''
    : rows
        .join(' ')
        .replace(/[\s│┃║]+/g, ' ')
        .trim();
}

/** Rows are tried from the lowest up, as the live one stands below what a transcript quotes; then all of them joined. */
function match(compiled: CompiledRule, { upwards, joined }: Rows): Hit | null {
  for (const row of upwards) {
    const hit = matchRow(compiled, row, false);
    if (hit) return hit;
  }
  return joined === '' ? null : matchRow(compiled, joined, true);
}

function matchRow(compiled: CompiledRule, row: string, joined: boolean): Hit | null {
  for (const any of compiled.any) {
    const found = any.exec(row);
    if (!found || compiled.not.some((not) => not.test(row))) continue;
    const part = found.slice(1).find((group) => group !== undefined);
    return {
      id: compiled.rule.id,
      says: compiled.rule.says,
      text: clip(joined ? found[0] : row),
      part: part === undefined ? null : clip(part),
      fresh: compiled.rule.fresh ?? null,
      finish: compiled.rule.finish ?? [],
    };
  }
  return null;
}

function clip(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX);
}

function shown(kind: CompiledKind, regions: Regions): Look['shows'] {
  const rows = [...regions('above', 6), ...regions('border', 1), ...regions('footer', ROWS)].join('\n');
  const out: Look['shows'] = {};
  for (const name of ['context', 'cost', 'task'] as const) {
    const found = kind.shows[name]?.exec(rows)?.[1];
    if (found) out[name] = clip(found);
  }
  return out;
}

function stillRows(screen: ScreenText, composer: Composer | null): string[] {
  return screen.lines.flatMap((line, y) => (composer && y >= composer.from && y <= composer.to ? [] : [line.text]));
}
