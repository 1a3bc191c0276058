// A yes-or-no question on the terminal.
import { plain } from './output.ts';

/** True for an answer that begins with y; anything else, and the end of input, is no. */
export async function confirm(question: string): Promise<boolean> {
  const lines = process.getBuiltinModule('node:readline/promises').createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y/i.test((await lines.question(plain(`${question} [y/N] `))).trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
