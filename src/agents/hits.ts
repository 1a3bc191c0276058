// Which of a kind's rules match a screen, region by region. A region whose rows are as they were at the last look is not tried again.
import type { ScreenLine, ScreenText } from '../model/screen-text.ts';
import type { Composer } from './composer.ts';
import type { CompiledKind, CompiledRule } from './kinds/compile.ts';
import type { Region, RuleSays } from './kinds/kind.ts';

export interface Hit {
  id: string;
  says: RuleSays;
  /** The text that matched, cleaned, ≤ 200 characters. */
  text: string;
  /** First group, where the rule has one. */
  part: string | null;
  fresh: number | null;
  stands: boolean;
  finish: string[];
}

export interface Shows {
  context?: string;
  cost?: string;
  task?: string;
}

/** Rows of `above` and `bottom` when a rule names none. */
const ROWS = 8;
/** Characters kept of a matched text; what `explain` prints. */
const TEXT_MAX = 200;

/** The rules that look at the same rows, and what they said of those that stood there last. */
interface Group {
  region: Region;
  rows: number;
  rules: { rule: CompiledRule; at: number }[];
  seen: string[];
  hits: (Hit | null)[];
  /** By row that stood there last, what each rule that was tried on it said. */
  byRow: ReadonlyMap<string, (Hit | null | undefined)[]>;
}

export class Hits {
  readonly #kind: CompiledKind;
  readonly #groups: Group[] = [];
  #seen: string[] = [];
  #shows: Shows = {};

  constructor(kind: CompiledKind) {
    this.#kind = kind;
    for (const [at, rule] of kind.rules.entries()) {
      const { region, rows = ROWS } = rule.rule;
      const group = this.#groups.find((g) => g.region === region && g.rows === rows);
      if (group) group.rules.push({ rule, at });
      else this.#groups.push({ region, rows, rules: [{ rule, at }], seen: [], hits: [], byRow: new Map() });
    }
  }

  /** What stands in the composer has a say, too. */
  get readsBox(): boolean {
    return this.#groups.some((group) => group.region === 'screen');
  }

  /** In the order of the kind's rules. `composer`: where it stands on this screen. */
  in(screen: ScreenText, composer: Composer | null): { hits: Hit[]; shows: Shows } {
    const regions = new Regions(screen, composer);
    const hits: (Hit | null)[] = [];
    for (const group of this.#groups) {
      const rows = regions.rows(group.region, group.rows);
      if (group.hits.length === 0 || !sameRows(rows, group.seen)) {
        group.byRow = new Map(rows.map((row) => [row, group.byRow.get(row) ?? []]));
        group.seen = rows;
        group.hits = hitsIn(group);
      }
      for (const [i, { at }] of group.rules.entries()) hits[at] = group.hits[i]!;
    }
    const rows = [...regions.rows('above', 6), ...regions.rows('border', 1), ...regions.rows('footer', ROWS)];
    if (!sameRows(rows, this.#seen)) {
      this.#shows = showsIn(this.#kind, rows.join('\n'));
      this.#seen = rows;
    }
    return { hits: hits.filter((hit) => hit !== null), shows: this.#shows };
  }
}

function sameRows(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((row, i) => row === b[i]);
}

/** The rows of a screen that a rule may read, without blank ones. */
class Regions {
  readonly #lines: readonly ScreenLine[];
  readonly #composer: Composer | null;
  /** By where they begin: rules ask for the same ones again and again. */
  readonly #filled = new Map<number, string[]>();

  constructor({ lines }: ScreenText, composer: Composer | null) {
    this.#lines = lines;
    this.#composer = composer;
  }

  /** `count`: how many rows of `above` and `bottom`, the lowest ones. */
  rows(region: Region, count: number): string[] {
    const composer = this.#composer;
    switch (region) {
      case 'above':
        return composer ? this.#from(0, composer.top).slice(-count) : [];
      case 'last-item':
        return composer ? lastItem(this.#from(0, composer.top)) : [];
      case 'border':
        return composer ? [this.#lines[composer.top]!.text] : [];
      case 'footer':
        return composer ? this.#from(composer.to + 1) : [];
      case 'bottom':
        return composer ? [] : this.#from(0).slice(-count);
      case 'screen':
        return this.#filledRows(0, this.#lines.length);
    }
  }

  #from(from: number, to = this.#lines.length): string[] {
    const known = this.#filled.get(from);
    if (known) return known;
    const rows = this.#filledRows(from, to);
    this.#filled.set(from, rows);
    return rows;
  }

  #filledRows(from: number, to: number): string[] {
    const rows: string[] = [];
    for (let y = from; y < to; y++) {
      const { text } = this.#lines[y]!;
      if (text !== '' && text.trim() !== '') rows.push(text);
    }
    return rows;
  }
}

/** The lowest row that starts within two columns of the margin, with the rows that hang below it. */
function lastItem(above: string[]): string[] {
  const start = above.findLastIndex((row) => row.search(/\S/u) <= 2 && !/^\s*[─━═▀▄]{6,}/u.test(row));
  return start < 0 ? [] : [above[start]!];
}

/** Rows are tried from the lowest up, as the live one stands below what a transcript quotes; then all of them joined. */
function hitsIn({ rules, seen, byRow }: Group): (Hit | null)[] {
  const joined = seen.length < 2 ? '' : joinRows(seen);
  return rules.map(({ rule }, i) => {
    for (let y = seen.length - 1; y >= 0; y--) {
      const row = seen[y]!;
      const said = byRow.get(row)!;
      if (said[i] === undefined) said[i] = matchRow(rule, row, false);
      if (said[i]) return said[i];
    }
    return joined === '' ? null : matchRow(rule, joined, true);
  });
}

function joinRows(rows: string[]): string {
  return rows
    .join(' ')
    .replace(/[\s│┃║]+/g, ' ')
    .trim();
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
      stands: compiled.rule.stands ?? false,
      finish: compiled.rule.finish ?? [],
    };
  }
  return null;
}

function showsIn(kind: CompiledKind, rows: string): Shows {
  const out: Shows = {};
  for (const name of ['context', 'cost', 'task'] as const) {
    const found = kind.shows[name]?.exec(rows)?.[1];
    if (found) out[name] = clip(found);
  }
  return out;
}

function clip(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX);
}
