// herd reset: undoes what a client that died may have left on in this terminal. Speaks to no server; writes whole sequences only.
import type { RunVerb } from '../verb.ts';

/** In the order a client would leave: keyboard modes, mouse, paste, focus, synchronized output, screen, colours, cursor. */
const SEQUENCES = [
  '\x1b[<99u', // pops every kitty keyboard entry
  '\x1b[>4m', // modifyOtherKeys off
  '\x1b[?1000;1002;1003;1005;1006;1015;1016l',
  '\x1b[?2004;1004;2031;2026l',
  '\x1b[?1049l',
  '\x1b[?7h\x1b[?6l\x1b[4l\x1b[r',
  '\x1b(B\x1b[m',
  '\x1b]8;;\x1b\\',
  '\x1b[0 q\x1b[?25h',
  '\x1b[?1l\x1b>',
];

export const run: RunVerb = async (call) => {
  if (process.stdout.isTTY) process.stdout.write(`${SEQUENCES.join('')}\r`);
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
