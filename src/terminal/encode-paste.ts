// Pasted text as input: between markers when the program asked for them, and never able to end the paste from inside.

const START = '\x1b[200~';
const END = '\x1b[201~';
/** The bytes (as text) for `text`; `bracketed`: mode 2004 is on. Line breaks go out as CR without markers and stay as they are within. */
export function encodePaste(text: string, bracketed: boolean): string {
  const safe = withoutMarkers(text);
  if (bracketed) return `${START}${safe}${END}`;
  return safe.replace(/\r\n|\n/g, '\r');
}

/** Both markers with both introducers (7-bit and C1), as they end. */
const MARKERS = ['\x1b[200~', '\x1b[201~', '\u009b200~', '\u009b201~'];
const LONGEST = 6;
const TILDE = 0x7e;
/** A marker's head at the very end of the text: our own end marker's first bytes would complete it. */
const OPEN_END = /(?:\x1b(?:\[(?:2(?:0[01]?)?)?)?|\u009b(?:2(?:0[01]?)?)?)$/;

/** `text` without markers, also those that removing others would bring together: a stack of code units, so linear in its length. */
function withoutMarkers(text: string): string {
  if (!text.includes('~')) return text.replace(OPEN_END, '');
  const kept = Buffer.allocUnsafe(text.length * 2);
  let units = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    kept.writeUInt16LE(unit, 2 * units++);
    if (unit !== TILDE) continue;
    const tail = kept.toString('utf16le', 2 * Math.max(units - LONGEST, 0), 2 * units);
    const marker = MARKERS.find((candidate) => tail.endsWith(candidate));
    if (marker) units -= marker.length;
  }
  return kept.toString('utf16le', 0, 2 * units).replace(OPEN_END, '');
}
