// Telling the desktop on Linux: libnotify's program.

/** Bodies are markup there: what looks like it is text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Command lines to try, the best first. */
export function desktopPrograms(title: string, body: string): string[][] {
  return [['notify-send', '--app-name=herd', '--', title, escaped(body)]];
}
