// Text from outside (titles, file names, branches, messages of programs) made fit to show: one line, no controls, bounded.
// What comes out never holds C0, DEL, C1 or bidi overrides, so it cannot move a cursor, end a sequence or reorder its surroundings.

/** Code points kept by default; longer than any row it is shown in. */
const MAX_LENGTH = 512;

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `text` as one safe line of at most `max` UTF-16 units: line breaks and tabs become a space, other controls go, ends are trimmed. */
export function clean(text: string, max = MAX_LENGTH): string {
  // Cutting before cleaning bounds the work on hostile input; four times is room for what cleaning removes.
  const safe = text
    .slice(0, max * 4)
    .replace(BREAKS, ' ')
    .replace(UNSAFE, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .trim();
  return safe.length <= max ? safe : `${cut(safe, max - 1)}…`;
}

/** The first `length` UTF-16 units, without half a surrogate pair at the end. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
