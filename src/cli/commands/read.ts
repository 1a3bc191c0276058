// herd read: the screen of a workspace's terminal as text.
import { idNumber, whole } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const terminal = call.options.terminal === undefined ? undefined : idNumber(call.options.terminal as string, 'terminal');
  const link = await call.link();
  const read = await link.request('terminal.read', {
    workspace: terminal === undefined ? call.workspace(call.words[0]) : undefined,
    terminal,
    lines: whole(call.options.lines, 'lines'),
    ansi: call.options.ansi === true || undefined,
  });
  if (call.json) call.out.json(read);
  else if (call.options.ansi === true) call.out.drawn(read.text);
  else call.out.text(read.text);
};
