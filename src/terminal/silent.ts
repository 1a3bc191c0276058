// Which output can wait to be parsed until somebody looks: text, movement, erasing and looks, whole from the first byte to the last.
// Whatever a program could be answered for, or people be told of, is none of it.

/** C0 controls that move the cursor: BS, TAB, LF, VT, FF, CR. */
const MOVES_FIRST = 0x08;
const MOVES_LAST = 0x0d;
const ESC = 0x1b;
const BRACKET = 0x5b;
const QUESTION = 0x3f;
const BEL = 0x07;
/** How an OSC 8 begins (a link) after its ESC, and how other strings end. */
const LINK = Buffer.from(']8;');
const BACKSLASH = 0x5c;
/** First byte of U+0080-U+00BF in UTF-8, and so of every C1 control. */
const C1_LEAD = 0xc2;
/** Longest sequence that is looked through, bytes: many times what a change of all looks takes, and a link's address. */
const LONGEST = 1024;
/** Finals of CSI sequences that write, erase, move, set margins and tabs or change looks; J erases the history too, which tells nobody. */
const FINALS = new Set(Array.from('@ABCDEFGHIJKLMPSTXZ`abdefgmrsu', (final) => final.charCodeAt(0)));
/** Private modes that only change what is seen: the cursor, synchronized output. */
const MODES = new Set(['25', '2026']);

/**
 * True when parsing `bytes`, from ground state, answers nothing, tells nothing, changes no mode that input depends on, and ends in ground
 * state. Costs about 1 ns a byte.
 */
export function isSilent(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === ESC) {
      i = endOfSilent(bytes, i);
      if (i < 0) return false;
    } else if (byte < 0x20 ? byte < MOVES_FIRST || byte > MOVES_LAST : byte === C1_LEAD && !(bytes[i + 1]! > 0x9f)) return false;
  }
  return endsWhole(bytes);
}

/** The last byte of the silent sequence that begins at `at`; -1 where there is none. */
function endOfSilent(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== BRACKET) return endOfLink(bytes, at);
  const isPrivate = bytes[at + 2] === QUESTION;
  const from = isPrivate ? at + 3 : at + 2;
  let end = from;
  // Digits, colon and semicolon.
  while (bytes[end]! >= 0x30 && bytes[end]! <= 0x3b && end - at < LONGEST) end++;
  const final = bytes[end];
  if (final === undefined) return -1;
  if (!isPrivate) return FINALS.has(final) ? end : -1;
  const isSet = final === 0x68 || final === 0x6c;
  return isSet && MODES.has(String.fromCharCode(...bytes.subarray(from, end))) ? end : -1;
}

/** The last byte of the OSC 8 that begins at `at`; -1 where there is none. */
function endOfLink(bytes: Uint8Array, at: number): number {
  if (LINK.some((byte, i) => bytes[at + 1 + i] !== byte)) return -1;
  let end = at + 1 + LINK.length;
  while (bytes[end]! >= 0x20 && bytes[end]! < 0x7f && end - at < LONGEST) end++;
  if (bytes[end] === BEL) return end;
  return bytes[end] === ESC && bytes[end + 1] === BACKSLASH ? end + 1 : -1;
}

/** No UTF-8 character is cut at the end. */
function endsWhole(bytes: Uint8Array): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return back === 1;
    if (byte >= 0xc0) return back === (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return bytes.length === 0;
}
