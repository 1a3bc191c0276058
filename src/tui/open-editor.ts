// Runs the person's editor on a file, the tty being its own meanwhile.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Resolves when the editor has ended: null, or the name of a program that could not be started. `line` is 1-based. */
export function runEditor(env: Readonly<Record<string, string>>, path: string, line: number | null): Promise<string | null> {
  const words = (env.VISUAL || env.EDITOR || 'vi').split(' ').filter((word) => word !== '');
  const [program = 'vi', ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, ...(line === null ? [] : [`+${line}`]), path], { stdio: 'inherit' });
    child.once('error', () => resolve(program));
    child.once('exit', () => resolve(null));
  });
}

/** Lets the person go on with a text in their editor; the text then, or the name of a program that could not be started. */
export async function editText(env: Readonly<Record<string, string>>, text: string): Promise<{ text: string } | { missing: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'herd-text-'));
  const path = join(folder, 'comment.md');
  try {
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    const missing = await runEditor(env, path, null);
    return missing === null ? { text: (await readFile(path, 'utf8')).replace(/\r\n?/g, '\n').replace(/\n+$/, '') } : { missing };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
