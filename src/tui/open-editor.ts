// Runs the person's editor on a file, the tty being its own meanwhile.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a shell ends with when it cannot start a command. */
const NOT_STARTED = [126, 127];

/** Why there is no edited text: the editor could not be started, or it failed. `text` is one clause for the person. */
export interface EditorFault {
  why: 'not-started' | 'failed';
  text: string;
}

/**
 * Resolves when the editor has ended: null, or what went wrong. `line` is 1-based. VISUAL or EDITOR is a command line for the
 * shell, as git takes it: with options, and quotes around blanks.
 */
export function runEditor(env: Readonly<Record<string, string>>, path: string, line: number | null): Promise<EditorFault | null> {
  const command = env.VISUAL || env.EDITOR || 'vi';
  const words = [...(line === null ? [] : [`+${line}`]), path];
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, command, ...words], { stdio: 'inherit' });
    child.once('error', (error) => resolve({ why: 'failed', text: `a shell could not be started: ${error.message}` }));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(null);
      else if (code !== null && NOT_STARTED.includes(code)) resolve({ why: 'not-started', text: `${command} could not be started` });
      else resolve({ why: 'failed', text: `${command} ended ${code === null ? `by ${signal}` : `with code ${code}`}` });
    });
  });
}

/**
 * Lets the person go on with a text in their editor; the text then, or why it stays as it was. An editor that says it failed (`:cq`) means
 * just that.
 */
export async function editText(env: Readonly<Record<string, string>>, text: string): Promise<{ text: string } | { fault: EditorFault }> {
  const folder = await mkdtemp(join(tmpdir(), 'herd-text-'));
  const path = join(folder, 'comment.md');
  try {
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    const fault = await runEditor(env, path, null);
    if (fault !== null) return { fault };
    const left = await readFile(path, 'utf8').catch(() => null);
    return left === null
      ? { fault: { why: 'failed', text: 'the editor left no file' } }
      : { text: left.replace(/\r\n?/g, '\n').replace(/\n+$/, '') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
