// What is done with each agent through herd, in order; every step says what must be seen, and throws what was seen instead.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

export interface AgentStep {
  name: string;
  run(stage: Stage): Promise<void>;
}

const SHORT = 'The parser splits a line on commas and returns an array of fields.';
const LONG = Array.from({ length: 18 }, (_, i) => `${i + 1}. Read the input line, split it, and keep the fields that are not empty.`).join(
  '\n',
);
/** Another agent's dialog, quoted in an answer. */
const QUOTED =
  'It showed this:\n\n```\nDo you want to proceed?\n❯ 1. Yes\n  2. No, and tell Claude what to do differently (esc)\n\nEsc to cancel · Tab to amend\n```\n\nThat is all.';

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Sends a prompt that begins a turn; the receipt must say that it was accepted and the model must get it whole. */
async function prompt(stage: Stage, text: string): Promise<number> {
  const from = stage.model.events.length;
  const said = await stage.herd('send', stage.name, text, '--json');
  must(said.code === 0, `send: ${said.err.trim() || said.out.trim()}\n${await stage.screen()}`);
  await stage.modelEvent(from, (e) => e.event === 'request' && e.main);
  const got = JSON.stringify(stage.model.requests.at(-1));
  for (const line of text.split('\n')) must(got.includes(JSON.stringify(line).slice(1, -1)), `the model did not get the line ${line}`);
  return from;
}

/** After an interrupt some agents put the old prompt back into the box, some a second later: a draft, which is never merged. A person clears it. */
async function promptOverDraft(stage: Stage, text: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await prompt(stage, text);
      return;
    } catch (error) {
      if (tries === 5 || !/a draft stands in its input box/.test((error as Error).message)) throw error;
      await stage.press(...(stage.setup.kind === 'qwen' ? ['escape', 'escape'] : ['ctrl+u']));
    }
  }
}

/** Ends the agent as a person does. */
async function leave(stage: Stage): Promise<void> {
  for (let i = 0; i < 4; i++) {
    if ((await stage.status()).state === 'exited') break;
    // Some end at the first.
    await stage.press('ctrl+c', 'ctrl+c').catch(async (error: Error) => {
      if ((await stage.status()).state !== 'exited') throw error;
    });
    await new Promise((r) => setTimeout(r, 2500));
  }
  await stage.until(['exited'], 10_000);
}

const conversation = async (stage: Stage): Promise<string | null> =>
  (JSON.parse((await stage.herd('status', stage.name, '--json')).out) as { conversation: string | null }).conversation;

const worktree = (stage: Stage, file: string): string => join(stage.model.folder, file);

export const STEPS: AgentStep[] = [
  {
    name: 'start and first prompt',
    async run(stage) {
      stage.model.steps.push({ delay: 1500, text: SHORT });
      const args = stage.setup.args ? ['--', stage.setup.bin.split('/').at(-1)!, ...stage.setup.args] : [];
      const said = await stage.herd('new', stage.name, '--agent', stage.setup.kind, '--prompt', 'explain the parser module', ...args);
      must(said.code === 0, `new: ${said.err.trim()}`);
      await stage.modelEvent(0, (e) => e.event === 'request' && e.main, stage.setup.startLimit ?? 45_000);
      must(JSON.stringify(stage.model.requests[0]).includes('explain the parser module'), 'the first prompt did not arrive whole');
      await stage.until(['done', 'idle']);
    },
  },
  {
    name: 'prompt of three lines',
    async run(stage) {
      stage.model.steps.push({ delay: 800, text: SHORT });
      await prompt(stage, 'first line: what does it return\nsecond line: be brief\nthird line: no code');
      await stage.until(['done', 'idle']);
    },
  },
  {
    name: 'long turn',
    async run(stage) {
      stage.model.steps.push({ delay: 3000, text: LONG, speed: 150 });
      const from = await prompt(stage, 'describe every step in detail');
      await stage.until(['working'], 5000);
      await stage.modelEvent(from, (e) => e.event === 'response' && e.main && e.kind === 'text', 60_000);
      await stage.until(['done', 'idle'], 10_000);
    },
  },
  {
    name: 'refused while it works',
    async run(stage) {
      stage.model.steps.push({ delay: 6000, text: SHORT });
      await prompt(stage, 'think about it for a while');
      await stage.until(['working'], 5000);
      const said = await stage.herd('send', stage.name, 'this must not arrive', '--json');
      must(said.code === 1, 'a prompt to a working agent without --queue must exit 1');
      await stage.until(['done', 'idle'], 20_000);
      must(!JSON.stringify(stage.model.requests).includes('this must not arrive'), 'the refused prompt reached the model');
    },
  },
  {
    name: 'approval answered from outside',
    async run(stage) {
      stage.model.steps.push(
        {
          delay: 700,
          text: 'I will run a command.',
          tools: [{ kind: 'shell', command: 'sh scripts/check.sh', escalate: true, why: 'Run the checks' }],
        },
        { delay: 800, text: 'All is good.' },
      );
      await prompt(stage, 'run the checks');
      const status = await stage.until(['blocked'], 30_000, (s) => s.question !== null);
      const refused = await stage.herd('send', stage.name, 'not into the dialog', '--json');
      must(refused.code === 1, 'a prompt to a blocked agent must be refused');
      const said = await stage.herd('answer', stage.name, 'approve', '--dialog', status.question!.id);
      must(said.code === 0, `answer: ${said.err.trim()}`);
      await stage.until(['done', 'idle'], 40_000);
      must(existsSync(worktree(stage, 'checked.txt')), 'the approved command did not run');
    },
  },
  {
    name: 'rejection',
    async run(stage) {
      const before = existsSync(worktree(stage, 'checked.txt')) ? readFileSync(worktree(stage, 'checked.txt'), 'utf8') : '';
      stage.model.steps.push(
        {
          delay: 700,
          text: 'I will run a command.',
          tools: [{ kind: 'shell', command: 'sh scripts/check.sh again', escalate: true, why: 'Run the checks' }],
        },
        { delay: 500, text: 'Understood.' },
      );
      await prompt(stage, 'run the checks once more');
      await stage.until(['blocked'], 30_000);
      const said = await stage.herd('answer', stage.name, 'reject');
      must(said.code === 0, `answer: ${said.err.trim()}`);
      // Some end the turn, some tell the model and go on, some take seconds to abort: it rests when it rests for a while.
      await stage.until(['done', 'idle'], 30_000, (s) => Date.now() - s.since > 2000);
      must(
        (existsSync(worktree(stage, 'checked.txt')) ? readFileSync(worktree(stage, 'checked.txt'), 'utf8') : '') === before,
        'the rejected command ran',
      );
      stage.model.steps.length = 0;
    },
  },
  {
    name: 'question answered by option',
    async run(stage) {
      const from = stage.model.events.length;
      stage.model.steps.push(
        {
          delay: 700,
          text: 'One question first.',
          tools: [{ kind: 'ask', question: 'Which output format should the parser use?', options: ['JSON', 'CSV'] }],
        },
        { delay: 700, text: 'Thanks, I will do that.' },
      );
      await prompt(stage, 'add an output format');
      await stage.modelEvent(from, (e) => e.event === 'response' && e.main);
      must(!stage.model.events.slice(from).some((e) => e.event === 'no-tool'), 'skipped: this agent offers no question tool here');
      const status = await stage.until(['blocked'], 30_000, (s) => s.question !== null);
      must(/format/i.test(status.question!.text), `the question is not told: ${status.question!.text}`);
      const said = await stage.herd('answer', stage.name, '1');
      must(said.code === 0, `answer: ${said.err.trim()}`);
      await stage.until(['done', 'idle'], 40_000);
    },
  },
  {
    name: 'interrupt',
    async run(stage) {
      stage.model.steps.push({ delay: 500, text: LONG, speed: 40 });
      const from = await prompt(stage, 'describe it all again, slowly');
      await stage.until(['working'], 8000);
      await new Promise((r) => setTimeout(r, 2500));
      const esc = ['opencode', 'kilo', 'copilot'].includes(stage.setup.kind) ? ['escape', 'escape'] : ['escape'];
      await stage.press(...esc);
      await stage.modelEvent(from, (e) => e.event === 'aborted' && e.main, 10_000);
      await stage.until(['done', 'idle'], 15_000);
    },
  },
  {
    name: 'API error and retry',
    async run(stage) {
      stage.model.steps.push({ error: 429, delay: 300, headers: { 'retry-after': '2' } }, { delay: 800, text: SHORT });
      const from = stage.model.events.length;
      await promptOverDraft(stage, 'explain it once more');
      await stage.modelEvent(from, (e) => e.event === 'response' && e.kind === 'error');
      await stage.until(['done', 'idle'], 90_000);
      stage.model.steps.length = 0;
    },
  },
  {
    name: 'transcript that quotes a dialog',
    async run(stage) {
      stage.model.steps.push({ delay: 800, text: QUOTED, speed: 200 });
      const from = await prompt(stage, 'show me what the other agent asked');
      await stage.modelEvent(from, (e) => e.event === 'response' && e.main && e.kind === 'text');
      const status = await stage.until(['done', 'idle'], 10_000);
      must(status.question === null, 'a quoted dialog is shown as a question');
      await new Promise((r) => setTimeout(r, 2000));
      must((await stage.status()).state !== 'blocked', 'a quoted dialog is shown as blocked');
    },
  },
  {
    name: 'exit',
    async run(stage) {
      await leave(stage);
      const said = await stage.herd('send', stage.name, 'nobody is there', '--json');
      must(said.code === 1, 'a prompt to an exited agent must be refused');
    },
  },
  {
    name: 'resume of the session',
    async run(stage) {
      must((await conversation(stage)) !== null, 'skipped: it says no id as it ends');
      const said = await stage.herd('resume', stage.name);
      must(said.code === 0, `resume: ${said.err.trim()}`);
      await stage.until(['idle', 'done'], stage.setup.startLimit ?? 45_000);
      stage.model.steps.push({ delay: 500, text: SHORT });
      await prompt(stage, 'and what did I ask first');
      must(JSON.stringify(stage.model.requests.at(-1)).includes('explain the parser module'), 'the conversation did not go on');
      await stage.until(['done', 'idle'], 30_000);
    },
  },
  {
    name: 'hook tells the conversation',
    async run(stage) {
      const installed = await stage.herd('integration', 'install', stage.setup.kind, '--yes');
      must(installed.code === 0, `skipped: ${installed.err.trim()}`);
      await leave(stage);
      const before = await conversation(stage);
      const said = await stage.herd('resume', stage.name, '--fresh');
      must(said.code === 0, `resume: ${said.err.trim()}`);
      const up = await stage.until(['idle', 'blocked'], stage.setup.startLimit ?? 45_000, (s) => s.state === 'idle' || s.question !== null);
      if (up.state === 'blocked') {
        const trust = up.question!.options.findIndex(({ label }) => /trust all/i.test(label));
        await stage.herd('answer', stage.name, String(trust + 1));
        await stage.until(['idle'], 30_000);
      }
      // Some begin a conversation with its first prompt.
      stage.model.steps.push({ delay: 500, text: SHORT });
      await prompt(stage, 'say hello to the hook');
      await stage.until(['done', 'idle'], 60_000);
      const now = await conversation(stage);
      must(now !== null && now !== before, `no new id was told: ${now}`);
    },
  },
  {
    name: 'resume by the id of the hook',
    async run(stage) {
      must(JSON.stringify(stage.model.requests.at(-1)).includes('say hello to the hook'), 'skipped: no hook told an id');
      await leave(stage);
      const said = await stage.herd('resume', stage.name);
      must(said.code === 0, `resume: ${said.err.trim()}`);
      await stage.until(['idle', 'done'], stage.setup.startLimit ?? 45_000);
      stage.model.steps.push({ delay: 500, text: SHORT });
      await prompt(stage, 'and what did I say first');
      must(JSON.stringify(stage.model.requests.at(-1)).includes('say hello to the hook'), 'the conversation did not go on');
      await stage.until(['done', 'idle'], 30_000);
    },
  },
];
