// Copying by the desktop's own program, beside OSC 52: several terminals do not take that, or only once allowed.

/** Command lines that take the text on their input, the best first; none where the desktop is not the one of the person (SSH). */
export function copyPrograms(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[][] {
  if (env.SSH_CONNECTION || env.SSH_TTY) return [];
  if (platform === 'darwin') return [['pbcopy']];
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
    ...(env.DISPLAY
      ? [
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ]
      : []),
  ];
}

/** Gives the text to the first program that there is. Nothing is said when none takes it: OSC 52 was sent too. */
export function copyBeside([first, ...others]: readonly string[][], text: string): void {
  if (!first) return;
  const [program, ...args] = first;
  const child = process.getBuiltinModule('node:child_process').spawn(program!, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => copyBeside(others, text));
  // Its end, or that it takes nothing, is no end of ours.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  child.unref();
}
