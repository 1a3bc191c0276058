// Output that waits to be parsed: taken in order, a turn at a time so that others get theirs, and where a flood allows it skimmed.
import type { Looks } from './looks.ts';
import { type Pen, Pens } from './pens.ts';
import { isSilent } from './silent.ts';
import { Skim, type Skimmed, type SkimStart } from './skim.ts';
import type { Turns } from './turns.ts';

/** Bytes parsed without a pause; at the slowest (lines scrolling away) 1-2 ms. */
const SLICE = 16 * 1024;
/** Bytes parsed where they come in: an echo, a spinner. More waits for a turn, so that no other terminal's echo waits for it. */
const SMALL = 4 * 1024;
/** Bytes a line has at least in output that is looked through for lines to skim: in shorter ones there are too few to be worth while. */
const LINE_BYTES = 16;
const LF = 0x0a;

/** Whose output it is. */
export interface ParseSink {
  parse(bytes: Uint8Array, muted: boolean): void;
  /** No more may be parsed until `drained`. */
  full(): boolean;
  drained(): Promise<void>;
  /** How a skim of what comes next would begin; null when the parser's state allows none. */
  skimStart(): Omit<SkimStart, 'bytes' | 'at'> | null;
  /** Takes what was skimmed, in place of parsing it. */
  skimmed(lines: Skimmed, pens: Pens): void;
  /** What an SGR sequence makes of a pen. */
  applySequence(pen: Pen, sequence: Uint8Array): Pen;
  /** Parsing what had been put off threw. */
  failed(error: unknown): void;
}

interface Piece {
  bytes: Uint8Array;
  /** Parsed up to here. */
  at: number;
  /** No skim before here: what stands between is known to be too little. */
  skimFrom: number;
  muted: boolean;
  /** What parsing a slice threw: the others are parsed all the same. */
  fault: unknown;
  done: () => void;
  failed: (error: unknown) => void;
}

export class ParseQueue {
  readonly #sink: ParseSink;
  readonly #looks: Looks;
  readonly #turns: Turns;
  #pieces: Piece[] = [];
  #running = false;
  #skim: Skim | null = null;
  #pens: Pens | null = null;
  /** What has been put off: `#late` bytes. */
  #shelf: Buffer | null = null;
  #late = 0;

  constructor(sink: ParseSink, looks: Looks, turns: Turns) {
    this.#sink = sink;
    this.#looks = looks;
    this.#turns = turns;
  }

  /** Nothing waits. */
  get empty(): boolean {
    return this.#pieces.length === 0;
  }

  /**
   * A small piece with nothing before it is parsed before this returns (undefined), else the promise resolves when it has been. Throws or
   * rejects with what parsing threw; what comes behind that slice has been parsed all the same.
   */
  write(bytes: Uint8Array, muted: boolean): Promise<void> | undefined {
    this.catchUp();
    if (this.empty && bytes.length <= SMALL && !this.#sink.full()) {
      this.#sink.parse(bytes, muted);
      return undefined;
    }
    return new Promise((done, failed) => {
      this.#pieces.push({ bytes, at: 0, skimFrom: 0, muted, fault: null, done, failed });
      this.#run();
    });
  }

  /** Of this output nobody hears, and there is room to keep it. The parser is in ground state. */
  mayPutOff(bytes: Uint8Array): boolean {
    return this.empty && this.#late + bytes.length <= SMALL && isSilent(bytes);
  }

  /**
   * Puts off what may be, until the next `catchUp` or `write`: parsed together, pieces cost less, most of all where two hundred terminals
   * are in turn and each finds the caches cold.
   */
  putOff(bytes: Uint8Array): void {
    this.#shelf ??= Buffer.allocUnsafeSlow(SMALL);
    this.#shelf.set(bytes, this.#late);
    this.#late += bytes.length;
  }

  /** Parses what was put off. Never throws. */
  catchUp(): void {
    if (this.#late === 0) return;
    const bytes = this.#shelf!.subarray(0, this.#late);
    this.#late = 0;
    try {
      this.#sink.parse(bytes, false);
    } catch (error) {
      this.#sink.failed(error);
    }
  }

  /** The screen is another now: what has been skimmed and not taken yet is skimmed again. */
  forgetSkim(): void {
    this.#skim = null;
  }

  /** Drops what waits. */
  clear(): void {
    this.#skim = null;
    this.#late = 0;
    for (const { done } of this.#pieces.splice(0)) done();
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    this.#turns.add((end) => this.#turn(end));
  }

  /** Parses until `end`; true when there is more that may be parsed now. */
  #turn(end: number): boolean {
    for (let piece = this.#pieces[0]; piece; piece = this.#pieces[0]) {
      try {
        this.#advance(piece);
      } catch (error) {
        if (this.#skim) piece.skimFrom = piece.bytes.length;
        this.#skim = null;
        piece.fault ??= error;
      }
      if (piece.at === piece.bytes.length && this.#pieces[0] === piece) {
        this.#pieces.shift();
        if (piece.fault) piece.failed(piece.fault);
        else piece.done();
      }
      if (this.#sink.full() || performance.now() >= end) break;
    }
    this.#running = !this.empty;
    if (!this.#running) return false;
    if (!this.#sink.full()) return true;
    void this.#sink.drained().then(() => this.#turns.add((next) => this.#turn(next)));
    return false;
  }

  /** One step: a slice of a skim, or of parsing. */
  #advance(piece: Piece): void {
    this.#skim ??= this.#beginSkim(piece);
    if (!this.#skim) return this.#parse(piece, this.#sliceEnd(piece));
    if (!this.#skim.go()) return;
    piece.skimFrom = this.#skim.at + 1;
    const lines = this.#skim.result();
    const { room } = this.#skim;
    this.#skim = null;
    if (lines) {
      piece.at = lines.rows.to;
      this.#sink.skimmed(lines, this.#pens!);
    }
    this.#turns.rooms.give(room);
  }

  #beginSkim(piece: Piece): Skim | null {
    if (piece.at < piece.skimFrom) return null;
    const start = this.#sink.skimStart();
    if (!start || piece.bytes.length - piece.at < start.keep * LINE_BYTES) return null;
    this.#pens ??= new Pens((pen, sequence) => this.#sink.applySequence(pen, sequence));
    return new Skim(this.#pens, this.#looks, { ...start, bytes: piece.bytes, at: piece.at }, this.#turns.rooms.take());
  }

  /** Of a piece first the rest of a line that the piece before it began: behind it there may be lines to skim. */
  #sliceEnd({ bytes, at }: Piece): number {
    const line = at === 0 ? bytes.indexOf(LF) + 1 : 0;
    return Math.min(line > 0 && line < SMALL ? line : at + SLICE, bytes.length);
  }

  #parse(piece: Piece, to: number): void {
    const { bytes, at } = piece;
    // Up to the end of a line where there is one: only there can a skim begin.
    const line = to < bytes.length ? at + bytes.subarray(at, to).lastIndexOf(LF) + 1 : to;
    piece.at = line > at ? line : to;
    this.#sink.parse(bytes.subarray(at, piece.at), piece.muted);
  }
}
