// Runs the person's editor on a file, the tty being its own meanwhile.
import { spawn } from 'node:child_process';

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
