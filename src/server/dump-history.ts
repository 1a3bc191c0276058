// All text of a terminal in one file, for an editor or a pager: earlier screens, history, live rows. Written a block at a time; only its
// owner can read it.
import { open, rename } from 'node:fs/promises';
import { CUT } from '../terminal/history.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Result, TextPoint } from '../wire/requests.ts';
import type { TerminalText } from './find-in-screen.ts';

/**
 * Replaces the file at `path`, which is whole or the one before. With `ansi` colours are kept as SGR. `line` is the file's line with the
 * place `at`, the last one without a place or when its text is gone.
 */
export async function dumpHistory(screen: TerminalText, path: string, ansi: boolean, at?: TextPoint): Promise<Result<'terminal.dump'>> {
  const { text, screens } = screen.lineRanges();
  const file = await open(`${path}.new`, 'w', 0o600);
  let [lines, bytes, fileLine] = [0, 0, 0];
  let found: number | null = null;
  try {
    for (const [from, to] of [screens, text]) {
      if (to <= from) continue;
      for await (const run of screen.scanLines(from)) {
        const shown = run.lines.map((line, i) => {
          const end = line.startsWith(CUT) || lines + i === 0 ? '' : '\n';
          if (end !== '' || fileLine === 0) fileLine++;
          if (run.first + i === at?.line) found = fileLine;
          return end + (ansi ? line.replace(CUT, '') : plainText(line));
        });
        lines += run.lines.length;
        bytes += (await file.write(shown.join(''))).bytesWritten;
      }
    }
    bytes += (await file.write('\n')).bytesWritten;
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return { path, lines, bytes, line: found ?? fileLine };
}
