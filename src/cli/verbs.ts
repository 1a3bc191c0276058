// Every verb as data: how it is written, what it takes, which file runs it. Help, completion of mistakes and the skills' command
// lists are made from this table; a verb's file is loaded only when it runs.
import type { Option, VerbShape } from './parse.ts';
import type { RunVerb } from './verb.ts';

export interface Verb extends VerbShape {
  load(): Promise<RunVerb>;
  /** Not for people: started by herd itself. */
  hidden?: boolean;
  /** Session it runs in unless one is named; "default" for all others. */
  session?: string;
}

const agent: Option = { type: 'string', value: 'KIND', doc: 'Kind of agent: claude, codex, pi, …; guessed from the command unless given.' };
const scope: Option = {
  type: 'string',
  value: 'SCOPE',
  doc: 'base (unless given), uncommitted, staged, turn, look, round:N (since those comments were sent), or a commit.',
};
const queue: Option = { type: 'boolean', doc: 'While the agent works or is blocked: queue instead of refusing.' };
const later: Option = { type: 'boolean', doc: 'Queue it in any case, for the end of the turn that the agent is in or begins next.' };
const queueUrl: Option = { type: 'string', value: 'URL', doc: 'PostgreSQL queue instead of this host’s file; HERD_QUEUE unless given.' };
const batchNumber: Option = { type: 'string', value: 'N', doc: 'Another batch than the newest.' };
const detach: Option = { type: 'boolean', short: 'd', doc: 'Do not follow it.' };
const caps: Record<string, Option> = {
  'max-cost': { type: 'string', value: 'D', doc: 'New cap, US dollars.' },
  'max-tokens': { type: 'string', value: 'N', doc: 'New cap, tokens.' },
};
const batch = () => import('./commands/batch.ts');
const batchLand = () => import('./commands/batch-land.ts');
const comment = () => import('./commands/comment.ts');
const review = () => import('./commands/review.ts');
const server = () => import('./commands/server.ts');
const integration = () => import('./commands/integration.ts');
const session = () => import('./commands/session.ts');
const skill = () => import('./commands/skill.ts');

/** By name as typed; a name of two words is tried before one of one. '' is `herd` without a verb. */
export const VERBS: Record<string, Verb> = {
  '': {
    usage: ['[PATH]'],
    summary: 'Attach to the session, from anywhere; with PATH, open its repository.',
    words: [0, 1],
    load: async () => (await import('./commands/attach.ts')).run,
  },
  new: {
    usage: ['new [BRANCH] [--repo PATH] [--base REF] [--agent KIND | -- CMD ARG…] [--prompt TEXT|-] [--no-agent]'],
    summary: 'Make a worktree with its branch, open a workspace on it, start the agent.',
    words: [0, 1],
    command: true,
    options: {
      repo: { type: 'string', value: 'PATH', doc: 'Repository; that of the current folder unless given.' },
      base: { type: 'string', value: 'REF', doc: 'Where the branch starts and what the diff is against; HEAD unless given.' },
      agent,
      prompt: { type: 'string', value: 'TEXT|-', doc: 'First prompt, delivered once the agent reads keys; - reads standard input.' },
      'no-agent': { type: 'boolean', doc: 'Start a shell instead.' },
    },
    load: async () => (await import('./commands/new.ts')).run,
  },
  open: {
    usage: ['open PATH [--agent KIND | -- CMD ARG…]'],
    summary: 'Open a workspace on an existing worktree or folder.',
    words: [1, 1],
    command: true,
    options: { agent },
    load: async () => (await import('./commands/open.ts')).run,
  },
  run: {
    usage: ['run [--detach] [--agent KIND] -- CMD ARG…'],
    summary: 'One terminal that runs CMD here, in a session of its own unless --session; ends with its exit code.',
    words: [0, 0],
    command: true,
    options: { detach: { type: 'boolean', short: 'd', doc: 'Do not attach; print session and id.' }, agent },
    load: async () => (await import('./commands/run.ts')).run,
  },
  resume: {
    usage: ['resume [WS…] [--fresh]', 'resume --all'],
    summary: 'Take up the conversation of an agent that has exited.',
    words: [0, 100],
    options: {
      all: { type: 'boolean', doc: 'All that can be resumed, one after the other.' },
      fresh: { type: 'boolean', doc: 'Start a new agent in its place instead.' },
    },
    load: async () => (await import('./commands/resume.ts')).run,
  },
  close: {
    usage: ['close WS'],
    summary: 'End a workspace’s terminals and close it; the worktree stays.',
    words: [1, 1],
    load: async () => (await import('./commands/close.ts')).run,
  },
  remove: {
    usage: ['remove WS [--discard]'],
    summary: 'Close a workspace and remove its worktree; says first what would be lost.',
    words: [1, 1],
    options: { discard: { type: 'boolean', doc: 'Remove although work would be lost: it is saved to a ref first.' } },
    load: async () => (await import('./commands/remove.ts')).run,
  },
  rename: {
    usage: ['rename WS NAME'],
    summary: 'Give a workspace another name.',
    words: [2, 2],
    load: async () => (await import('./commands/rename.ts')).run,
  },
  ls: {
    usage: ['ls'],
    summary: 'List workspaces with their agents’ states.',
    words: [0, 0],
    load: async () => (await import('./commands/ls.ts')).run,
  },
  status: {
    usage: ['status [WS]'],
    summary: 'One workspace in full.',
    words: [0, 1],
    load: async () => (await import('./commands/status.ts')).run,
  },
  send: {
    usage: ['send WS[,WS…] TEXT|- [--queue | --later] [--wait STATE] [--force]'],
    summary: 'Deliver a prompt to an agent, or to several; prints the receipts.',
    words: [2, 2],
    options: {
      queue,
      later,
      wait: { type: 'string', value: 'STATE[,STATE]', doc: 'After delivery, wait for a state that follows it.' },
      timeout: { type: 'string', value: 'S', doc: 'Seconds to wait at most, with --wait.' },
      force: { type: 'boolean', doc: 'Deliver although the state is unknown; never into a dialog or a shell.' },
    },
    load: async () => (await import('./commands/send.ts')).run,
  },
  queue: {
    usage: ['queue WS [list]', 'queue WS edit ID TEXT|-', 'queue WS drop ID', 'queue WS move ID [BEFORE-ID]', 'queue WS retry ID'],
    summary: 'Prompts that wait for the agent.',
    words: [1, 4],
    load: async () => (await import('./commands/queue.ts')).run,
  },
  answer: {
    usage: ['answer WS approve|reject|N|TEXT [--dialog ID]'],
    summary: 'Answer the dialog that was seen; refused when it has changed.',
    words: [2, 2],
    options: { dialog: { type: 'string', value: 'ID', doc: 'Identity of the dialog, as `herd status --json` shows it.' } },
    load: async () => (await import('./commands/answer.ts')).run,
  },
  wait: {
    usage: ['wait WS --until STATE[,STATE] [--timeout S]'],
    summary: 'Wait for a state newer than the last delivery; exit code 3 on time-out.',
    words: [1, 1],
    options: {
      until: { type: 'string', value: 'STATE[,STATE]', doc: 'working, blocked, done, idle, exited, unknown.' },
      timeout: { type: 'string', value: 'S', doc: 'Seconds.' },
    },
    load: async () => (await import('./commands/wait.ts')).run,
  },
  read: {
    usage: ['read [WS] [--lines N] [--ansi]'],
    summary: 'Print the screen of a workspace’s terminal.',
    words: [0, 1],
    options: {
      lines: { type: 'string', value: 'N', doc: 'The last N lines, history included.' },
      ansi: { type: 'boolean', doc: 'With colours.' },
      terminal: { type: 'string', value: 'ID', doc: 'Another terminal than the agent’s.' },
    },
    load: async () => (await import('./commands/read.ts')).run,
  },
  keys: {
    usage: ['keys WS [--text TEXT] [KEY…]'],
    summary: 'Type text, then keys (enter, ctrl+c, up, …), as a person would.',
    words: [1, 100],
    options: {
      text: { type: 'string', value: 'TEXT', doc: 'Typed as it is.' },
      terminal: { type: 'string', value: 'ID', doc: 'Another terminal than the agent’s.' },
    },
    load: async () => (await import('./commands/keys.ts')).run,
  },
  classify: {
    usage: ['classify --agent KIND FILE.cast'],
    summary: 'Replay a recording and say the agent’s state, one line per change.',
    words: [1, 1],
    options: { agent: { type: 'string', value: 'KIND', doc: 'Kind of agent that was recorded; generic unless given.' } },
    load: async () => (await import('./commands/classify.ts')).run,
  },
  explain: {
    usage: ['explain [WS]'],
    summary: 'Why the agent is said to be in its state: verdict, evidence, the screen that was seen.',
    words: [0, 1],
    load: async () => (await import('./commands/explain.ts')).run,
  },
  events: {
    usage: ['events [--follow] [--since SEQ]'],
    summary: 'What happened, one line each.',
    words: [0, 0],
    options: {
      follow: { type: 'boolean', short: 'f', doc: 'Go on printing.' },
      since: { type: 'string', value: 'SEQ', doc: 'Only events after this number.' },
    },
    load: async () => (await import('./commands/events.ts')).run,
  },
  log: {
    usage: ['log [WS] [--grep RE] [--lines N]'],
    summary: 'The event log, of one workspace or all.',
    words: [0, 1],
    options: {
      grep: { type: 'string', value: 'RE', doc: 'Only lines that match.' },
      lines: { type: 'string', value: 'N', doc: 'The last N; 200 unless given.' },
    },
    load: async () => (await import('./commands/log.ts')).run,
  },
  diff: {
    usage: ['diff [WS] [--scope SCOPE] [--stat]'],
    summary: 'What the worktree holds against its base, as a patch.',
    words: [0, 1],
    options: { scope, stat: { type: 'boolean', doc: 'Files and counts only.' } },
    load: async () => (await import('./commands/diff.ts')).run,
  },
  'comment add': {
    usage: ['comment add WS FILE:LINE[-LINE] [--side old|new] [--author agent] TEXT|-'],
    summary: 'Comment on lines of the diff; FILE alone for the file, "." for the whole change.',
    words: [2, 3],
    options: {
      side: { type: 'string', value: 'old|new', doc: 'new unless given.' },
      author: { type: 'string', value: 'user|agent', doc: 'agent: a note, never sent as a prompt.' },
      suggestion: { type: 'string', value: 'TEXT', doc: 'Code proposed instead of the lines.' },
    },
    load: async () => (await comment()).add,
  },
  'comment list': {
    usage: ['comment list [WS] [--state STATE]', 'comment list --closed [--state STATE]'],
    summary: 'Comments with their code, states and replies.',
    words: [0, 1],
    options: {
      state: { type: 'string', value: 'STATE', doc: 'draft, queued, sent, addressed, resolved or open (all but resolved).' },
      closed: { type: 'boolean', doc: 'Those that wait for the worktree of a closed workspace; comment rm drops them.' },
    },
    load: async () => (await comment()).list,
  },
  'comment send': {
    usage: ['comment send [WS] [ID…] [--queue | --later] [--to WS] [--preview]'],
    summary: 'Send comments to the agent as one prompt; all that were not sent yet unless IDs are given.',
    words: [0, 100],
    options: {
      queue,
      later,
      to: { type: 'string', value: 'WS', doc: 'Another workspace’s agent.' },
      preview: { type: 'boolean', doc: 'Print the prompt, send nothing.' },
    },
    load: async () => (await comment()).send,
  },
  'comment reply': {
    usage: ['comment reply ID TEXT|- [--author agent]'],
    summary: 'Reply under a comment.',
    words: [2, 2],
    options: { author: { type: 'string', value: 'user|agent', doc: 'agent inside a pane, user elsewhere, unless given.' } },
    load: async () => (await comment()).reply,
  },
  'comment edit': {
    usage: ['comment edit ID TEXT|-'],
    summary: 'Change a comment’s text.',
    words: [2, 2],
    load: async () => (await comment()).edit,
  },
  'comment addressed': {
    usage: ['comment addressed ID [TEXT]'],
    summary: 'Mark a comment as dealt with, with a reply if TEXT is given.',
    words: [1, 2],
    load: async () => (await comment()).addressed,
  },
  'comment resolve': {
    usage: ['comment resolve ID'],
    summary: 'Close a comment.',
    words: [1, 1],
    load: async () => (await comment()).resolve,
  },
  'comment reopen': {
    usage: ['comment reopen ID'],
    summary: 'Open a comment again.',
    words: [1, 1],
    load: async () => (await comment()).reopen,
  },
  'comment rm': { usage: ['comment rm ID'], summary: 'Delete a comment.', words: [1, 1], load: async () => (await comment()).rm },
  'review export': {
    usage: ['review export [WS] [--format md|json|patch]'],
    summary: 'The review as Markdown, as JSON, or as a patch with the comments in it.',
    words: [0, 1],
    options: { format: { type: 'string', value: 'FORMAT', doc: 'md (unless given), json or patch.' }, scope },
    load: async () => (await review()).exportAs,
  },
  'review import': {
    usage: ['review import FILE|- [WS]'],
    summary: 'Bring in the open comments of an exported review (JSON), as drafts; what is there already stays.',
    words: [1, 2],
    load: async () => (await review()).importFrom,
  },
  'review push': {
    usage: ['review push [WS] [--pr NUMBER] [--dry-run]'],
    summary: 'Post the open comments as a review of the branch’s pull request, by gh.',
    words: [0, 1],
    options: {
      pr: { type: 'string', value: 'NUMBER', doc: 'The branch’s own unless given.' },
      'dry-run': { type: 'boolean', doc: 'Print what would be posted.' },
    },
    load: async () => (await review()).push,
  },
  'review pull': {
    usage: ['review pull [WS] [--pr NUMBER]'],
    summary: 'Bring in the review comments of the branch’s pull request, by gh, as drafts.',
    words: [0, 1],
    options: { pr: { type: 'string', value: 'NUMBER', doc: 'The branch’s own unless given.' } },
    load: async () => (await review()).pull,
  },
  demo: {
    usage: ['demo [--speed N]'],
    summary: 'The whole loop on a throw-away repository with scripted agents: no agent, no key needed.',
    words: [0, 0],
    session: 'demo',
    options: { speed: { type: 'string', value: 'N', doc: 'How much faster than people read; 1 unless given.' } },
    load: async () => (await import('./commands/demo.ts')).run,
  },
  'batch run': {
    usage: ['batch run FILE [--check] [--yes] [--detach] [--slots N]'],
    summary: 'Run the tasks of a file, many at a time, each in a worktree of its own; follows them to the end.',
    words: [1, 1],
    options: {
      check: { type: 'boolean', doc: 'Only check the file and say what is to be known beforehand.' },
      yes: { type: 'boolean', short: 'y', doc: 'Do not ask after the canary.' },
      detach,
      slots: { type: 'string', value: 'N', doc: 'How many at a time; the file’s, or 20.' },
      queue: queueUrl,
    },
    load: async () => (await batch()).run,
  },
  'batch status': {
    usage: ['batch status [--batch N] [--all]'],
    summary: 'How a batch stands; the newest of this repository unless named.',
    words: [0, 0],
    options: { batch: batchNumber, queue: queueUrl, all: { type: 'boolean', doc: 'Done tasks too.' } },
    load: async () => (await batch()).status,
  },
  'batch pause': {
    usage: ['batch pause [--batch N]'],
    summary: 'Start nothing new; what runs ends by itself.',
    words: [0, 0],
    options: { batch: batchNumber, queue: queueUrl },
    load: async () => (await batch()).pause,
  },
  'batch resume': {
    usage: ['batch resume [--batch N] [--max-cost D] [--max-tokens N] [--detach]'],
    summary: 'Go on: after a pause, the canary, a stop, or the death of the runner.',
    words: [0, 0],
    options: { batch: batchNumber, queue: queueUrl, ...caps, detach },
    load: async () => (await batch()).resume,
  },
  'batch cancel': {
    usage: ['batch cancel [TASK] [--batch N]'],
    summary: 'End a batch, or one task of it, with all it has started; results are kept.',
    words: [0, 1],
    options: { batch: batchNumber, queue: queueUrl },
    load: async () => (await batch()).cancel,
  },
  'batch retry': {
    usage: ['batch retry [TASK…] [--batch N] [--detach]'],
    summary: 'Try failed tasks again, or those named.',
    words: [0, 1000],
    options: { batch: batchNumber, queue: queueUrl, ...caps, detach },
    load: async () => (await batch()).retry,
  },
  'batch report': {
    usage: ['batch report [--batch N]'],
    summary: 'What a batch came to: goodput, cost, retries, failures with reasons.',
    words: [0, 0],
    options: { batch: batchNumber, queue: queueUrl },
    load: async () => (await batch()).report,
  },
  'batch decide': {
    usage: ['batch decide [ID accept|reject|TEXT] [--batch N]'],
    summary: 'Decisions that wait for a person; answer one.',
    words: [0, 2],
    options: { batch: batchNumber, queue: queueUrl, all: { type: 'boolean', doc: 'Answered ones too.' } },
    load: async () => (await batchLand()).decide,
  },
  'batch accept': {
    usage: ['batch accept TASK… [--batch N]'],
    summary: 'Take these results; of copies, this one.',
    words: [1, 1000],
    options: { batch: batchNumber, queue: queueUrl },
    load: async () => (await batchLand()).accept,
  },
  'batch reject': {
    usage: ['batch reject TASK… [--batch N]'],
    summary: 'Leave these results out of the landing.',
    words: [1, 1000],
    options: { batch: batchNumber, queue: queueUrl },
    load: async () => (await batchLand()).reject,
  },
  'batch land': {
    usage: ['batch land [--batch N] [--no-open]'],
    summary: 'Put the results on an integration branch, check the combination, open it for review; your branch is not touched.',
    words: [0, 0],
    options: { batch: batchNumber, queue: queueUrl, 'no-open': { type: 'boolean', doc: 'Do not open a workspace on it.' } },
    load: async () => (await batchLand()).landing,
  },
  'batch merge': {
    usage: ['batch merge [--batch N] [--yes]'],
    summary: 'Merge what was landed and reviewed into the branch the batch started from; asks.',
    words: [0, 0],
    options: { batch: batchNumber, queue: queueUrl, yes: { type: 'boolean', short: 'y', doc: 'It was reviewed; do not ask.' } },
    load: async () => (await batchLand()).merge,
  },
  worker: {
    usage: ['worker --queue URL [--slots N] [--drain-timeout S] [--host NAME]'],
    summary: 'Take tasks of batches from a PostgreSQL queue, in this clone of the repository, until SIGTERM.',
    words: [0, 0],
    options: {
      queue: queueUrl,
      slots: { type: 'string', value: 'N', doc: 'How many at a time; the batch’s unless given.' },
      'drain-timeout': { type: 'string', value: 'S', doc: 'Seconds after SIGTERM until what runs is handed back; 60 unless given.' },
      host: { type: 'string', value: 'NAME', doc: 'How this host is called in the ledger.' },
    },
    load: async () => (await import('./commands/worker.ts')).run,
  },
  'batch-runner': {
    usage: ['batch-runner N'],
    summary: 'Be the runner of a batch; started by herd itself.',
    words: [1, 1],
    hidden: true,
    load: async () => (await batch()).runner,
  },
  'skill install': {
    usage: ['skill install [--for KIND] [--repo PATH]'],
    summary: 'Put herd’s skills where agents find them.',
    words: [0, 0],
    options: {
      for: { type: 'string', value: 'KIND', doc: 'Only for this kind of agent.' },
      repo: { type: 'string', value: 'PATH', doc: 'Into a repository instead of the home folder.' },
    },
    load: async () => (await skill()).install,
  },
  'integration install': {
    usage: ['integration install KIND [--yes]'],
    summary: 'Add herd’s hooks to an agent’s own configuration; shows the change first.',
    words: [1, 1],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await integration()).install,
  },
  'integration uninstall': {
    usage: ['integration uninstall KIND [--yes]'],
    summary: 'Take herd’s hooks away again, and nothing else.',
    words: [1, 1],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await integration()).uninstall,
  },
  hook: {
    usage: ['hook KIND'],
    summary: 'Tell herd what an agent’s hook says; run by the agent.',
    words: [1, 1],
    hidden: true,
    load: async () => (await import('./commands/hook.ts')).run,
  },
  'skill path': {
    usage: ['skill path'],
    summary: 'Print the folder of herd’s skills.',
    words: [0, 0],
    load: async () => (await skill()).path,
  },
  'server status': {
    usage: ['server status'],
    summary: 'The session’s server and holder.',
    words: [0, 0],
    load: async () => (await server()).status,
  },
  'server ping': {
    usage: ['server ping'],
    summary: 'Exit code 0 when the server answers.',
    words: [0, 0],
    load: async () => (await server()).ping,
  },
  'server pid': { usage: ['server pid'], summary: 'Print the server’s process id.', words: [0, 0], load: async () => (await server()).pid },
  'server restart': {
    usage: ['server restart'],
    summary: 'Start the server anew, from this version; agents go on.',
    words: [0, 0],
    load: async () => (await server()).restart,
  },
  'server stop': {
    usage: ['server stop [--yes]'],
    summary: 'End the session: agents, their children, holder and server; asks when agents live.',
    words: [0, 0],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await server()).stop,
  },
  'session list': {
    usage: ['session list'],
    summary: 'Sessions of this user.',
    words: [0, 0],
    load: async () => (await session()).list,
  },
  'session kill': {
    usage: ['session kill NAME'],
    summary: 'End a session with everything in it.',
    words: [1, 1],
    load: async () => (await session()).kill,
  },
  doctor: {
    usage: ['doctor [--fix]'],
    summary: 'Look for what could keep herd from working.',
    words: [0, 0],
    options: { fix: { type: 'boolean', doc: 'Repair what can be repaired without loss.' } },
    load: async () => (await import('./commands/doctor.ts')).run,
  },
  reset: {
    usage: ['reset'],
    summary: 'Bring this terminal back to its senses after a client died in it.',
    words: [0, 0],
    load: async () => (await import('./commands/reset.ts')).run,
  },
  'demo-agent': {
    usage: ['demo-agent NAME [--speed N]'],
    summary: 'The scripted agent of the demo.',
    words: [1, 1],
    hidden: true,
    options: { speed: { type: 'string', value: 'N', doc: 'How much faster; 1 unless given.' } },
    load: async () => (await import('./commands/demo.ts')).agent,
  },
  server: {
    usage: ['server --session NAME'],
    summary: 'Be the server of a session, in the foreground.',
    words: [0, 0],
    hidden: true,
    options: { quarantine: { type: 'string', value: 'IDS', doc: 'Terminals to set aside.' } },
    load: async () => (await import('./commands/serve.ts')).run,
  },
  holder: {
    usage: ['holder --session NAME'],
    summary: 'Hold a session’s terminals; started by herd itself.',
    words: [0, 0],
    hidden: true,
    load: async () => (await import('./commands/holder.ts')).run,
  },
  'config allow': {
    usage: ['config allow [PATH] [--yes]'],
    summary: 'See and allow the commands that a repository’s .herd.toml runs in new worktrees; anew whenever they change.',
    words: [0, 1],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await import('./commands/config.ts')).allowSetup,
  },
  'config check': {
    usage: ['config check'],
    summary: 'Check config.toml; faults with file, line and key.',
    words: [0, 0],
    load: async () => (await import('./commands/config.ts')).check,
  },
};

/** The verb that `argv` begins with, and how many words name it. */
export function findVerb(argv: string[]): { name: string; length: number } | null {
  const [first, second] = argv;
  if (first === undefined || first.startsWith('-')) return { name: '', length: 0 };
  if (second !== undefined && `${first} ${second}` in VERBS) return { name: `${first} ${second}`, length: 2 };
  return first in VERBS ? { name: first, length: 1 } : null;
}
