// Finds a dialog that waits for a person by its form: options with a pointer, buttons, a y/n prompt, or a row of key hints.
// Never by words of the transcript; the caller says where the composer is, and a dialog stands below or in place of it.
import type { Question } from '../model/agent.ts';
import type { ScreenText } from '../model/screen-text.ts';
import { ABOVE, askedAbove, clean, NO, YES } from './question.ts';
import { countKeys, type ListItem, type RowForm, readNumbered } from './row-forms.ts';

export interface Menu {
  /** First row that belongs to it, first row that can be answered, last row. */
  from: number;
  first: number;
  to: number;
  /** A row of key hints belongs to it. */
  hinted: boolean;
  /** Neither numbers nor hints, nor a box whose place it took to ask: a pointer alone. */
  weak: boolean;
  /** Nothing waits for an answer: a notice (an offer, news) that any key closes. */
  notice: boolean;
  question: Question;
}

/** A screen's rows: as they are, without box sides (none before `after`, but for the question), the non-blank ones, and those that name keys. */
interface Seen {
  screen: ScreenText;
  /** All of them, also before `after`. */
  forms: readonly RowForm[];
  raw: string[];
  rows: string[];
  /** A row that the question may stand on. */
  above(y: number): string;
  filled: number[];
  hints: number[];
  boxGone: boolean;
}

interface Option extends ListItem {
  row: number;
}

/** Non-blank rows that may stand below the last option: hints, usage rows, a status line. */
const BELOW = 10;
/** Rows between two options: a wrapped label, a description. */
const GAP = 4;
/** Columns by which a row that goes on may stand further in than its first one. */
const WRAP = 2;
const ENTER = /(\b(enter|return)\b|[↵⏎])/iu;
const CHOOSE =
  /\b(confirm|select|choose|submit|accept|continue|navigate|toggle|approve|proceed|answer|dismiss|decline|cancel|go back|back|deny|reject|quit|amend|open|close|exit|skip|move)\b/iu;
/** `[y/N]`, `(yes/no/[fingerprint])`, `[y/n/t]:`, `(Y)es/(N)o`, `? (y)`. */
const YES_NO =
  /[[(]\s*\(?y(es)?\)?\s*[/,|]\s*\(?n\)?o?\s*([/,|][^\])]{0,80})?[\])]|\by\/n\b[^\w]*$|\(y\)es.{1,20}\(n\)o|\?\s*[[(]y(es)?[\])]\s*$/iu;
const SECRET = /\b(password|passphrase|passcode|pin|otp|token|api key|verification code)\b[^:?]{0,60}[:?]\s*$/iu;
/** A row of a list of commands: none of them is waited for. */
const COMMAND = /\bpress \S+ to\b/iu;
const CLOSES = /\bany (other )?key\b.{0,12}\b(close|dismiss|hide|skip)\b/iu;

/** A row that ends in the ways to answer yes or no. */
export function asksYesOrNo(row: string): boolean {
  return YES_NO.test(row) && /[\])][:?]?\s*$/u.test(row);
}

/** Where to look for a dialog. */
export interface Place {
  /** Only rows below this one count, `open`: but for what the question says. */
  after: number;
  open: boolean;
  /** The agent's input box is known, and is not there: what asks is a dialog. */
  boxGone: boolean;
}

/** The number of an option that is pointed at and not the first: of a list whose head stands above it. */
export function pointedNumber(row: string): number | null {
  const found = readNumbered(row);
  return found?.pointed && found.number! > 1 ? found.number : null;
}

/** The dialog that stands lowest, or null. `forms` are the rows of the screen. */
export function findMenu(screen: ScreenText, forms: readonly RowForm[], { after, open, boxGone }: Place): Menu | null {
  const rows = forms.map((form, y) => (y <= after ? '' : form.bare));
  const filled: number[] = [];
  for (let y = 0; y < rows.length; y++) if (rows[y] !== '') filled.push(y);
  if (filled.length === 0) return null;
  const raw = screen.lines.map((line) => line.text);
  const named = filled.slice(-BELOW).filter((y) => forms[y]!.keys > 0);
  const hints = named.filter((y) => isHint(rows, y) || ((boxGone || open) && namesKeys(forms[y]!)));
  const above = (y: number) => (open ? forms[y]!.bare : rows[y]!);
  const seen: Seen = { screen, forms, raw, rows, above, filled, hints, boxGone };
  return notice(seen) ?? choices(seen) ?? buttons(seen) ?? gutter(seen) ?? letters(seen) ?? form(seen);
}

/** Names keys and what they do in a choice: "enter select · esc cancel". A narrow pane may break it over two rows. */
function isHint(rows: string[], y: number): boolean {
  // "Reject (esc or n)" is an option that names its key.
  const row = rows[y]!.replace(/(?<=\S)\s\([^()]{1,20}\)\s*$/u, '');
  if (/^\s*[\u2801-\u28ff]\s/u.test(row)) return false;
  const both = `${row} ${rows[y + 1] ?? ''}`;
  return countKeys(row) > 0 && CHOOSE.test(both) && (row.match(/\p{L}+/gu)?.length ?? 0) <= 24;
}

/** Names enter and further keys, whatever they do in whichever language: where no box takes prompts, these are the ways to answer. */
function namesKeys({ bare: row, keys }: RowForm): boolean {
  return keys > 1 && ENTER.test(row) && (row.match(/\p{L}+/gu)?.length ?? 0) <= 24;
}

/** "Press Enter to open, any other key to close": whatever else it shows, it is closed by what one would type next. */
function notice(seen: Seen): Menu | null {
  const { forms, rows, filled } = seen;
  // A narrow pane breaks the sentence over two rows.
  const at = filled.slice(-6).findLast((y) => forms[y]!.saysPress && CLOSES.test(`${rows[y]} ${rows[y + 1]?.trim() ?? ''}`));
  return at === undefined ? null : { ...asked(seen, at, at, []), notice: true };
}

/** Options with numbers or a pointer. */
function choices(seen: Seen): Menu | null {
  const { forms, filled, hints } = seen;
  const options = numbered(seen) ?? pointed(seen);
  if (!options) return null;
  const last = options.at(-1)!.row;
  const below = filled.filter((y) => y > last);
  if (below.length > BELOW) return null;
  const known = options.some((o) => o.pointed) || hints.some((y) => y >= last && !forms[y]!.saysPress);
  return known ? menu(seen, options, Math.max(last, ...hints)) : null;
}

/** The lowest run of options numbered k, k+1, … */
function numbered({ screen, forms, filled }: Seen): Option[] | null {
  let run: Option[] = [];
  for (let i = filled.length - 1; i >= 0; i--) {
    const row = filled[i]!;
    const found = forms[row]!.numbered;
    const next = run[0];
    if (next && filled.filter((y) => y > row && y < next.row).length > GAP) break;
    if (!found) continue;
    const { number } = found;
    if (next && number !== next.number! - 1) {
      if (run.length > 1) break;
      run = [];
    }
    run.unshift({ ...found, row });
    if (number === 1 && run.length > 1) break;
  }
  // Without a pointer on any of them the one that is set off has it.
  if (!run.some((o) => o.pointed)) for (const option of run) option.pointed = lit(screen, option.row, option.column);
  return run.length >= 2 && run.filter((o) => o.pointed).length <= 1 ? run : null;
}

/** The label is set off by inverse video or a background. */
function lit(screen: ScreenText, row: number, column: number): boolean {
  const line = screen.lines[row]!;
  const here = (y: number) =>
    screen.lines[y]?.runs.find((run) => run.from <= column && run.to > column && (run.inverse || run.bg !== null));
  const run = line.runs.find((r) => r.from <= column && r.to > column && r.inverse);
  return run !== undefined || (here(row) !== undefined && here(row)?.bg !== here(row + 1)?.bg && here(row)?.bg !== here(row - 1)?.bg);
}

/** Which of the labels in a row has a background, or inverse video, that no other has; null when none or each has one of its own. */
function setOff(screen: ScreenText, row: number, columns: number[]): number | null {
  const looks = columns.map((column) => {
    const run = screen.lines[row]!.runs.find((r) => r.from <= column && r.to > column);
    return `${run?.bg} ${run?.inverse}`;
  });
  const alone = looks.flatMap((look, i) => (looks.indexOf(look) === looks.lastIndexOf(look) ? [i] : []));
  if (alone.length === 1) return alone[0]!;
  const marked = columns.flatMap((column, i) => (lit(screen, row, column) ? [i] : []));
  return marked.length === 1 ? marked[0]! : null;
}

/**
 * A row with a pointer among rows whose text starts in the same column: with a row of hints below, in a box that ends the screen, or as
 * the last thing on it with a way out among the options.
 */
function pointed(seen: Seen): Option[] | null {
  const { forms, raw, rows, filled, hints } = seen;
  const bottom = hints.at(-1) ?? Number.POSITIVE_INFINITY;
  const boxed = filled.slice(-3).some((y) => /^\s*[└╰][─━]{6,}/u.test(raw[y]!));
  for (const row of filled.slice(-BELOW - ABOVE).reverse()) {
    const found = forms[row]!.pointed;
    if (!found || row > bottom) continue;
    const inBox = boxed && /^\s*[│┃]/u.test(raw[row]!);
    const { column } = found;
    const own = { ...found, row };
    const all = [...beside(rows, row, column, -1, inBox).reverse(), own, ...beside(rows, row, column, 1, inBox)];
    const options = inBox ? heads(rows, all) : all;
    const last = filled.at(-1) === options.at(-1)!.row && options.length <= 6 && options.some((o) => NO.test(o.label));
    if (options.length >= 2 && (inBox || last || hints.some((y) => y > row) || asks(seen, options[0]!.row))) return options;
  }
  return null;
}

/** In place of the input box, and what stands above the options asks. */
function asks({ boxGone, rows, filled }: Seen, first: number): boolean {
  const above = filled.findLast((y) => y < first);
  return boxGone && above !== undefined && /\?\W{0,3}$/u.test(rows[above]!);
}

/** Where blank rows part the options and each has more rows than one, what follows its first row describes it. */
function heads(rows: string[], options: Option[]): Option[] {
  const first = options.filter(({ row }) => rows[row - 1]!.trim() === '');
  const described = first.length > 1 && first.every(({ row }) => rows[row + 1]?.trim()) && first.some(({ pointed }) => pointed);
  return described ? first : options;
}

/** Rows next to `start` in the same column; `gaps`: single blank rows may stand between, and rows go on further in. */
function beside(rows: string[], start: number, column: number, step: 1 | -1, gaps: boolean): Option[] {
  const out: Option[] = [];
  for (let y = start + step; y >= 0 && y < rows.length && out.length < 20; y += step) {
    const row = rows[y]!;
    const indent = row.search(/\S/u);
    if (gaps && (indent < 0 ? (rows[y + step]?.search(/\S/u) ?? -1) >= column : indent > column && indent <= column + WRAP)) continue;
    if (indent !== column || isHint(rows, y) || /^[─━╌═]{3}/u.test(row.trim())) break;
    out.push({ row: y, column, number: null, label: row.trim(), pointed: false });
  }
  return out;
}

/** One row of phrases set apart, one of them lit, with a hint of enter beside or below. */
function buttons(seen: Seen): Menu | null {
  const { screen, rows, filled, hints } = seen;
  for (const y of filled.slice(-6)) {
    if (!hints.some((h) => h >= y && h <= y + 3 && ENTER.test(rows[h]!))) continue;
    const cells = [...rows[y]!.matchAll(/\S+(?: \S+)*/gu)].map((m) => ({ label: m[0], column: m.index }));
    const keys = cells.findIndex((cell) => countKeys(cell.label) > 0);
    const choice = cells.slice(0, keys < 0 ? undefined : keys);
    const marked = setOff(
      screen,
      y,
      choice.map((cell) => cell.column),
    );
    // By their words, or one of them is set off: the words may be of any language.
    const worded = choice.some((cell) => NO.test(cell.label)) && choice.some((cell) => YES.test(cell.label));
    if (choice.length < 2 || choice.length > 5 || (!worded && marked === null)) continue;
    const at = marked ?? 0;
    const options = choice.map((cell, i) => ({
      label: cell.label,
      selected: i === at,
      keys: [...steps(i - at, 'right', 'left'), 'enter'],
    }));
    return asked(seen, y, Math.max(y, ...hints), options);
  }
  return null;
}

/** A prompt in a gutter, as of clack: a filled diamond, options with round marks or a field below it, and the corner that ends it. */
function gutter(seen: Seen): Menu | null {
  const { raw, filled } = seen;
  const end = filled.slice(-2).find((y) => /^\s*└\s*\S{0,40}\s*$/u.test(raw[y]!));
  if (end === undefined) return null;
  const top = filled.findLast((y) => /^\s*◆\s+\S/u.test(raw[y]!));
  if (top === undefined || end - top > ABOVE) return null;
  const body = filled.filter((y) => y > top && y < end);
  if (!body.every((y) => /^\s*│/u.test(raw[y]!))) return null;
  const marked = body.flatMap((y) =>
    [...raw[y]!.matchAll(/([●◉○◯])\s+(.+?)(?=\s+\/\s+[●◉○◯]|$)/gu)].map((m) => ({ y, label: clean(m[2]!), on: /[●◉]/u.test(m[1]!) })),
  );
  const at = Math.max(
    0,
    marked.findIndex(({ on }) => on),
  );
  const beside = marked.length > 1 && marked[0]!.y === marked[1]!.y;
  const options = marked.map(({ label }, i) => ({
    label,
    selected: i === at,
    keys: [...(beside ? steps(i - at, 'right', 'left') : steps(i - at, 'down', 'up')), 'enter'],
  }));
  const found = asked(seen, top + 1, end, options);
  return { ...found, question: { ...found.question, text: clean(raw[top]!.replace('◆', '')) } };
}

/** `[y] Approve   [n] Deny`, `Continue? [y/N]`, `(y)es, (n)o`, "press enter to …". */
function letters(seen: Seen): Menu | null {
  const { forms, rows, filled, screen } = seen;
  const tail = filled.slice(-6);
  const commands = tail.filter((y) => COMMAND.test(rows[y]!)).length > 1;
  for (const y of tail.toReversed()) {
    const row = rows[y]!;
    const keyed = forms[y]!.lettered.map((m) => ({
      label: m[0].trim(),
      selected: false,
      keys: [m[1]!.toLowerCase().replace('esc', 'escape')],
    }));
    const worded = keyed.some((o) => YES.test(o.label)) && keyed.some((o) => NO.test(o.label));
    if (keyed.length >= 2 && (worded || (seen.boxGone && lettersAlone(forms[y]!, keyed)))) return asked(seen, y, y, keyed);
    const lowest = filled.at(-1) === y || filled.at(-2) === y;
    if (lowest && YES_NO.test(row)) {
      const spelled = /yes\s*[/,|]\s*no/iu.test(row);
      const options = [
        { label: 'yes', selected: false, keys: [...(spelled ? 'yes' : 'y'), 'enter'] },
        { label: 'no', selected: false, keys: [...(spelled ? 'no' : 'n'), 'enter'] },
      ];
      return asked(seen, y + 1, y, options);
    }
    if (filled.at(-1) === y && screen.cursor.y === y && SECRET.test(row)) return asked(seen, y + 1, y, []);
    if (!commands && forms[y]!.saysPress && row.trim().length <= 100) {
      const any = /any other key|any key/iu.test(row);
      return asked(seen, y, y, [
        { label: 'enter', selected: true, keys: ['enter'] },
        ...(any ? [{ label: 'other key', selected: false, keys: ['escape'] }] : []),
      ]);
    }
  }
  return null;
}

/** The row is nothing but keys, each another, and what they do: "[j] Ja  [n] Nein". */
function lettersAlone(form: RowForm, keyed: Question['options']): boolean {
  return form.onlyLettered && new Set(keyed.map((o) => o.keys[0])).size === keyed.length;
}

/** No options to be seen, but hints that say how to submit and how to leave: a text field, a list that is cut off. */
function form(seen: Seen): Menu | null {
  const { raw, rows, filled, hints } = seen;
  const lowest = new Set(filled.slice(-5));
  // Within a box that is no input box the words do not count.
  const boxed = (y: number) => seen.boxGone && /^\s*[│║].*[│║]\s*$/u.test(raw[y]!);
  const hint = hints.findLast(
    (y) =>
      lowest.has(y) &&
      ENTER.test(rows[y]!) &&
      (CHOOSE.test(rows[y]!) || boxed(y)) &&
      /\b(esc|escape|ctrl[+-]c|\^c)\b/iu.test(`${rows[y]} ${rows[y + 1] ?? ''}`),
  );
  return hint === undefined ? null : asked(seen, hint, hint, []);
}

function menu(seen: Seen, options: Option[], to: number): Menu {
  const { rows } = seen;
  const at = Math.max(
    0,
    options.findIndex((o) => o.pointed),
  );
  const full = options.map((o, i) => ({ ...o, label: labelOf(rows, o, options[i + 1]?.row ?? to) }));
  const choices = full.map((o, i) => ({ label: clean(o.label), selected: i === at, keys: keysOf(o, i - at) }));
  const found = asked(seen, options[0]!.row, to, choices);
  return { ...found, weak: !found.hinted && options[0]!.number === null && !asks(seen, options[0]!.row) };
}

/** The label with the rows on which it goes on (indented at least as far, no blank between). */
function labelOf(rows: string[], option: Option, end: number): string {
  let label = option.label;
  for (let y = option.row + 1; y < end; y++) {
    const row = rows[y]!;
    if (row.search(/\S/u) !== option.column || option.number === null || isHint(rows, y)) break;
    label += ` ${row.trim()}`;
  }
  return label;
}

/** A letter that the label itself names, else arrows from the pointed option and enter. */
function keysOf(option: Option, offset: number): string[] {
  const letter = /\((?:shortcut )?([a-z]|esc)(?: (?:to|or) [^()]+)?\)\s*$/iu.exec(option.label)?.[1]?.toLowerCase();
  if (letter) return [letter === 'esc' ? 'escape' : letter];
  return [...steps(offset, 'down', 'up'), 'enter'];
}

function steps(offset: number, forward: string, back: string): string[] {
  return Array.from({ length: Math.abs(offset) }, () => (offset > 0 ? forward : back));
}

function asked(seen: Seen, first: number, to: number, options: Question['options']): Menu {
  const { from, question } = askedAbove({ raw: seen.raw, row: seen.above, cols: seen.screen.cols }, first, options);
  return { from, first, to, hinted: seen.hints.some((y) => y >= first), weak: false, notice: false, question };
}
