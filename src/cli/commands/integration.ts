// herd integration install, uninstall: herd's hooks in an agent's own configuration. Shows the change and asks before it writes; a file that
// is not what it expects is left alone.
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { confirm } from '../confirm.ts';
import { Failure, usage } from '../failure.ts';
import { changedLines, INTEGRATIONS, planIntegration } from '../integrations.ts';
import { plain } from '../output.ts';
import type { Call, RunVerb } from '../verb.ts';

export const install: RunVerb = (call) => change(call, false);
export const uninstall: RunVerb = (call) => change(call, true);

async function change(call: Call, remove: boolean): Promise<number> {
  const kind = call.words[0]!;
  const known = INTEGRATIONS[kind];
  if (!known) throw usage(`herd has no hooks for "${plain(kind)}".`, `It has some for: ${Object.keys(INTEGRATIONS).join(', ')}.`);
  if (!call.env.HOME) throw new Failure('no-folder', 'HOME is not set.');
  const file = join(call.env.HOME, known.file);
  const current = read(file);
  const plan = planIntegration(kind, current, remove);
  if ('refused' in plan) throw new Failure('not-ours', `${file} is left as it is: ${plan.refused}.`);
  if ('unchanged' in plan) {
    if (call.json) call.out.json({ file, changed: false });
    else call.out.text(`${file}: ${plan.unchanged}`);
    return 0;
  }
  const lines = changedLines(current ?? '', plan.text ?? '');
  call.out.note([plan.text === null ? `${file} (removed)` : file, ...lines.map((line) => plain(line))].join('\n'));
  if (call.options.yes !== true && !(await confirm(remove ? 'Take this away?' : 'Write this?'))) {
    throw new Failure('not-confirmed', 'Nothing was changed.', { hint: 'Answer y, or give --yes.' });
  }
  write(file, plan.text);
  if (call.json) call.out.json({ file, changed: true });
  else call.out.text(remove ? `${file}: taken away` : [`${file}: written`, ...(known.note ? [known.note] : [])].join('\n'));
  return 0;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Failure('cannot-read', `Cannot read ${file}: ${code}.`, { cause: error });
  }
}

/** By a new file beside it, so that it is never seen half written; through a link into the file that it names. */
function write(file: string, text: string | null): void {
  try {
    if (text === null) return rmSync(file);
    mkdirSync(dirname(file), { recursive: true });
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return writeFileSync(file, text);
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
    writeFileSync(`${file}.herd-new`, text, { mode });
    renameSync(`${file}.herd-new`, file);
  } catch (error) {
    throw new Failure('cannot-write', `Cannot write ${file}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
}
