// herd answer: answers the dialog that was seen; its identity is the one given, else the one on the screen when this began.
import { Failure } from '../failure.ts';
import { plain } from '../output.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const workspace = call.workspace(call.words[0]);
  const word = call.words[1]!;
  const link = await call.link();
  let dialog = call.options.dialog as string | undefined;
  if (dialog === undefined) {
    const { question } = (await link.request('workspace.get', { workspace })).workspace.agent;
    if (!question) throw new Failure('no-question', 'The agent asks nothing now.', { hint: 'herd status shows its state.' });
    dialog = question.id;
  }
  const { answered } = await link.request('agent.answer', { workspace, answer: answerOf(word), dialog });
  if (call.json) call.out.json({ answered });
  else call.out.text(plain(`answered: ${answered}`));
};

function answerOf(word: string): 'approve' | 'reject' | number | { text: string } {
  if (word === 'approve' || word === 'reject') return word;
  return /^\d{1,3}$/.test(word) ? Number(word) : { text: word };
}
