// Stands between a program's bytes and the parser: caps the counts of CSI sequences, bounds unterminated strings, reads APC strings
// (which the parser drops unseen) and knows when no sequence is open. Changes nothing else of the stream, and nothing in plain text.

/** Longest CSI sequence, bytes: real ones stay below 200; a longer one is cancelled. */
const MAX_CSI = 4096;
/** Longest OSC, DCS, APC, PM, SOS string, bytes. */
const MAX_STRING = 1024 * 1024;
/** Longest OSC 52 (clipboard), bytes: base64 of about 6 MB. */
const MAX_CLIPBOARD = 8 * 1024 * 1024;
/** Bytes kept of an APC string: the control part of a kitty graphics command stands at its start. */
const MAX_APC = 4096;

const NOTHING = new Uint8Array(0);
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
/** First byte of U+0080-U+00BF in UTF-8, and so of every C1 control. */
const C1_LEAD = 0xc2;

type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'osc' | 'dcs' | 'apc' | 'ignored';

/** What follows ESC or, 0x40 higher, stands as a C1 control; anything else ends in ground state. */
const INTRODUCERS: Record<number, State> = { 91: 'csi', 93: 'osc', 80: 'dcs', 95: 'apc', 88: 'ignored', 94: 'ignored' };

/** CSI sequences whose count the parser loops over, by what a larger count cannot add to. */
/** Cells a row may have: more than the screen is wide when that was narrowed under an alternate screen. */
const WIDEST = 1000;
/** The parser takes larger parameters for this one. */
const MAX_PARAM = 0x7fffffff;
const COUNTS: Record<string, 'rows' | 'cols' | 'cells'> = {
  L: 'rows',
  M: 'rows',
  S: 'rows',
  T: 'rows',
  '@': 'cols',
  P: 'cols',
  X: 'cols',
  Z: 'cols',
  I: 'cols',
  ' @': 'cols',
  ' A': 'cols',
  "'}": 'cols',
  "'~": 'cols',
  b: 'cells',
};
const COUNT_FINALS = new Uint8Array(128);
for (const key of Object.keys(COUNTS)) COUNT_FINALS[key.charCodeAt(key.length - 1)] = 1;

export interface ScannerSink {
  /** Bytes for the parser. Views into what was pushed: parse or copy them before returning. */
  bytes(bytes: Uint8Array): void;
  /** An APC string ended here, in stream order: its first bytes, without introducer and terminator. */
  apc(payload: Uint8Array): void;
}

export class ByteScanner {
  #state: State = 'ground';
  /** First bytes of a UTF-8 character whose rest has not come: the parser loses some characters that come in two parts. */
  #tail: Uint8Array = NOTHING;
  /** Bytes of the open string so far. */
  #length = 0;
  /** The open sequence or string is past its bound: swallowed until its end. */
  #dropping = false;
  /** Parameters of a CSI sequence that earlier chunks began; the parser has not got them yet. */
  #held: number[] = [];
  /** Start of the open OSC or APC string. */
  #start: number[] = [];
  /** In `push`: first byte not yet given to the sink, and first parameter byte of the open CSI sequence. */
  #from = 0;
  #params = 0;
  /** In `push`: the next C1_LEAD known of. */
  #leadAt = -1;
  #cols: number;
  #rows: number;
  readonly #sink: ScannerSink;

  /** Size in cells: it bounds the counts. */
  constructor(cols: number, rows: number, sink: ScannerSink) {
    this.#cols = cols;
    this.#rows = rows;
    this.#sink = sink;
  }

  /** No sequence, string or UTF-8 character is open. */
  get ground(): boolean {
    return this.#state === 'ground' && this.#tail.length === 0;
  }

  resize(cols: number, rows: number): void {
    this.#cols = cols;
    this.#rows = rows;
  }

  /** Feeds output; the sink gets what it holds, in order, before this returns. */
  push(bytes: Uint8Array): void {
    const all = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes]);
    const end = all.length - openCharacter(all);
    this.#tail = end === all.length ? NOTHING : all.slice(end);
    this.#scan(end === all.length ? all : all.subarray(0, end));
  }

  /** A chunk of whole characters. */
  #scan(chunk: Uint8Array): void {
    this.#from = 0;
    this.#params = 0;
    this.#leadAt = -1;
    let i = 0;
    while (i < chunk.length) {
      switch (this.#state) {
        case 'ground':
          i = this.#ground(chunk, i);
          break;
        case 'escape':
        case 'intermediate':
          i = this.#escape(chunk, i);
          break;
        case 'csi':
          i = this.#csi(chunk, i);
          break;
        default:
          i = this.#string(chunk, i);
      }
    }
    if (this.#dropping) return;
    if (this.#state === 'csi') {
      this.#flush(chunk, this.#params);
      for (let j = this.#params; j < chunk.length; j++) this.#held.push(chunk[j]!);
    } else this.#flush(chunk, chunk.length);
  }

  #flush(chunk: Uint8Array, to: number): void {
    if (to > this.#from) this.#sink.bytes(this.#from === 0 && to === chunk.length ? chunk : chunk.subarray(this.#from, to));
    this.#from = to;
  }

  /**
   * Text up to the next ESC or C1 control, found by native searches: it costs next to nothing. Whole CSI sequences that are within all
   * bounds, most of what there is, are passed over on the way.
   */
  #ground(chunk: Uint8Array, at: number): number {
    for (let from = at; ; ) {
      const found = chunk.indexOf(ESC, from);
      const end = found === -1 ? chunk.length : found;
      for (let lead = this.#nextLead(chunk, from); lead < end; lead = this.#nextLead(chunk, lead + 1)) {
        const next = this.#afterLead(chunk, lead + 1);
        if (this.#state !== 'ground') return next;
      }
      from = found === -1 ? -1 : endOfCsi(chunk, found);
      if (from !== -1) continue;
      if (found !== -1) this.#state = 'escape';
      return end + 1;
    }
  }

  /** Where the next C1_LEAD stands from `at` on; searched for once, not at every sequence of a chunk that has none. */
  #nextLead(chunk: Uint8Array, at: number): number {
    if (this.#leadAt < at) {
      const found = chunk.indexOf(C1_LEAD, at);
      this.#leadAt = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#leadAt;
  }

  /** Position after what follows a C1_LEAD that stood before `at`; enters the state a C1 control leads to. */
  #afterLead(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return at;
    if (byte > 0x9f) {
      // An ordinary character: inside a string it belongs to it, elsewhere it breaks the sequence off.
      if (this.#state === 'escape' || this.#state === 'intermediate' || this.#state === 'csi') {
        this.#leave(chunk, at - 1);
        this.#state = 'ground';
      }
      return at + 1;
    }
    this.#leave(chunk, at - 1);
    this.#enter(INTRODUCERS[byte - 0x40] ?? 'ground', at + 1);
    return at + 1;
  }

  #enter(state: State, at: number): void {
    this.#state = state;
    this.#params = at;
    this.#length = 0;
    if (this.#start.length > 0) this.#start = [];
  }

  /** The open sequence or string ends before `at`. */
  #leave(chunk: Uint8Array, at: number): void {
    if (this.#dropping) this.#from = at;
    if (this.#held.length > 0) {
      this.#sink.bytes(Uint8Array.from(this.#held));
      this.#held.length = 0;
    }
    if (this.#state === 'apc' && !this.#dropping) {
      this.#flush(chunk, at);
      this.#sink.apc(Uint8Array.from(this.#start));
    }
    this.#dropping = false;
  }

  #escape(chunk: Uint8Array, at: number): number {
    const byte = chunk[at]!;
    if (byte === C1_LEAD) return this.#afterLead(chunk, at + 1);
    if (byte >= 0x80) {
      this.#state = 'ground';
      return at;
    }
    const introduced = this.#state === 'escape' ? INTRODUCERS[byte] : undefined;
    if (introduced) this.#enter(introduced, at + 1);
    else if (byte === ESC) this.#state = 'escape';
    else if (byte >= 0x20 && byte <= 0x2f) this.#state = 'intermediate';
    else if (byte === CAN || byte === SUB || (byte >= 0x30 && byte !== 0x7f)) this.#state = 'ground';
    return at + 1;
  }

  /** Parameters and intermediates up to the final byte or whatever breaks the sequence off. */
  #csi(chunk: Uint8Array, at: number): number {
    let i = at;
    let byte = 0;
    for (; i < chunk.length; i++) {
      byte = chunk[i]!;
      if (byte >= 0x40 ? byte !== 0x7f : byte === ESC || byte === CAN || byte === SUB) break;
    }
    this.#length += i - at;
    if (this.#length > MAX_CSI && !this.#dropping) this.#cancel(chunk, this.#params);
    if (i === chunk.length) return i;
    if (byte === C1_LEAD) return this.#afterLead(chunk, i + 1);
    if (byte >= 0x40 && byte < 0x80 && !this.#dropping) this.#dispatch(chunk, i);
    else this.#leave(chunk, byte >= 0x40 && byte < 0x80 ? i + 1 : i);
    this.#state = byte === ESC ? 'escape' : 'ground';
    return byte >= 0x80 ? i : i + 1;
  }

  /** A whole CSI sequence whose final byte is at `at`: given on as it is unless its counts are past what they can do. */
  #dispatch(chunk: Uint8Array, at: number): void {
    const held = this.#held.length > 0;
    if (!held && COUNT_FINALS[chunk[at]!] === 0) return;
    const own = chunk.subarray(this.#params, at + 1);
    const whole = held ? Uint8Array.from([...this.#held, ...own]) : own;
    const bounded = this.#bound(whole);
    if (bounded === own) return;
    this.#flush(chunk, this.#params);
    this.#sink.bytes(bounded);
    this.#held.length = 0;
    this.#from = at + 1;
  }

  /** The same sequence (parameters to final) with its numbers capped; the very argument when nothing was to be done. */
  #bound(sequence: Uint8Array): Uint8Array {
    const text = String.fromCharCode(...sequence);
    const key = /[ '](?=.$)/.test(text) ? text.slice(-2) : text.slice(-1);
    const kind = COUNTS[key];
    if (!kind) return sequence;
    const capped = text.replace(/\d+/g, (digits) => this.#cap(digits, kind));
    return capped === text ? sequence : Uint8Array.from(capped, (c) => c.charCodeAt(0));
  }

  /** A count that does what the given one would. Repeated text that fills the screen comes to the same place again every few rows. */
  #cap(digits: string, kind: 'rows' | 'cols' | 'cells'): string {
    const count = Math.min(Number(digits), MAX_PARAM);
    const limit = kind === 'rows' ? this.#rows : kind === 'cols' ? WIDEST : this.#rows * this.#cols;
    if (count <= limit) return digits;
    if (kind !== 'cells') return String(limit);
    const period = this.#cols * Math.max(1, this.#cols >> 1);
    return String(limit + ((count - limit) % period));
  }

  /** OSC, DCS, APC, PM, SOS up to their terminator. */
  #string(chunk: Uint8Array, at: number): number {
    let i = at;
    let byte = 0;
    for (; i < chunk.length; i++) {
      byte = chunk[i]!;
      if (byte === ESC || byte === CAN || byte === SUB || byte === C1_LEAD || (byte === BEL && this.#state === 'osc')) break;
    }
    const room = (this.#state === 'apc' ? MAX_APC : 3) - this.#start.length;
    if (this.#state !== 'dcs') for (let j = at; j < Math.min(i, at + room); j++) this.#start.push(chunk[j]!);
    this.#length += i - at;
    if (!this.#dropping && this.#length > this.#limit()) this.#cancel(chunk, at);
    if (i === chunk.length) return i;
    if (byte === C1_LEAD) {
      this.#length++;
      return this.#afterLead(chunk, i + 1);
    }
    if (byte === ESC) this.#leave(chunk, i);
    else if (byte === BEL || this.#state !== 'apc') this.#leave(chunk, byte === BEL ? i + 1 : i);
    else this.#dropping = false;
    this.#state = byte === ESC ? 'escape' : 'ground';
    return i + 1;
  }

  #limit(): number {
    return this.#state === 'osc' && String.fromCharCode(...this.#start) === '52;' ? MAX_CLIPBOARD : MAX_STRING;
  }

  /** The open sequence or string is too long: the parser is told to forget it, the rest of it goes nowhere. */
  #cancel(chunk: Uint8Array, at: number): void {
    this.#flush(chunk, at);
    this.#sink.bytes(Uint8Array.of(CAN));
    this.#held.length = 0;
    this.#dropping = true;
  }
}

/** End of the CSI sequence that begins with the ESC at `at`; -1 when it is none, not whole, odd, long, or has a count. */
function endOfCsi(chunk: Uint8Array, at: number): number {
  if (chunk[at + 1] !== 91) return -1;
  let i = at + 2;
  let byte = chunk[i];
  while (byte !== undefined && byte >= 0x20 && byte < 0x40) byte = chunk[++i];
  const plain = byte !== undefined && byte >= 0x40 && byte < 0x7f && COUNT_FINALS[byte] === 0 && i - at <= MAX_CSI;
  return plain ? i + 1 : -1;
}

/** Bytes of an unfinished UTF-8 character at the end of `bytes`, 0-3. */
function openCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
