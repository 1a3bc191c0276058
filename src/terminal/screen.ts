// One terminal's screen: bytes in, cells, replies and facts out. The only holder of a parser; nothing else sees its buffers.
import type { Cursor, Grid, TextPoint } from '../model/cell.ts';
import type { InputEvent } from '../model/input.ts';
import type { OuterColours } from '../model/outer.ts';
import { isSameText, type ScreenText } from '../model/screen-text.ts';
import type { TerminalFact } from '../model/terminal-facts.ts';
import { ByteScanner } from './byte-scanner.ts';
import { applyState, type ScreenParts, splitCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { Colours } from './colours.ts';
import { encodeInput } from './encode-input.ts';
import { wheelGoesTo } from './encode-mouse.ts';
import type { HeldText } from './held-text.ts';
import type { HistoryMark } from './history.ts';
import { Keyboard } from './keyboard.ts';
import { LinkTable, watchLinks } from './links.ts';
import { type Drawn, type HistoryPlace, LookBack } from './look-back.ts';
import { Looks } from './looks.ts';
import { type InputModes, inputModes, ownModes, watchOwnModes } from './modes.ts';
import { ParseQueue, type ParseSink } from './parse-queue.ts';
import type { Pens } from './pens.ts';
import { graphicsAnswer, installReplies, sizeReport } from './replies.ts';
import { RowChanges } from './row-changes.ts';
import { RowTexts } from './row-texts.ts';
import { Said } from './said.ts';
import type { Skimmed } from './skim.ts';
import { applySequence, skimStart, takeLines } from './skim-state.ts';
import type { LineRun } from './text-space.ts';
import { Turns } from './turns.ts';
import { createEmulator, type Emulator, MAX_SIZE, MIN_COLS, MIN_ROWS, trackRows, type XBuffer } from './xterm.ts';

/**
 * Live rows above the screen unless told otherwise: what a taller window brings back. All else is read from the history; each row costs
 * memory, its part of every checkpoint, and in a flood its cells (docs/bench.md).
 */
const SCROLLBACK = 300;

export interface ScreenOptions {
  cols: number;
  rows: number;
  scrollback?: number;
  /** Colours and cell size of the client that looks (or last looked). */
  outer: () => OuterColours;
  version: string;
  /** Where rows go that leave the live rows; without it they are counted and forgotten. */
  history?: HistoryPlace;
  /** Shared by the screens of a process; without them this one has its own. */
  turns?: Turns;
  looks?: Looks;
  /** One call per reply: to be written to the program in one write. */
  onReply(bytes: Uint8Array): void;
  onFact(fact: TerminalFact): void;
  /** Parsing output that `putOff` had taken threw: a bug of ours, and that output is left out. */
  onFault?(error: unknown): void;
}

export interface WriteOptions {
  /** Replayed output: no replies, no notifications, no clipboard. Titles, folders and statuses are kept: they are state. */
  muted?: boolean;
}

/** The screen's own share of a checkpoint. */
interface Extra {
  history: HistoryMark;
  title: string;
  titles: string[];
  blink: boolean;
  newline: boolean;
  /** Absent in checkpoints of versions that did not keep them. */
  said?: TerminalFact[];
}

export class Screen {
  readonly #emulator: Emulator;
  readonly #scanner: ByteScanner;
  readonly #keyboard = new Keyboard();
  readonly #colours: Colours;
  readonly #links = new LinkTable();
  readonly #looks: Looks;
  readonly #texts = new RowTexts();
  #text: ScreenText | null = null;
  /** `changes` when the rows were last read as text. */
  #textStep = -1;
  #parsing = false;
  readonly #rowChanges = new RowChanges();
  readonly #back: LookBack;
  readonly #ownModes = ownModes();
  readonly #options: ScreenOptions;
  readonly #queue: ParseQueue;
  #muted = false;
  /** A checkpoint is being parsed: its reset erases nothing. */
  #restoring = false;
  #disposed = false;
  readonly #said: Said;
  /** Null: there may be others since they were read. */
  #modes: InputModes | null = null;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#looks = options.looks ?? new Looks();
    const cols = clamp(options.cols, MIN_COLS);
    const rows = clamp(options.rows, MIN_ROWS);
    this.#emulator = createEmulator(cols, rows, options.scrollback ?? SCROLLBACK);
    this.#said = new Said({ muted: () => this.#muted, onFact: (fact) => options.onFact(fact), send: (text) => this.#send(text) });
    this.#colours = new Colours(options.outer, (colour) => this.#said.tell({ fact: 'cursor-colour', colour }));
    const { core } = this.#emulator;
    this.#scanner = new ByteScanner(cols, rows, {
      bytes: (bytes) => void core._inputHandler.parse(bytes),
      apc: (payload) => this.#send(graphicsAnswer(payload)),
    });
    this.#back = new LookBack(this.#emulator, this.#links, this.#looks, options.history);
    const sink: ParseSink = {
      parse: (bytes, muted) => this.#parse(bytes, muted),
      full: () => this.#back.full,
      drained: () => this.#back.drained(),
      skimStart: () => (this.#scanner.ground ? skimStart(core) : null),
      skimmed: (lines, pens) => this.#skimmed(lines, pens),
      applySequence: (pen, sequence) => applySequence(core, pen, sequence),
      failed: (error) => options.onFault?.(error),
    };
    this.#queue = new ParseQueue(sink, this.#looks, options.turns ?? new Turns());
    this.#watchRows();
    this.#install();
  }

  get cols(): number {
    return this.#emulator.core.cols;
  }

  get rows(): number {
    return this.#emulator.core.rows;
  }

  get title(): string {
    return this.#said.title;
  }

  /** No sequence is open: a checkpoint may be taken. What is put off leaves it as it is. */
  get ground(): boolean {
    return this.#queue.empty && this.#scanner.ground && this.#emulator.core._inputHandler._parser.currentState === 0;
  }

  /** What the program has said of itself and not taken back: records of OSC 7501, progress, folder. Part of a checkpoint. */
  get said(): TerminalFact[] {
    return this.#said.facts;
  }

  /** What the program says of its progress; null: nothing. */
  get progress(): { state: 0 | 1 | 2 | 3 | 4; value: number | null } | null {
    return this.#said.progress;
  }

  /** Colour the program gave its cursor, '#rrggbb'. */
  get cursorColour(): string | null {
    return this.#colours.cursor;
  }

  /** Another program has the terminal now: what the one before said of its state no longer holds. */
  forgetStatus(): void {
    this.#said.forgetStatus();
  }

  /** Counts steps that may have changed cells, cursor or modes: equal numbers mean equal draws. */
  get changes(): number {
    this.#queue.catchUp();
    return this.#rowChanges.step;
  }

  /** Inside a synchronized update (DEC 2026): what is on the screen is not meant to be seen yet. */
  get synchronized(): boolean {
    this.#queue.catchUp();
    return this.#emulator.core.coreService.decPrivateModes.synchronizedOutput;
  }

  /** Modes that decide how input is encoded; the same object until there may be others. */
  get modes(): InputModes {
    if (this.#parsing) return this.#readModes();
    this.#modes ??= this.#readModes();
    return this.#modes;
  }

  #readModes(): InputModes {
    return inputModes(this.#emulator.core, this.#ownModes, this.#keyboard);
  }

  /**
   * Feeds output. Parsed in order; a small chunk with nothing queued before it is parsed before this returns (undefined), else the
   * promise resolves when it has been.
   */
  write(bytes: Uint8Array, options: WriteOptions = {}): Promise<void> | undefined {
    if (this.#disposed || bytes.length === 0) return undefined;
    if (!options.muted) this.#outputComes();
    return this.#queue.write(bytes, options.muted === true);
  }

  /**
   * Takes output that tells nobody anything without parsing it: that is done when somebody looks at the screen, before the next write, or at
   * `catchUp`, whatever comes first; until then it is as if the output came later. False: it is to be written. `bytes` are copied.
   */
  putOff(bytes: Uint8Array): boolean {
    if (this.#disposed || !this.ground || !this.#queue.mayPutOff(bytes)) return false;
    this.#outputComes();
    this.#queue.putOff(bytes);
    return true;
  }

  /** Parses what was put off. Never throws. */
  catchUp(): void {
    this.#queue.catchUp();
  }

  /** Sizes in cells, clamped to what can be shown. */
  resize(cols: number, rows: number): void {
    const width = clamp(cols, MIN_COLS);
    const height = clamp(rows, MIN_ROWS);
    if (width === this.cols && height === this.rows) return;
    this.#queue.catchUp();
    this.#queue.forgetSkim();
    this.#back.resize(width, height);
    this.#scanner.resize(width, height);
    this.#allRowsChanged();
    if (this.#ownModes.get(2048)) this.#sendSize();
  }

  /** The whole screen as bytes for `restore`, good once `historyWritten` has resolved. Throws unless `ground`. */
  checkpoint(): Uint8Array {
    this.#queue.catchUp();
    if (!this.ground) throw new Error('a checkpoint was asked for in the middle of a sequence');
    const { options } = this.#emulator.terminal;
    const extra: Extra = {
      history: this.#back.mark,
      title: this.#said.title,
      titles: this.#said.titles,
      blink: options.cursorBlink === true,
      newline: options.convertEol === true,
      said: this.#said.facts,
    };
    return writeCheckpoint(this.#parts, extra);
  }

  /**
   * Makes a fresh screen what it was when `checkpoint` made these bytes, its size included; parsed like any write, muted. Bytes that are
   * no checkpoint (a notice to start with) are shown as they are. Never for a program's output.
   */
  restore(bytes: Uint8Array): Promise<void> | undefined {
    const checkpoint = splitCheckpoint(bytes);
    this.#back.rewind(checkpoint ? (checkpoint.state.extra as Extra).history : bytes.length > 0 ? null : undefined);
    if (!checkpoint) return this.write(bytes, { muted: true });
    const { state, vt } = checkpoint;
    this.#restoring = true;
    this.resize(state.cols, state.rows);
    const finish = () => this.#restored(state);
    const pending = this.write(vt, { muted: true });
    if (pending) return pending.then(finish);
    finish();
    return undefined;
  }

  /** Resolves when all rows that have left the live rows are on disk. */
  historyWritten(): Promise<void> {
    return this.#current.flush();
  }

  /** Removes the history's files. */
  removeHistory(): Promise<void> {
    return this.#back.remove();
  }

  dispose(): void {
    this.#disposed = true;
    this.#back.dispose();
    this.#queue.clear();
    this.#emulator.terminal.dispose();
  }

  /** The screen as text, for the agent rules. Rows that did not change are the same objects as the last time; so is the whole. */
  text(): ScreenText {
    this.#queue.catchUp();
    const { core } = this.#emulator;
    const buffer = core.buffers.active;
    const changed = (y: number) => this.#rowChanges.may(y, this.#textStep);
    const lines = this.#texts.read(changed, core.rows, (y) => {
      const next = buffer.lines.get(buffer.ybase + y + 1);
      return { line: buffer.lines.get(buffer.ybase + y)!, cols: core.cols, wrapped: y + 1 < core.rows && next?.isWrapped === true };
    });
    // Read in the middle of a parse: what follows in it is no step of its own.
    this.#textStep = this.#parsing ? this.changes - 1 : this.changes;
    const { x, y, visible } = this.#cursor(buffer);
    const modes = {
      alternate: this.#alternate,
      bracketedPaste: core.coreService.decPrivateModes.bracketedPasteMode,
      kittyFlags: this.#keyboard.flags(this.#alternate),
    };
    const text = { cols: core.cols, rows: core.rows, lines, cursor: { x, y, visible }, ...modes };
    if (!this.#text || !isSameText(text, this.#text)) this.#text = text;
    return this.#text;
  }

  /**
   * Draws into a grid of any size: the viewport at the tail, or the rows from the place `at` on, whether they are live, in the history or
   * on an earlier screen, or as `held` has them. A place stays with its text under output, trimming and resizes; when its text is gone the
   * tail is drawn. `since`, at the tail only: what `changes` was when this grid was last drawn there; rows that have not changed are left
   * as they are.
   */
  draw(into: Grid, at: TextPoint | null = null, since = -1, held: HeldText | null = null): Drawn {
    this.#queue.catchUp();
    const changed = at ? { from: 0, to: into.rows } : this.#rowChanges.since(since, into.rows);
    return this.#back.draw(into, at, held, this.#cursor(this.#emulator.core.buffers.active), changed);
  }

  /**
   * As `draw`, into a grid narrower than the terminal: text is wrapped at the grid's width. Null where a full-screen program's screen is to
   * be drawn, which is not text to wrap.
   */
  drawNarrow(into: Grid, at: TextPoint | null, held: HeldText | null = null): Drawn | null {
    return this.#current.drawNarrow(into, at, held, this.#cursor(this.#emulator.core.buffers.active));
  }

  /** As `scrolled`, for a view of a size narrower than the terminal. */
  scrolledNarrow(at: TextPoint | null, by: number, view: { cols: number; rows: number }, held: HeldText | null = null): TextPoint | null {
    return this.#current.moveNarrow(at, held, by, view, this.#cursor(this.#emulator.core.buffers.active));
  }

  /** The cell of the screen that shows a place of the text; null when none does. */
  cellOf(at: TextPoint): { x: number; y: number } | null {
    return this.#current.cellOf(at);
  }

  /**
   * The place that a view at `at` (null: the tail) shows once scrolled by so many rows, negative: up; null: the tail. In what is `held` it
   * stops where that ends.
   */
  scrolled(at: TextPoint | null, by: number, held: HeldText | null = null): TextPoint | null {
    return this.#current.move(at, held, by);
  }

  /** The nearest place to `at` that there is. */
  nearest(at: TextPoint): TextPoint {
    return this.#current.clamp(at);
  }

  /** Keeps what a full-screen program shows now as text that stays; its place, null on the normal screen. */
  keepScreen(): TextPoint | null {
    return this.#current.keepScreen();
  }

  /** The text around a view of `rows` rows at `at`, held as it is now; null when no row of the view can change. The caller disposes it. */
  hold(at: TextPoint, rows: number): HeldText | null {
    return this.#current.hold(at, rows);
  }

  /** Lines [from, to) of the text since it was last erased, and of the earlier screens; equal ends: there are none. */
  lineRanges(held: HeldText | null = null): { text: [number, number]; screens: [number, number] } {
    return this.#current.ranges(held);
  }

  /** Lines from a line on as SGR text, as many as there are; text and earlier screens do not run into each other. */
  readLines(from: number, count: number): LineRun {
    return this.#current.read(from, count);
  }

  /** All lines from a line on to the end of the text, or of the earlier screens, in pieces between which others work. */
  scanLines(from: number, held: HeldText | null = null): AsyncGenerator<LineRun> {
    return this.#current.scan(from, held);
  }

  /** The bytes an input event is for this program, by its modes; null when it means nothing to it. */
  encode(event: InputEvent): Uint8Array | null {
    return encodeInput(event, this.modes);
  }

  /** Whether a turn of the wheel is for the program or scrolls the view. */
  get wheelGoesTo(): 'program' | 'view' {
    return wheelGoesTo(this.modes);
  }

  /** The outer colours changed: programs that asked to be told (mode 2031) are. */
  coloursChanged(): void {
    if (this.#ownModes.get(2031)) this.#send(`\x1b[?997;${this.#colours.dark ? 1 : 2}n`);
  }

  /** Where to look back from: all that was written is there. */
  get #current(): LookBack {
    this.#queue.catchUp();
    return this.#back;
  }

  get #parts(): ScreenParts {
    return {
      core: this.#emulator.core,
      keyboard: this.#keyboard,
      colours: this.#colours,
      links: this.#links,
      looks: this.#looks,
      ownModes: this.#ownModes,
    };
  }

  #restored(state: Parameters<typeof applyState>[0]): void {
    this.#restoring = false;
    if (this.#disposed) return;
    applyState(state, this.#parts);
    this.#modes = null;
    const extra = state.extra as Extra;
    const { options } = this.#emulator.terminal;
    options.cursorBlink = extra.blink;
    options.convertEol = extra.newline;
    this.#allRowsChanged();
    this.#said.restore(extra.title, extra.titles, extra.said ?? []);
  }

  get #alternate(): boolean {
    const { buffers } = this.#emulator.core;
    return buffers.active === buffers.alt;
  }

  #cursor(buffer: XBuffer): Cursor {
    const { core } = this.#emulator;
    const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
    return {
      x: Math.min(buffer.x, core.cols - 1),
      y: buffer.y,
      visible: !core.coreService.isCursorHidden,
      shape: cursorStyle ?? 'block',
      blink: cursorBlink ?? core.optionsService.rawOptions.cursorBlink,
    };
  }

  #watchRows(): void {
    const { core } = this.#emulator;
    trackRows(this.#emulator, this.#rowChanges);
    const all = () => this.#rowChanges.markAllDirty();
    core._bufferService.onScroll(all);
    core.buffers.onBufferActivate(all);
  }

  #allRowsChanged(): void {
    this.#rowChanges.next();
    this.#rowChanges.markAllDirty();
  }

  #outputComes(): void {
    const now = performance.now();
    if (this.#back.rested(now)) this.#queue.catchUp();
    this.#back.before(now);
  }

  #parse(bytes: Uint8Array, muted: boolean): void {
    this.#muted = muted;
    this.#parsing = true;
    this.#modes = null;
    this.#rowChanges.next();
    try {
      this.#scanner.push(bytes);
    } finally {
      this.#muted = this.#parsing = false;
    }
  }

  /** Lines that need not become cells go where the rows before them go; behind them come those that must. */
  #skimmed({ packed, ends, rows, pen }: Skimmed, pens: Pens): void {
    this.#back.flooded(packed, ends, () => takeLines(this.#emulator.core, rows, pen, pens));
    this.#allRowsChanged();
  }

  #send(text: string): void {
    if (!this.#muted && text !== '') this.#options.onReply(Buffer.from(text, 'latin1'));
  }

  #install(): void {
    const { terminal, core } = this.#emulator;
    const { parser } = terminal;
    installReplies({
      core,
      parser,
      keyboard: this.#keyboard,
      colours: this.#colours,
      ownModes: this.#ownModes,
      outer: this.#options.outer,
      version: this.#options.version,
      options: () => ({ blink: terminal.options.cursorBlink === true, newline: terminal.options.convertEol === true }),
      alternate: () => this.#alternate,
      send: (text) => this.#send(text),
    });
    this.#said.watch(parser);
    watchOwnModes(parser, this.#ownModes, (mode, on) => {
      if (mode === 2048 && on) this.#sendSize();
    });
    watchLinks(this.#emulator, this.#links);
    this.#installErasures();
    terminal.onBell(() => this.#said.tell({ fact: 'bell' }));
  }

  #installErasures(): void {
    const { parser } = this.#emulator.terminal;
    for (const prefix of ['', '?']) {
      parser.registerCsiHandler({ ...(prefix ? { prefix } : {}), final: 'J' }, (params) => {
        if (params[0] === 3) this.#back.erased();
        return false;
      });
    }
    parser.registerEscHandler({ final: 'c' }, () => {
      if (!this.#restoring) this.#back.reset();
      this.#rowChanges.markAllDirty();
      this.#keyboard.reset();
      this.#colours.reset('all');
      return false;
    });
  }

  #sendSize(): void {
    this.#send(sizeReport(this.#emulator.core, this.#options.outer()));
  }
}

function clamp(size: number, min: number): number {
  return Number.isFinite(size) ? Math.min(Math.max(Math.trunc(size), min), MAX_SIZE) : min;
}
