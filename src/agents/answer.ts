// What to press to answer a dialog, bound to the dialog that was seen. Pure; sends nothing.
import type { Question } from '../model/agent.ts';
import type { Kind } from './kinds/kind.ts';

export type Answer = 'approve' | 'reject' | number | { text: string };

/** Keys by name (`ctrl+c`, `down`, `y`) and text, in order; each step is one write. `label`: what is being answered, for the log. */
export type AnswerPlan = { steps: ({ keys: string[] } | { text: string })[]; label: string } | { refused: string };

const YES = /^\W*(yes|allow|approve|accept|proceed|run|trust|continue|ok|confirm|open)\b/iu;
/** Grants for more than this once. */
const MORE = /\b(always|don.t ask|all|session|future|auto|remember|every|project|user|switch)\b/iu;
const NO = /^\W*(no|deny|reject|decline|cancel|don.t|exit|quit|skip)\b/iu;
const FREE = /\b(type|other|custom|own answer|something|else|different)\b/iu;

/**
 * The plan for answering `question`, which is what stands on the screen now. With `dialog` (the id that the person saw) a dialog that has
 * changed is refused. Numbers count options from 1.
 */
export function planAnswer(kind: Kind, question: Question | null, answer: Answer, dialog?: string): AnswerPlan {
  if (!question) return { refused: 'no dialog waits for an answer' };
  if (dialog !== undefined && dialog !== question.id) return { refused: `the dialog has changed: ${question.text}` };
  if (typeof answer === 'object') return typed(question, answer.text);
  if (typeof answer === 'number') {
    const option = question.options[answer - 1];
    if (!option) return { refused: `the dialog has ${question.options.length} options` };
    return { steps: [{ keys: option.keys }], label: option.label };
  }
  return answer === 'approve' ? approve(kind, question) : reject(kind, question);
}

/** The option that says yes and no more than that. */
function approve(kind: Kind, question: Question): AnswerPlan {
  const yes = question.options.filter((option) => YES.test(labelOf(option.label)));
  const once = yes.find((option) => !MORE.test(option.label)) ?? (yes.length === 1 ? yes[0] : undefined);
  if (once) return { steps: [{ keys: once.keys }], label: once.label };
  if (kind.keys.approve.length > 0 && question.kind === 'permission') return { steps: [{ keys: kind.keys.approve }], label: 'approve' };
  return { refused: 'the dialog has no option that just approves: pick one by its number' };
}

function reject(kind: Kind, question: Question): AnswerPlan {
  const no = question.options.find((option) => NO.test(labelOf(option.label)));
  // One key that is known to reject beats a walk to the option, whose pointer some agents show by colours alone.
  const far = no !== undefined && no.keys.length > 1 && question.kind === 'permission' && kind.keys.reject.length > 0;
  if (no) return { steps: [{ keys: far ? kind.keys.reject : no.keys }], label: no.label };
  if (kind.keys.reject.length > 0) return { steps: [{ keys: kind.keys.reject }], label: kind.keys.reject.join(' ') };
  return { refused: 'the dialog has no option that rejects: pick one by its number' };
}

/** Text goes into a field, or behind the option that opens one. */
function typed(question: Question, text: string): AnswerPlan {
  const line = text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').trim();
  if (line === '') return { refused: 'there is nothing to type' };
  if (question.options.length === 0) return { steps: [{ text: line }, { keys: ['enter'] }], label: line };
  const free = question.options.find((option) => FREE.test(option.label));
  if (!free) return { refused: 'the dialog takes no text: pick an option by its number' };
  const moves = free.keys.filter((key) => key === 'down' || key === 'up');
  return { steps: [{ keys: moves }, { text: line }, { keys: ['enter'] }], label: line };
}

/** `[y] Approve` without its key. */
function labelOf(label: string): string {
  return label.replace(/^[[(]\w+[\])]\s*/u, '');
}
