// Presses the keys that answer a dialog, one at a time, looking after each: the pointer must have moved before the next, and stand on the
// option that was meant before enter. When the dialog changes on the way nothing more is pressed.
import type { AnswerPlan } from '../agents/answer.ts';
import type { Question } from '../model/agent.ts';
import { typedKeys } from './key-names.ts';
import { Refusal } from './refusal.ts';
import type { AgentWatch } from './state/agent-watch.ts';
import type { LiveTerminal } from './state/terminals.ts';
import type { TerminalHost } from './terminal-host.ts';

/** ms in which a pointer moves and a typed text is shown: agents on a loaded machine took up to 1 s. */
const MOVES_WITHIN = 3000;
/** ms in which an answered dialog leaves the screen: agents on a machine with five times its load took 6 s. */
const LEAVES_WITHIN = 10_000;
/** ms that a typed text stands before enter, as for prompts. */
const SETTLE = 300;
/** ms between looks. */
const LOOK_EVERY = 40;

const ARROWS: Record<string, number> = { up: -1, left: -1, down: 1, right: 1 };

export interface AnswerRun {
  host: TerminalHost;
  terminal: LiveTerminal;
  watch: AgentWatch;
  /** The dialog that is answered, as it stood when the plan was made. */
  question: Question;
  now(): number;
}

type Steps = Extract<AnswerPlan, { steps: unknown }>['steps'];

/** Throws Refusal: 'changed', 'not-in-front', 'busy', 'not-taken', each saying whether something was pressed. */
export async function runAnswer(run: AnswerRun, steps: Steps): Promise<void> {
  const lease = run.terminal.lease.take();
  if (!lease) throw new Refusal('busy', 'A prompt is being delivered to it: nothing was sent.', 'Try again in a moment.');
  const seq = run.watch.lastSeq;
  const gone = () => standing(run)?.id !== run.question.id || run.watch.lastSeq !== seq;
  try {
    for (const step of steps) {
      if ('keys' in step) for (const key of step.keys) await press(run, key);
      else await type(run, step.text);
    }
    if (await holdsWithin(run, gone, LEAVES_WITHIN)) {
      for (const key of run.watch.finish()) await pressBare(run, key);
      return;
    }
  } finally {
    lease.release();
  }
  throw new Refusal('not-taken', 'The keys were pressed, but the dialog still stands.', 'herd read shows the screen.');
}

/**
 * What is to be answered: the dialog as it stands now, should it have changed since the last judgement. One that has been told of and is not
 * drawn yet is waited for, as long as its tracker does before it takes the telling for the question. Null: nothing is asked.
 */
export async function standingQuestion(watch: AgentWatch): Promise<Question | null> {
  if (watch.drawing) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unlisten = watch.listen(() => !watch.drawing && resolve());
    await Promise.race([promise, new Promise((done) => setTimeout(done, MOVES_WITHIN))]);
    unlisten();
  }
  return watch.status.question && (watch.asks() ?? watch.status.question);
}

/** The dialog on the screen now; for one that is only reported, the report. */
function standing({ watch }: AnswerRun): Question | null {
  return watch.asks() ?? watch.status.question;
}

async function press(run: AnswerRun, key: string): Promise<void> {
  same(run);
  const by = ARROWS[key];
  const before = pointed(run);
  await pressBare(run, key);
  if (by === undefined || before < 0) return;
  if (await holdsWithin(run, () => pointed(run) === before + by, MOVES_WITHIN)) return;
  throw new Refusal('not-taken', 'The choice in the dialog did not move: nothing was confirmed.', 'herd read shows the screen.');
}

async function pressBare(run: AnswerRun, key: string): Promise<void> {
  for (const bytes of typedKeys(run.terminal.screen, [key])) await write(run, bytes, key === 'enter');
}

async function type(run: AnswerRun, text: string): Promise<void> {
  same(run);
  await write(run, Buffer.from(text), false);
  // What is typed may change the dialog's own words; that it stands is looked at before enter.
  await new Promise((done) => setTimeout(done, SETTLE));
}

function pointed(run: AnswerRun): number {
  return standing(run)?.options.findIndex((option) => option.selected) ?? -1;
}

function same(run: AnswerRun): void {
  const { question } = run;
  const now = standing(run);
  if (now && (now.id === question.id || now.text === question.text)) return;
  throw new Refusal(
    'changed',
    now ? 'The dialog changed while it was answered: nothing more was sent.' : 'The dialog is gone: nothing more was sent.',
    'herd status shows what it asks now.',
    now ? { question: now } : undefined,
  );
}

/** Only while the agent's own process group is in front: what follows a dialog may be a shell. */
async function write({ host, terminal, watch }: AnswerRun, bytes: Uint8Array, submit: boolean): Promise<void> {
  if (await host.writeIfForeground(terminal.id, terminal.pid, bytes)) return watch.fact({ fact: 'input', by: 'person', submit });
  throw new Refusal('not-in-front', 'Another program is in front of the agent: nothing was sent.');
}

async function holdsWithin(run: AnswerRun, holds: () => boolean, ms: number): Promise<boolean> {
  for (const until = run.now() + ms; run.now() < until; ) {
    if (holds()) return true;
    await new Promise((done) => setTimeout(done, LOOK_EVERY));
  }
  return holds();
}
