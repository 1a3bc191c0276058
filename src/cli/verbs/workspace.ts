// Verbs about workspaces and their agents.
import type { Option } from '../parse.ts';
import type { Verb } from '../verb.ts';
import { later, queue } from './options.ts';

const agent: Option = { type: 'string', value: 'KIND', doc: 'Kind of agent: claude, codex, pi, …; guessed from the command unless given.' };

export const WORKSPACE_VERBS: Record<string, Verb> = {
  '': {
    usage: ['[PATH]'],
    summary: 'Attach to the session, from anywhere; with PATH, open its repository.',
    words: [0, 1],
    load: async () => (await import('../commands/attach.ts')).run,
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
    load: async () => (await import('../commands/new.ts')).run,
  },
  open: {
    usage: ['open PATH [--agent KIND | -- CMD ARG…]'],
    summary: 'Open a workspace on an existing worktree or folder.',
    words: [1, 1],
    command: true,
    options: { agent },
    load: async () => (await import('../commands/open.ts')).run,
  },
  run: {
    usage: ['run [--detach] [--agent KIND] -- CMD ARG…'],
    summary: 'One terminal that runs CMD here, in a session of its own unless --session; ends with its exit code.',
    words: [0, 0],
    command: true,
    options: { detach: { type: 'boolean', short: 'd', doc: 'Do not attach; print session and id.' }, agent },
    load: async () => (await import('../commands/run.ts')).run,
  },
  resume: {
    usage: ['resume [WS…] [--fresh]', 'resume --all'],
    summary: 'Take up the conversation of an agent that has exited.',
    words: [0, 100],
    options: {
      all: { type: 'boolean', doc: 'All that can be resumed, one after the other.' },
      fresh: { type: 'boolean', doc: 'Start a new agent in its place instead.' },
    },
    load: async () => (await import('../commands/resume.ts')).run,
  },
  close: {
    usage: ['close WS'],
    summary: 'End a workspace’s terminals and close it; the worktree stays.',
    words: [1, 1],
    load: async () => (await import('../commands/close.ts')).run,
  },
  remove: {
    usage: ['remove WS [--discard]'],
    summary: 'Close a workspace and remove its worktree; says first what would be lost.',
    words: [1, 1],
    options: { discard: { type: 'boolean', doc: 'Remove although work would be lost: it is saved to a ref first.' } },
    load: async () => (await import('../commands/remove.ts')).run,
  },
  rename: {
    usage: ['rename WS NAME'],
    summary: 'Give a workspace another name.',
    words: [2, 2],
    load: async () => (await import('../commands/rename.ts')).run,
  },
  ls: {
    usage: ['ls'],
    summary: 'List workspaces with their agents’ states.',
    words: [0, 0],
    load: async () => (await import('../commands/ls.ts')).run,
  },
  status: {
    usage: ['status [WS]'],
    summary: 'One workspace in full.',
    words: [0, 1],
    load: async () => (await import('../commands/status.ts')).run,
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
    load: async () => (await import('../commands/send.ts')).run,
  },
  queue: {
    usage: ['queue WS [list]', 'queue WS edit ID TEXT|-', 'queue WS drop ID', 'queue WS move ID [BEFORE-ID]', 'queue WS retry ID'],
    summary: 'Prompts that wait for the agent.',
    words: [1, 4],
    load: async () => (await import('../commands/queue.ts')).run,
  },
  answer: {
    usage: ['answer WS approve|reject|N|TEXT [--dialog ID]'],
    summary: 'Answer the dialog that was seen; refused when it has changed.',
    words: [2, 2],
    options: { dialog: { type: 'string', value: 'ID', doc: 'Identity of the dialog, as `herd status --json` shows it.' } },
    load: async () => (await import('../commands/answer.ts')).run,
  },
  wait: {
    usage: ['wait WS --until STATE[,STATE] [--timeout S]'],
    summary: 'Wait for a state newer than the last delivery; exit code 3 on time-out.',
    words: [1, 1],
    options: {
      until: { type: 'string', value: 'STATE[,STATE]', doc: 'working, blocked, done, idle, exited, unknown.' },
      timeout: { type: 'string', value: 'S', doc: 'Seconds.' },
    },
    load: async () => (await import('../commands/wait.ts')).run,
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
    load: async () => (await import('../commands/read.ts')).run,
  },
  keys: {
    usage: ['keys WS [--text TEXT] [KEY…]'],
    summary: 'Type text, then keys (enter, ctrl+c, up, …), as a person would.',
    words: [1, 100],
    options: {
      text: { type: 'string', value: 'TEXT', doc: 'Typed as it is.' },
      terminal: { type: 'string', value: 'ID', doc: 'Another terminal than the agent’s.' },
    },
    load: async () => (await import('../commands/keys.ts')).run,
  },
  classify: {
    usage: ['classify --agent KIND FILE.cast'],
    summary: 'Replay a recording and say the agent’s state, one line per change.',
    words: [1, 1],
    options: { agent: { type: 'string', value: 'KIND', doc: 'Kind of agent that was recorded; generic unless given.' } },
    load: async () => (await import('../commands/classify.ts')).run,
  },
  explain: {
    usage: ['explain [WS]'],
    summary: 'Why the agent is said to be in its state: verdict, evidence, the screen that was seen.',
    words: [0, 1],
    load: async () => (await import('../commands/explain.ts')).run,
  },
  events: {
    usage: ['events [--follow] [--since SEQ]'],
    summary: 'What happened, one line each.',
    words: [0, 0],
    options: {
      follow: { type: 'boolean', short: 'f', doc: 'Go on printing.' },
      since: { type: 'string', value: 'SEQ', doc: 'Only events after this number.' },
    },
    load: async () => (await import('../commands/events.ts')).run,
  },
  log: {
    usage: ['log [WS] [--grep RE] [--lines N]'],
    summary: 'The event log, of one workspace or all.',
    words: [0, 1],
    options: {
      grep: { type: 'string', value: 'RE', doc: 'Only lines that match.' },
      lines: { type: 'string', value: 'N', doc: 'The last N; 200 unless given.' },
    },
    load: async () => (await import('../commands/log.ts')).run,
  },
};
