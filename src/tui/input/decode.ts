// The bytes of the outer terminal to what a person did. The only reader of stdin. Cuts anywhere are fine; an answer of the terminal,
// asked or not, whole or torn, never becomes typed text; nothing that comes in makes it throw.
import { ALT, type InputEvent } from '../../model/input.ts';
import {
  characterKey,
  controlKey,
  type Meaning,
  readConsoleKey,
  readCsi,
  readSs3,
  readString,
  readX10Mouse,
  type TerminalReply,
} from './sequences.ts';

export type { TerminalReply } from './sequences.ts';

export interface DecoderOptions {
  onInput(event: InputEvent): void;
  onReply(reply: TerminalReply): void;
  /** A paste larger than `MAX_PASTE` was thrown away whole: its size in bytes. */
  onRefusedPaste?(bytes: number): void;
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls back once after `ms`; returns what takes it back. */
  after(ms: number, run: () => void): () => void;
}

/** Bytes of one paste. */
export const MAX_PASTE = 1024 * 1024;
/** How long a lone ESC may be the start of a sequence, ms: below what a person feels, above the gaps inside a packet's sequence. */
const ESCAPE_WAIT = 30;
/** `ESC [` or `ESC O` alone is Alt with that character after this, ms. */
const INTRODUCER_WAIT = 100;
/** A torn sequence is forgotten after this silence, ms; links to phones stall about that long. */
const SEQUENCE_WAIT = 500;
/** A paste without its end is taken as ended after this silence, ms. */
const PASTE_WAIT = 5000;
/** Parameter bytes of a sequence, bytes of a string: more is no terminal's answer. */
const MAX_CSI = 128;
const MAX_STRING = 8192;
/** How long after a flushed ESC or a dropped string the rest of a torn answer is still known as such, ms. */
const TORN_WITHIN = 1000;
/** An answer's rest behind a lost ESC; nobody types that within one read. */
const TORN_REPLY = /^(\]\d+;[^\x07\x1b]*|P[>01][|$+][^\x07\x1b]*|\[[?>=][\d;:]*\$?[a-zA-Z]|\[\d+(;\d+)+t)/;
const TORN_TAIL = /^[\da-f;:/rgb]*(\x07|\x1b\\)/i;

const ESC = 0x1b;
const PASTE_END = Buffer.from('\x1b[201~');

export class InputDecoder {
  readonly #o: DecoderOptions;
  /** Bytes not understood yet; short but inside a string. */
  #rest = Buffer.alloc(0);
  #paste: { parts: Buffer[]; size: number; tail: Buffer } | null = null;
  /** Inside a string that is too long: swallowed to its end. */
  #skipping = false;
  #skippedEscape = false;
  #cancel: (() => void) | null = null;
  #flushedEscape = -Infinity;
  #droppedString = -Infinity;

  constructor(options: DecoderOptions) {
    this.#o = options;
  }

  /** Takes what was read. Calls back in order, before it returns. */
  push(chunk: Uint8Array): void {
    this.#settle();
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const alone = this.#rest.length === 1 && this.#rest[0] === ESC;
    if (alone && fresh.length > 0 && !isIntroducer(fresh[0]!)) this.#flush();
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, fresh]) : fresh;
    if (this.#rest.length === 0) bytes = bytes.subarray(this.#tornTail(fresh));
    if (this.#rest.length === 0 && this.#isTorn(fresh)) bytes = Buffer.concat([Buffer.from([ESC]), fresh]);
    this.#rest = Buffer.alloc(0);
    const used = this.#run(bytes);
    // Copied: what was read belongs to the stream.
    if (used < bytes.length) this.#rest = Buffer.from(bytes.subarray(used));
    this.#wait();
  }

  /** Forgets what is unfinished; nothing is called back any more. */
  dispose(): void {
    this.#settle();
    this.#rest = Buffer.alloc(0);
    this.#paste = null;
  }

  #settle(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Bytes understood. */
  #run(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length) {
      const next = this.#paste ? this.#readPaste(bytes, at) : this.#skipping ? this.#skip(bytes, at) : this.#read(bytes, at);
      if (next === at) return at;
      at = next;
    }
    return at;
  }

  /** One thing from `at`: returns where it ends, or `at` when it is not whole. */
  #read(bytes: Buffer, at: number): number {
    const byte = bytes[at]!;
    if (byte === ESC) return this.#readEscape(bytes, at);
    if (byte < 0x20 || byte === 0x7f) {
      this.#o.onInput(controlKey(byte));
      return at + 1;
    }
    return this.#readText(bytes, at, 0);
  }

  #readEscape(bytes: Buffer, at: number): number {
    if (at + 1 >= bytes.length) return at;
    const byte = bytes[at + 1]!;
    if (byte === ESC) return this.#readDoubleEscape(bytes, at);
    const char = String.fromCharCode(byte);
    if (char === '[') return this.#readCsi(bytes, at, 0);
    if (char === 'O') return this.#readSs3(bytes, at, 0);
    // Strings: OSC, DCS, APC, PM, SOS. Alt with one of these letters comes alone.
    if (']P_^X'.includes(char)) return at + 2 >= bytes.length ? at : this.#readString(bytes, at, char);
    if (byte < 0x20 || byte === 0x7f) {
      this.#o.onInput(controlKey(byte, ALT));
      return at + 2;
    }
    const end = this.#readText(bytes, at + 1, ALT);
    return end > at + 1 ? end : at;
  }

  /** rxvt sends Alt with a cursor key as ESC and its sequence; otherwise the first ESC is a key of its own. */
  #readDoubleEscape(bytes: Buffer, at: number): number {
    const third = bytes[at + 2];
    if (third === 0x5b || third === 0x4f) {
      const end = third === 0x5b ? this.#readCsi(bytes, at + 1, ALT) : this.#readSs3(bytes, at + 1, ALT);
      return end === at + 1 ? at : end;
    }
    this.#o.onInput(controlKey(ESC));
    return at + 1;
  }

  /** ESC [ at `at`. */
  #readCsi(bytes: Buffer, at: number, mods: number): number {
    let i = at + 2;
    if (bytes[i] === 0x5b) {
      if (i + 1 >= bytes.length) return at;
      this.#mean(readConsoleKey(String.fromCharCode(bytes[i + 1]!)), mods);
      return i + 2;
    }
    if (bytes[i] === 0x4d && mods === 0) {
      if (i + 3 >= bytes.length) return at;
      this.#mean(readX10Mouse(bytes[i + 1]!, bytes[i + 2]!, bytes[i + 3]!), 0);
      return i + 4;
    }
    while (i < bytes.length && bytes[i]! >= 0x30 && bytes[i]! <= 0x3f) i++;
    const params = i;
    while (i < bytes.length && bytes[i]! >= 0x20 && bytes[i]! <= 0x2f) i++;
    // rxvt ends shifted keys with a byte that is an intermediate elsewhere.
    const isRxvt = i - params === 1 && bytes[params] === 0x24 && /^\d$/.test(bytes.toString('latin1', at + 2, params));
    if (i >= bytes.length && !isRxvt) return i - at > MAX_CSI ? bytes.length : at;
    if (isRxvt && (i >= bytes.length || bytes[i]! < 0x40)) {
      this.#mean(readCsi(bytes.toString('latin1', at + 2, params), '', '$'), mods);
      return i;
    }
    const final = bytes[i]!;
    // Something that cannot be part of it: the sequence is broken, what follows is new.
    if (final < 0x40 || final > 0x7e) return i;
    if (i - at <= MAX_CSI) {
      this.#mean(readCsi(bytes.toString('latin1', at + 2, params), bytes.toString('latin1', params, i), String.fromCharCode(final)), mods);
    }
    return i + 1;
  }

  /** ESC O at `at`. */
  #readSs3(bytes: Buffer, at: number, mods: number): number {
    let i = at + 2;
    while (i < bytes.length && i - at < 8 && ((bytes[i]! >= 0x30 && bytes[i]! <= 0x39) || bytes[i] === 0x3b)) i++;
    if (i >= bytes.length) return at;
    this.#mean(readSs3(bytes.toString('latin1', at + 2, i), String.fromCharCode(bytes[i]!)), mods);
    return i + 1;
  }

  #readString(bytes: Buffer, at: number, kind: string): number {
    for (let i = at + 2; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (byte === 0x07 || (byte === ESC && bytes[i + 1] === 0x5c)) {
        this.#o.onReply(readString(kind, bytes.toString('latin1', at + 2, i)));
        return byte === ESC ? i + 2 : i + 1;
      }
      if (byte === ESC && i + 1 >= bytes.length) return at;
      // Cancelled, or something else began.
      if (byte === ESC || byte === 0x18 || byte === 0x1a) return byte === ESC ? i : i + 1;
    }
    if (bytes.length - at < MAX_STRING) return at;
    this.#skipping = true;
    return bytes.length;
  }

  #skip(bytes: Buffer, at: number): number {
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i]!;
      const isEnd = byte === 0x07 || byte === 0x18 || byte === 0x1a || (byte === 0x5c && this.#skippedEscape);
      this.#skippedEscape = byte === ESC;
      if (!isEnd) continue;
      this.#skipping = false;
      return i + 1;
    }
    return bytes.length;
  }

  /** Characters from `at`; several beyond ASCII at once are what an input method committed. */
  #readText(bytes: Buffer, at: number, mods: number): number {
    const first = utf8At(bytes, at);
    if (first === null) return at;
    if (first === '') return at + 1;
    let end = at + utf8Length(bytes[at]!);
    if (mods === 0 && first > '\x7f') {
      let text = first;
      while (end < bytes.length && bytes[end]! >= 0x80) {
        const next = utf8At(bytes, end);
        if (!next) break;
        text += next;
        end += utf8Length(bytes[end]!);
      }
      if (text !== first) {
        this.#o.onInput({ type: 'key', key: '', mods: 0, action: 'press', text });
        return end;
      }
    }
    if (first >= '\x80' && first < '\xa0') return end;
    this.#o.onInput(characterKey(first, mods));
    return end;
  }

  #mean(meaning: Meaning, mods: number): void {
    if (!meaning) return;
    if ('reply' in meaning) this.#o.onReply(meaning.reply);
    else if ('paste' in meaning) {
      if (meaning.paste === 'begin') this.#paste = { parts: [], size: 0, tail: Buffer.alloc(0) };
    } else if (mods && meaning.event.type === 'key') this.#o.onInput({ ...meaning.event, mods: meaning.event.mods | mods });
    else this.#o.onInput(meaning.event);
  }

  /** Collects a paste; its end may be torn over reads. */
  #readPaste(bytes: Buffer, at: number): number {
    const paste = this.#paste!;
    const fresh = Buffer.from(bytes.subarray(at));
    const joined = Buffer.concat([paste.tail, fresh]);
    const end = joined.indexOf(PASTE_END);
    const keep = end >= 0 ? end : Math.max(0, joined.length - PASTE_END.length + 1);
    paste.size += keep;
    if (paste.size <= MAX_PASTE) paste.parts.push(joined.subarray(0, keep));
    else paste.parts = [];
    paste.tail = joined.subarray(keep);
    if (end < 0) return bytes.length;
    const used = end + PASTE_END.length - (joined.length - fresh.length);
    this.#endPaste();
    return at + used;
  }

  #endPaste(): void {
    const paste = this.#paste!;
    this.#paste = null;
    if (paste.size > MAX_PASTE) this.#o.onRefusedPaste?.(paste.size);
    else this.#o.onInput({ type: 'paste', text: Buffer.concat(paste.parts).toString() });
  }

  /** Sets the time after which the unfinished is taken as it is. */
  #wait(): void {
    if (this.#paste) {
      this.#cancel = this.#o.after(PASTE_WAIT, () => {
        this.#paste!.parts.push(this.#paste!.tail);
        this.#endPaste();
      });
      return;
    }
    if (this.#rest.length === 0 && !this.#skipping) return;
    const isEscape = this.#rest.length === 1 && this.#rest[0] === ESC;
    const isPair = this.#rest.length === 2 && this.#rest[0] === ESC;
    const wait = isEscape ? ESCAPE_WAIT : isPair ? INTRODUCER_WAIT : SEQUENCE_WAIT;
    this.#cancel = this.#o.after(wait, () => {
      this.#cancel = null;
      this.#flush();
    });
  }

  /** The unfinished as it stands: Escape, Alt with a character, or the torn rest of something, which is dropped. */
  #flush(): void {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    this.#skipping = false;
    if (rest[0] !== ESC) return;
    if (rest.length === 1) {
      this.#flushedEscape = this.#o.now();
      this.#o.onInput(controlKey(ESC));
    } else if (rest.length > 2 && rest[1] === 0x5d) this.#droppedString = this.#o.now();
    else if (rest.length === 2) this.#o.onInput(characterKey(String.fromCharCode(rest[1]!), ALT));
  }

  /** Length of the end of a colour answer whose beginning was given up. */
  #tornTail(fresh: Buffer): number {
    if (this.#paste || this.#o.now() - this.#droppedString > TORN_WITHIN) return 0;
    return TORN_TAIL.exec(fresh.toString('latin1', 0, MAX_CSI))?.[0].length ?? 0;
  }

  /** The rest of an answer whose ESC came so long before that it was taken for the key. */
  #isTorn(fresh: Buffer): boolean {
    if (this.#paste || this.#skipping || this.#o.now() - this.#flushedEscape > TORN_WITHIN) return false;
    return TORN_REPLY.test(fresh.toString('latin1', 0, MAX_CSI));
  }
}

function isIntroducer(byte: number): boolean {
  return byte === 0x5b || byte === 0x4f || byte === 0x5d || byte === 0x50 || byte === 0x5f;
}

function utf8Length(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The character at `at`; '' when the byte there starts none, null when it is not whole. */
function utf8At(bytes: Buffer, at: number): string | null {
  const lead = bytes[at]!;
  if (lead < 0x80) return String.fromCharCode(lead);
  if (lead < 0xc2 || lead > 0xf4) return '';
  const length = utf8Length(lead);
  for (let i = 1; i < length; i++) {
    if (at + i >= bytes.length) return null;
    if ((bytes[at + i]! & 0xc0) !== 0x80) return '';
  }
  const text = bytes.toString('utf8', at, at + length);
  return text.includes('\ufffd') && text !== '\ufffd' ? '' : text;
}
