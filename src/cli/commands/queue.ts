// herd queue: prompts that wait for a workspace's agent: list, edit, drop, move, retry.
import type { Prompt } from '../../model/review/comment.ts';
import { usage } from '../failure.ts';
import { age, columns, plain } from '../output.ts';
import { receiptLine } from '../receipt.ts';
import { textOrInput } from '../standard-input.ts';
import { idNumber } from '../values.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const [word, action = 'list', id, more] = call.words;
  const workspace = call.workspace(word);
  const prompt = action === 'list' ? 0 : idNumber(id, 'prompt');
  const link = await call.link();
  const print = (prompts: Prompt[]) => (call.json ? call.out.json({ prompts }) : call.out.text(columns(prompts.map(promptRow)) || 'none'));
  switch (action) {
    case 'list':
      return print((await link.request('prompt.list', { workspace })).prompts);
    case 'edit':
      if (more === undefined) throw usage('herd queue WS edit needs the new text.');
      return print([(await link.request('prompt.edit', { prompt, text: await textOrInput(more) })).prompt]);
    case 'drop':
      return print([(await link.request('prompt.drop', { prompt })).prompt]);
    case 'move':
      return print((await link.request('prompt.move', { prompt, before: more === undefined ? null : idNumber(more, 'prompt') })).prompts);
    case 'retry': {
      const { receipt } = await link.request('prompt.retry', { prompt });
      if (call.json) call.out.json({ receipt });
      else call.out.text(receiptLine(receipt));
      return receipt.outcome === 'accepted' || receipt.outcome === 'queued' ? 0 : 1;
    }
    default:
      throw usage(`herd queue has no "${action}".`, 'It has: list, edit, drop, move, retry.');
  }
};

function promptRow(prompt: Prompt): string[] {
  const first = plain(prompt.text).split('\n')[0]!;
  const state = prompt.state === 'queued' && prompt.afterTurn !== undefined ? 'queued after the turn' : prompt.state;
  return [String(prompt.id), state, age(Date.now() - prompt.created), first.length > 80 ? `${first.slice(0, 79)}…` : first];
}
