// A prompt as bytes for an agent's terminal: cleaned, and inside one bracketed paste. Nothing in it can end the paste or press a key.

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** Longest prompt, in UTF-16 units: what agents were seen to take, and what a person can still have meant. */
export const PROMPT_MAX = 1 << 20;

/**
 * The text that will really arrive: line ends as \n, no control characters but tab and newline (ESC, C0, DEL, C1: an embedded end of paste
 * loses its introducer and stays as harmless text), no halves of surrogate pairs, no blank lines at either end.
 */
export function cleanPrompt(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .toWellFormed()
    .replace(/^\n+|\s+$/g, '');
}

/** One write that pastes `clean` into a program that has bracketed paste on. */
export function pasteBytes(clean: string): Uint8Array {
  return new TextEncoder().encode(PASTE_START + clean + PASTE_END);
}

/** The declared way without bracketed paste: line feeds inside, which known agents take as line breaks; CR comes on its own later. */
export function typedBytes(clean: string): Uint8Array {
  return new TextEncoder().encode(clean);
}

/** Enter, alone. */
export const ENTER: Uint8Array = Uint8Array.of(0x0d);

/** Escape, alone. `kittyFlags` as the program set them: with the first it reads the key's own sequence (kitty keyboard protocol). */
export function escapeBytes(kittyFlags: number): Uint8Array {
  return new TextEncoder().encode(kittyFlags & 1 ? '\x1b[27u' : '\x1b');
}
