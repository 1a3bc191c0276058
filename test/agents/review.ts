// `node test/agents/review.ts [KIND [CAST]]`: a real agent against the scripted model writes a change, gets two comments on it through herd,
// reads herd's skill, addresses both, and the person resolves one. The client's screen is kept as a recording.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comment } from '../../src/model/review/comment.ts';
import { install } from './install.ts';
import type { ModelStep } from './model/model.ts';
import { SETUPS } from './setups.ts';
import { Stage } from './stage.ts';

const [kind = 'pi', cast = `.cache/agents/review-${kind}.cast`] = process.argv.slice(2);
const setup = SETUPS.find((one) => one.kind === kind);
if (!setup) throw new Error(`no setup for ${kind}`);
const at = install(setup);
if ('missing' in at) throw new Error(`${kind} cannot be installed: ${at.missing}`);

/** What the agent writes first, and what the two comments are about. */
const FIRST = [
  'export function parse(line) {',
  '  if (line === undefined) return null;',
  '  const fields = line.split(",");',
  '  return fields;',
  '}',
  '',
].join('\n');
const NULL = 'an empty array, not null: callers loop over it';
const TRIM = 'trim each field';
/** ms a person takes to read what just happened, for whoever looks at the recording. */
const READING = 1_500;

const pause = (ms = READING) => new Promise((resolve) => setTimeout(resolve, ms));

const stage = await Stage.open(setup, join(at.folder, 'node_modules/.bin', setup.bin));
try {
  await run(stage);
  process.stdout.write(`${kind} addressed both comments through the skill; recording: ${cast}\n`);
} catch (error) {
  process.stdout.write(`${kind}: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await stage.close();
}

async function run(stage: Stage): Promise<void> {
  const { model } = stage;
  await ok(stage, 'skill', 'install', '--for', kind);
  stage.record(cast);
  model.steps.push(
    { delay: 900, text: 'I will write the parser.', tools: [{ kind: 'write', path: 'src/parser.js', content: FIRST }] },
    { delay: 900, text: 'The parser is written: it splits at commas and gives null for no line.' },
  );
  const args = setup!.args ? ['--', setup!.bin.split('/').at(-1)!, ...setup!.args] : [];
  await ok(stage, 'new', stage.name, '--agent', kind, '--prompt', 'write the parser', ...args);
  await settled(stage);
  await pause();

  // The person: to the diff, two comments, a look at the prompt, send.
  const [toDiff, save] = ['\x02\t', '\x13'];
  stage.type(toDiff);
  await pause(600);
  for (const [line, text] of [
    [2, NULL],
    [3, TRIM],
  ] as const) {
    stage.type(`:${line}\r`);
    await pause(700);
    stage.type('c');
    await pause(500);
    stage.type(text);
    await pause();
    stage.type(save);
    await pause(700);
  }
  const drafts = await comments(stage);
  must(drafts.length === 2 && drafts[0]!.anchor.range?.start === 2, `two comments were written: ${JSON.stringify(drafts)}`);

  const edit = (old: string, now: string): ModelStep => ({ delay: 700, tools: [{ kind: 'edit', path: 'src/parser.js', old, new: now }] });
  const shell = (command: string, text = ''): ModelStep => ({
    delay: 700,
    text,
    tools: [{ kind: 'shell', command, escalate: true, why: 'Answer the review' }],
  });
  const asked = model.requests.length;
  model.steps.push(
    { delay: 900, text: 'I read how reviews are answered here.', tools: [{ kind: 'read', path: skillFile(stage) }] },
    shell('herd comment list --state sent', 'Now the comments.'),
    edit('return null;', 'return [];'),
    shell(`herd comment addressed ${drafts[0]!.id} "an empty array now"`),
    edit('line.split(",")', 'line.split(",").map((field) => field.trim())'),
    shell(`herd comment addressed ${drafts[1]!.id} "each field is trimmed"`),
    { delay: 900, text: 'Both comments are addressed.' },
  );
  stage.type('S');
  await pause(2_000);
  stage.type(save);
  await answered(stage, (all) => all.every(({ state }) => state === 'addressed'));
  await settled(stage);
  await pause();
  const said = JSON.stringify(model.requests.slice(asked));
  must(said.includes('herd-review'), 'the agent was told of the skill');
  must(said.includes('Reviewing in herd'), 'the agent read the skill');
  must(said.includes(NULL) && said.includes(TRIM), 'both comments reached the model');
  const file = readFileSync(join(model.folder, 'src/parser.js'), 'utf8');
  must(file.includes('return [];') && file.includes('trim()'), `both were dealt with: ${file}`);

  // The person: to the first comment, what changed since, back, resolved.
  for (const key of ['g', '}', 'V']) {
    stage.type(key);
    await pause();
  }
  stage.type('mmmmm');
  await pause();
  for (const key of ['g', '}', 'X']) {
    stage.type(key);
    await pause();
  }
  await answered(stage, (all) => all.some(({ state }) => state === 'resolved'));
  await pause();
}

/** Waits until the script is played and the agent rests; what it asks is approved. */
async function settled(stage: Stage): Promise<void> {
  const end = Date.now() + 120_000;
  for (;;) {
    const { state } = await stage.until(['done', 'idle', 'blocked', 'working'], 60_000);
    if ((state === 'done' || state === 'idle') && stage.model.steps.length === 0) return;
    if (Date.now() > end) throw new Error(`the agent did not come to rest: ${state}\n${await stage.screen()}`);
    if (state !== 'blocked') {
      await pause(300);
      continue;
    }
    await stage.herd('answer', stage.name, 'approve');
    await pause(600);
  }
}

async function answered(stage: Stage, wanted: (all: Comment[]) => boolean): Promise<void> {
  const end = Date.now() + 90_000;
  while (!wanted(await comments(stage))) {
    if (Date.now() > end)
      throw new Error(
        `the comments stand at ${JSON.stringify((await comments(stage)).map(({ state }) => state))}\n${await stage.screen()}`,
      );
    if ((await stage.status()).state === 'blocked') await stage.herd('answer', stage.name, 'approve');
    await pause(300);
  }
}

async function comments(stage: Stage): Promise<Comment[]> {
  return (JSON.parse(await ok(stage, 'comment', 'list', stage.name, '--json')) as { comments: Comment[] }).comments;
}

/** Where `skill install` put it. */
function skillFile(stage: Stage): string {
  const folders: Record<string, string> = { claude: '.claude', gemini: '.gemini', qwen: '.qwen' };
  return join(stage.root, 'home', folders[kind] ?? '.agents', 'skills/herd-review/SKILL.md');
}

async function ok(stage: Stage, ...words: string[]): Promise<string> {
  const said = await stage.herd(...words);
  if (said.code !== 0) throw new Error(`herd ${words.join(' ')}: ${said.err.trim() || said.out.trim()}`);
  return said.out;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it does not hold that ${what}`);
}
