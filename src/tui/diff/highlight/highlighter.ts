// Syntax colours for the lines in a pane's window: asked of a thread, kept by text, given line by line. Drawing never waits for it,
// and colours never show on a text they were not made for.
import type { Worker } from 'node:worker_threads';
import { dropOldest } from '../../../model/drop-oldest.ts';
import type { ChangedFile, DiffLine } from '../../../model/review/changeset.ts';
import type { Spans } from '../draw-code.ts';
import { stepSpot, windowSpots } from '../geometry.ts';
import type { Row } from '../rows.ts';
import { type DiffView, filesOf, isUnread, rowsOf, type Spot } from '../view.ts';
import { languageOf } from './language-of.ts';
import type { Language } from './languages.ts';
import type { Coming, Stretch, StretchBegun, StretchColors } from './worker.ts';

export interface Highlighter {
  /** Colours of a line, if they have come. */
  colorsOf(line: DiffLine): Spans | null;
  /** Asks for what the window lacks, then for the pages around it, once the frame being made has left. */
  want(view: DiffView): void;
  dispose(): Promise<void>;
}

/** Rows coloured at a time: a screen or two. */
const STRETCH = 120;
/** A file with more changed lines than this stays plain. */
const FILE_LIMIT = 10_000;
/** Stretches whose colours are kept by their text: about 10 MB. */
const KEPT = 400;
/** ms without a request after which the thread ends: its grammars take some 40 MB. */
const REST = 30_000;
/** ms of colouring after which a stretch is given up and the thread with it: a grammar that hangs must not spin on. */
const PATIENCE = 8_000;

interface Asked {
  lines: readonly DiffLine[];
  key: string;
  language: Language;
}

/** `onColors` is called when colours have come: time to draw again. */
export function createHighlighter(onColors: () => void): Highlighter {
  const colors = new WeakMap<DiffLine, Spans>();
  const kept = new Map<string, Spans[]>();
  const asked = new Map<number, Asked>();
  /** Lines of `asked` and of languages without hope: looked at in every frame. */
  let waiting = new WeakSet<DiffLine>();
  const running = new Set<string>();
  const hopeless = new Set<Language>();
  /** Languages that the thread was told of. */
  const prepared = new Set<Language>();
  let worker: Worker | null = null;
  let rest: NodeJS.Timeout | null = null;
  let patience: NodeJS.Timeout | null = null;
  let last = 0;
  let wanting: DiffView | null = null;
  let look: NodeJS.Immediate | null = null;

  function start(): Worker {
    // Loaded at first use: no client needs it for its first frame.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const made = new Worker(workerUrl(), { env: {}, execArgv: [] });
    made.on('message', take);
    made.on('error', () => drop(made));
    made.unref();
    return made;
  }

  function drop(dead: Worker): void {
    if (worker !== dead) return;
    for (const { language } of asked.values()) hopeless.add(language);
    end();
  }

  function restSoon(): void {
    if (rest) clearTimeout(rest);
    rest = setTimeout(end, REST).unref();
  }

  function end(): void {
    if (rest) clearTimeout(rest);
    if (patience) clearTimeout(patience);
    asked.clear();
    waiting = new WeakSet();
    running.clear();
    prepared.clear();
    const old = worker;
    worker = null;
    void old?.terminate();
  }

  function take(message: StretchColors | StretchBegun): void {
    if ('begun' in message) {
      const current = worker;
      if (patience) clearTimeout(patience);
      patience = setTimeout(() => current && drop(current), PATIENCE).unref();
      return;
    }
    const { id, spans } = message;
    const request = asked.get(id);
    if (!request) return;
    asked.delete(id);
    running.delete(request.key);
    if (patience) clearTimeout(patience);
    if (asked.size === 0) restSoon();
    if (!spans) {
      hopeless.add(request.language);
      return;
    }
    const byLine = spansByLine(spans, request.lines.length);
    keep(request.key, byLine);
    give(request.lines, byLine);
    onColors();
  }

  function keep(key: string, byLine: Spans[]): void {
    kept.delete(key);
    kept.set(key, byLine);
    dropOldest(kept, KEPT);
  }

  function give(lines: readonly DiffLine[], byLine: readonly Spans[]): void {
    lines.forEach((line, i) => {
      colors.set(line, byLine[i] ?? NONE);
    });
  }

  function ask(language: Language, lines: readonly DiffLine[], before: readonly DiffLine[]): void {
    const wait = () => {
      for (const line of lines) waiting.add(line);
    };
    if (hopeless.has(language)) return wait();
    const key = keyOf(language, lines);
    const known = kept.get(key);
    if (known) {
      keep(key, known);
      give(lines, known);
      onColors();
      return;
    }
    if (running.has(key)) return;
    running.add(key);
    worker ??= start();
    const id = ++last;
    asked.set(id, { lines, key, language });
    wait();
    const after = before.length > 0 ? keyOf(language, before) : null;
    worker.postMessage({ id, language, lines: lines.map((line) => line.text), key, after } satisfies Stretch);
    if (rest) clearTimeout(rest);
  }

  /** While the lines of a file are on their way its language is made ready. */
  function prepare(view: DiffView): void {
    for (const { file: index } of windowSpots(view)) {
      const file = filesOf(view)[index]!;
      const language = isUnread(view, index) && isColoured(file) ? languageOf(file.path) : null;
      if (!language || hopeless.has(language) || prepared.has(language)) continue;
      prepared.add(language);
      worker ??= start();
      worker.postMessage({ coming: language } satisfies Coming);
      if (asked.size === 0) restSoon();
    }
  }

  function askFor(view: DiffView): void {
    prepare(view);
    const known = (line: DiffLine) => colors.has(line) || waiting.has(line);
    const here = wantedStretches(view, windowSpots(view), known);
    for (const { language, lines, before } of here.length > 0 ? here : aroundStretches(view, known)) ask(language, lines, before);
  }

  return {
    colorsOf: (line) => colors.get(line) ?? null,
    want(view) {
      wanting = view;
      look ??= setImmediate(() => {
        look = null;
        if (wanting) askFor(wanting);
        wanting = null;
      });
    },
    async dispose() {
      if (look) clearImmediate(look);
      end();
    },
  };
}

const NONE: Spans = new Uint32Array(0);

function workerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './highlight-worker.js', import.meta.url);
}

function keyOf(language: Language, lines: readonly DiffLine[]): string {
  return `${language}\n${lines.map((line) => line.text).join('\n')}`;
}

function spansByLine(flat: Uint32Array, count: number): Spans[] {
  const lines: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < flat.length; i += 4) lines[flat[i]!]?.push(flat[i + 1]!, flat[i + 2]!, flat[i + 3]!);
  return lines.map((spans) => (spans.length > 0 ? Uint32Array.from(spans) : NONE));
}

interface Wanted {
  language: Language;
  lines: DiffLine[];
  /** The stretch before it, whose end state it goes on from. */
  before: DiffLine[];
}

/** The next page and the one before: a page that comes with its colours is written once. */
function aroundStretches(view: DiffView, known: (line: DiffLine) => boolean): Wanted[] {
  const page = (by: number) => wantedStretches(view, windowSpots({ ...view, top: stepSpot(view, view.top, by) }), known);
  const below = page(view.rows);
  return below.length > 0 ? below : page(-view.rows);
}

/** Stretches of `spots` with lines that have no colours, top to bottom, each side for itself. */
function wantedStretches(view: DiffView, spots: readonly Spot[], known: (line: DiffLine) => boolean): Wanted[] {
  const wanted: Wanted[] = [];
  const seen = new Set<string>();
  for (const spot of spots) {
    const file = filesOf(view)[spot.file]!;
    const rows = rowsOf(view, spot.file);
    const row = rows[spot.row];
    if (row?.kind !== 'line' || ((!row.left || known(row.left)) && (!row.right || known(row.right)))) continue;
    const language = isColoured(file) ? languageOf(file.path) : null;
    if (!language) continue;
    const start = runStart(rows, spot.row);
    const from = start + Math.floor((spot.row - start) / STRETCH) * STRETCH;
    const key = `${spot.file} ${from}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const side of ['right', 'left'] as const) {
      const lines = linesOf(rows, from, side);
      if (!lines.some((line) => !known(line))) continue;
      wanted.push({ language, lines, before: from > start ? linesOf(rows, from - STRETCH, side) : [] });
    }
  }
  return wanted;
}

function isColoured({ added, removed }: ChangedFile): boolean {
  return (added ?? 0) + (removed ?? 0) <= FILE_LIMIT;
}

/** First row of the hunk or opened gap that a row is in. */
function runStart(rows: readonly Row[], at: number): number {
  let row = at;
  while (row > 0 && rows[row - 1]!.kind !== 'hunk' && rows[row - 1]!.kind !== 'gap' && rows[row - 1]!.kind !== 'file') row--;
  return row;
}

/** Lines of one side in a stretch. */
function linesOf(rows: readonly Row[], from: number, side: 'left' | 'right'): DiffLine[] {
  const lines: DiffLine[] = [];
  for (let i = from; i < Math.min(rows.length, from + STRETCH); i++) {
    const row = rows[i]!;
    if (row.kind === 'hunk' || row.kind === 'gap') break;
    const line = row.kind === 'line' ? row[side] : null;
    if (line) lines.push(line);
  }
  return lines;
}
