// Texts that may come from standard input: `-` in their place.
import { usage } from './failure.ts';

/** Largest text taken, bytes: what the largest frame carries with every character escaped. */
const TEXT_MAX = 1024 * 1024;

/** `text`, or all of standard input (UTF-8) for `-`, without its last line end. */
export async function textOrInput(text: string): Promise<string> {
  if (text !== '-') return text;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > TEXT_MAX) throw usage('The text on standard input is longer than 1 MiB.', 'Write it to a file and send its path.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
