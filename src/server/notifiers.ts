// Programs that tell the desktop or the person's own command. Always argv, never a shell: titles and bodies come from agents.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { desktopPrograms } from './desktop.ts';
import type { Channel } from './state/attention.ts';

/** ms that such a program may take. */
const PATIENCE = 10_000;

export interface NotifierOptions {
  env: NodeJS.ProcessEnv;
  desktop: boolean;
  /** Program and arguments; empty: none. */
  command: string[];
}

/** The channels that are wanted, by name. */
export function notifiers({ env, desktop, command }: NotifierOptions): Record<string, Channel> {
  const channels: Record<string, Channel> = {};
  if (desktop) channels.desktop = (title, body) => tellDesktop(env, title, body);
  const [program, ...args] = command;
  if (program !== undefined) channels.command = (title, body) => run(program, args, { ...env, HERD_TITLE: title, HERD_BODY: body });
  return channels;
}

function tellDesktop(env: NodeJS.ProcessEnv, title: string, body: string): Promise<string | null> {
  const found = desktopPrograms(title, body).find(([program]) => onPath(program!, env));
  if (!found) return Promise.resolve('there is no program that tells the desktop');
  const [program, ...args] = found;
  return run(program!, args, env);
}

/** Null when it ended well, else why not. */
function run(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', env, timeout: PATIENCE });
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(code === 0 ? null : `${program} ended ${signal ? `by ${signal}` : `with code ${code}`}`));
  });
}

function onPath(program: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
