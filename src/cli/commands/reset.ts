// herd reset: undoes what a client that died may have left on in this terminal. Speaks to no server; writes whole sequences only.
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const { RESET_SEQUENCE } = await import('../../tui/tty-modes.ts');
  if (process.stdout.isTTY) process.stdout.write(`${RESET_SEQUENCE}\r`);
  if (process.stdin.isTTY) await sane();
  if (call.json) call.out.json({});
};

/** The line discipline back to what a shell expects. */
async function sane(): Promise<void> {
  const { spawn } = await import('node:child_process');
  await new Promise<void>((done) => {
    const stty = spawn('stty', ['sane'], { stdio: ['inherit', 'ignore', 'ignore'] });
    stty.on('error', () => done());
    stty.on('exit', () => done());
  });
}
