// herd classify: replays a recording through the screen and the agent rules; one line per change of state.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withOwnKinds } from '../../agents/kinds/own-kinds.ts';
import { loadConfig } from '../../config/load.ts';
import type { AgentStatus } from '../../model/agent.ts';
import { CastError, readCast, replayCast } from '../cast-replay.ts';
import { Failure } from '../failure.ts';
import { plain } from '../output.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const id = call.options.agent as string | undefined;
  const { kinds } = withOwnKinds(loadConfig(call.paths.config).config['agents.kinds']);
  const known = kinds.get(id ?? 'generic');
  // As in a pane: a command that herd has no rules for is judged by what it reports, its dialogs' form and its motion.
  if (!known)
    call.out.note(`herd has no rules for "${plain(id!)}" and takes it for any command. It knows: ${[...kinds.keys()].join(', ')}.`);
  const kind = known ?? kinds.get('generic')!;
  const path = resolve(call.cwd, call.words[0]!);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'it cannot be read';
    throw new Failure('no-recording', `${path}: ${why}.`, { hint: 'Give the path of an asciicast v2 recording.', cause: error });
  }
  try {
    await replayCast(readCast(text), kind, (at, status) => {
      if (call.json) call.out.ndjson(change(at, status));
      else call.out.text(forPeople(at, status));
    });
  } catch (error) {
    if (error instanceof CastError) throw new Failure('bad-recording', `${path}:${error.line}: ${error.message}.`, { cause: error });
    throw error;
  }
};

/** `t` in seconds of the recording. */
function change(at: number, status: AgentStatus) {
  const top = status.evidence[0];
  return {
    t: Math.round(at * 1000) / 1000,
    state: status.state,
    source: top?.source ?? 'start',
    rule: top?.rule ?? '',
    why: status.why,
    turn: status.turn,
    ...(status.question ? { question: status.question } : {}),
    ...(Object.keys(status.marks).length > 0 ? { marks: status.marks } : {}),
  };
}

function forPeople(at: number, status: AgentStatus): string {
  const top = status.evidence[0];
  const asks = status.question ? `\n${' '.repeat(19)}asks: ${status.question.text}` : '';
  return plain(`${at.toFixed(2).padStart(8)}  ${status.state.padEnd(8)} ${status.why} (${top?.source}: ${top?.rule})${asks}`);
}
