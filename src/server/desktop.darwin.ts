// Telling the desktop on macOS: terminal-notifier where it is installed, else the system's own by AppleScript, whose text is fixed and gets
// title and body as arguments.

const SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

/** terminal-notifier reads values that begin with these as something else. */
function plain(text: string): string {
  return /^[-[({"\\]/.test(text) ? ` ${text}` : text;
}

/** Command lines to try, the best first. */
export function desktopPrograms(title: string, body: string): string[][] {
  return [
    ['terminal-notifier', '-title', plain(title), '-message', plain(body), '-group', 'herd'],
    ['osascript', ...SCRIPT.flatMap((line) => ['-e', line]), '--', title, body],
  ];
}
