// Pasted text as input: between markers when the program asked for them, and never able to end the paste from inside.

const START = '\x1b[200~';
const END = '\x1b[201~';
/** Both introducers of both markers, 7-bit and C1. Removing one can join another together, hence the loop at its use. */
const MARKERS = /(?:\x1b\[|\u009b)20[01]~/g;

/** The bytes (as text) for `text`; `bracketed`: mode 2004 is on. Line breaks go out as CR without markers and stay as they are within. */
export function encodePaste(text: string, bracketed: boolean): string {
  const safe = withoutMarkers(text);
  if (bracketed) return `${START}${safe}${END}`;
  return safe.replace(/\r\n|\n/g, '\r');
}

function withoutMarkers(text: string): string {
  let safe = text;
  while (MARKERS.test(safe)) {
    MARKERS.lastIndex = 0;
    safe = safe.replace(MARKERS, '');
  }
  // A marker's head at the very end would be completed by our own end marker's first bytes.
  return safe.replace(/(?:\x1b(?:\[(?:2(?:0(?:[01])?)?)?)?|\u009b(?:2(?:0(?:[01])?)?)?)$/, '');
}
