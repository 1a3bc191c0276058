// herd answer: answers the dialog that was seen; its identity is the one given, else the one on the screen when this began.
import { setTimeout as pause } from 'node:timers/promises';
import type { Question } from '../../model/agent.ts';
import type { WorkspaceRef } from '../../wire/requests.ts';
import { Failure } from '../failure.ts';
import { plain } from '../output.ts';
import type { Link, RunVerb } from '../verb.ts';

/** ms for a dialog that was announced to be drawn (measured: 0.2 s, more on a loaded machine), and between two looks. */
const DRAWN_WITHIN = 2500;
const LOOK_EVERY = 100;

export const run: RunVerb = async (call) => {
  const workspace = call.workspace(call.words[0]);
  const word = call.words[1]!;
  const link = await call.link();
  let dialog = call.options.dialog as string | undefined;
  if (dialog === undefined) {
    const question = await standing(link, workspace);
    if (!question) throw new Failure('no-question', 'The agent asks nothing now.', { hint: 'herd status shows its state.' });
    dialog = question.id;
  }
  const { answered } = await link.request('agent.answer', { workspace, answer: answerOf(word), dialog });
  if (call.json) call.out.json({ answered });
  else call.out.text(plain(`answered: ${answered}`));
};

/** What it asks now. An agent says that it asks a moment before its dialog is drawn: that moment is waited for. */
async function standing(link: Link, workspace: WorkspaceRef): Promise<Question | null> {
  for (const until = Date.now() + DRAWN_WITHIN; ; ) {
    const { state, question } = (await link.request('workspace.get', { workspace })).workspace.agent;
    const drawn = question !== null && (question.options.length > 0 || !question.id.startsWith('report:'));
    if (state !== 'blocked' || drawn || Date.now() > until) return question;
    await pause(LOOK_EVERY);
  }
}

function answerOf(word: string): 'approve' | 'reject' | number | { text: string } {
  if (word === 'approve' || word === 'reject') return word;
  return /^\d{1,3}$/.test(word) ? Number(word) : { text: word };
}
