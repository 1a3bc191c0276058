// Turns the outputs of a batch into rows, and rows that need a decision into tasks of their own. Both are tasks in the same queue: a death
// in the middle loses neither, and a row read twice is one row.
import { createHash } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.ts';
import type { Goal, TaskRow } from '../ledger/rows.ts';
import { fillTemplate } from '../plan/expand.ts';
import type { Queue } from '../queue/queue.ts';
import { attemptFiles, eachLine, tailOf } from '../runner/attempt-files.ts';
import { HEADLESS, OutputReader } from '../runner/headless.ts';
import type { FollowupRules, ReduceRules, Stage, TaskSpec } from '../task.ts';
import { readRows } from './rows.ts';

/** Characters of one output that a reducer gets: its end, where results stand. */
const SHARE = 8000;
/** Bytes read of what a reducer printed. */
const OUTPUT_MAX = 4 * 1024 * 1024;

export interface ReduceContext {
  goal: Goal;
  ledger: Ledger;
  queue: Queue;
  dir: string;
}

/** Adds the reduce tasks, once all work has settled. Nothing without `[reduce]`: then rows are read from the outputs as they are. */
export async function enqueueReduce(c: ReduceContext): Promise<void> {
  const rules = c.goal.settings.reduce;
  if (!rules) return;
  await c.ledger.fetchFiles(c.goal.id, c.dir);
  const work = (await c.ledger.tasks(c.goal.id)).filter((task) => task.stage === 'work' && task.attempt > 0);
  const specs: TaskSpec[] = [];
  for (let from = 0; from < work.length; from += rules.chunk) {
    const chunk = work.slice(from, from + rules.chunk);
    const texts = await Promise.all(chunk.map(async (task) => ({ task, text: (await outputText(c.dir, task)).slice(-SHARE) })));
    // Named by what it reads: tried again after a retry changed an output, it is another task.
    const digest = createHash('sha256')
      .update(texts.map(({ task }) => `${task.id}.${task.attempt}`).join())
      .digest('hex')
      .slice(0, 8);
    const body = texts
      .map(({ task, text }) => `--- task ${task.id} (${task.state}${task.why ? `: ${task.why}` : ''})\n${text}\n`)
      .join('\n');
    specs.push(sideTask(`reduce-${from / rules.chunk + 1}-${digest}`, 'reduce', `${rules.prompt}\n\n${body}`, rules));
  }
  await c.queue.enqueue(
    c.goal.id,
    specs.map((spec) => ({ spec, canary: false, held: false })),
  );
}

/** Reads what reducers (or, without any, the tasks themselves) printed into rows. May be called again: rows are kept once. */
export async function collectRows(c: ReduceContext): Promise<{ rows: number; rejected: number }> {
  await c.ledger.fetchFiles(c.goal.id, c.dir);
  const tasks = await c.ledger.tasks(c.goal.id);
  const ids = new Set(tasks.filter((task) => task.stage === 'work').map((task) => task.id));
  const sources = tasks.filter((task) => task.stage === (c.goal.settings.reduce ? 'reduce' : 'work') && task.state === 'done');
  const known = new Set(
    (await c.ledger.events(c.goal.id, 0, 1_000_000)).filter((e) => e.kind === 'row-rejected').map((e) => `${e.subject} ${e.data}`),
  );
  let [rows, rejected] = [0, 0];
  for (const task of sources) {
    const read = readRows(await outputText(c.dir, task), `${task.id}.${task.wonAttempt}`, ids);
    // A task of its own kind may print any JSON: only from reducers a bad line is worth a word.
    const bad = task.stage === 'reduce' ? read.rejected : [];
    await c.ledger.addFindings(c.goal.id, read.rows);
    for (const { line, why, begins } of bad) {
      const said = `line ${line} ${why}: ${begins}`;
      if (!known.has(`${task.id} ${said}`)) await c.ledger.event(c.goal.id, 'reduce', task.id, 'row-rejected', said);
    }
    rows += read.rows.length;
    rejected += bad.length;
  }
  return { rows, rejected };
}

/** A task for each row that needs a decision, and for no other. */
export async function enqueueFollowups(c: ReduceContext): Promise<void> {
  const rules = c.goal.settings.followup;
  if (!rules) return;
  const open = (await c.ledger.findings(c.goal.id)).filter((finding) => finding.needsDecision);
  const specs = open.map((finding) => {
    const vars = { task: finding.task, file: finding.file ?? '', text: finding.text, kind: finding.kind, line: String(finding.line ?? '') };
    return sideTask(
      `followup-${finding.id}`,
      'followup',
      fillTemplate(rules.prompt, vars, () => {}),
      rules,
    );
  });
  await c.queue.enqueue(
    c.goal.id,
    specs.map((spec) => ({ spec, canary: false, held: false })),
  );
}

function sideTask(
  id: string,
  stage: Stage,
  prompt: string,
  rules: Pick<ReduceRules & FollowupRules, 'agent' | 'command' | 'timeout'>,
): TaskSpec {
  return {
    ...{
      id,
      stage,
      prompt,
      agent: rules.agent,
      command: rules.command,
      mode: 'headless',
      env: {},
      allow: [],
      checks: [],
      checkTimeout: 60_000,
    },
    ...{ expect: null, timeout: rules.timeout, budget: { cost: null, tokens: null }, priority: 0, needs: [], group: null },
    ...{ provider: rules.agent, line: 0 },
  };
}

/** What the task's last attempt said: its result where the kind tells one, else the end of its output. */
export async function outputText(dir: string, task: TaskRow): Promise<string> {
  const files = attemptFiles(dir, task.id, task.wonAttempt ?? task.attempt);
  const reader = new OutputReader((HEADLESS[task.spec.agent] ?? HEADLESS.command!).readings);
  await eachLine(files.output, (line) => reader.line(line));
  return reader.told.result ?? tailOf(files.output, OUTPUT_MAX);
}
