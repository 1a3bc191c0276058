// Verbs about batches.
import type { Option } from '../parse.ts';
import type { Verb } from '../verb.ts';

const queueUrl: Option = { type: 'string', value: 'URL', doc: 'PostgreSQL queue instead of this host’s file; HERD_QUEUE unless given.' };
const batchNumber: Option = { type: 'string', value: 'N', doc: 'Another batch than the newest.' };
const detach: Option = { type: 'boolean', short: 'd', doc: 'Do not follow it.' };
const caps: Record<string, Option> = {
  'max-cost': { type: 'string', value: 'D', doc: 'New cap, US dollars.' },
  'max-tokens': { type: 'string', value: 'N', doc: 'New cap, tokens.' },
};
const batch = () => import('../commands/batch.ts');
const batchLand = () => import('../commands/batch-land.ts');

export const BATCH_VERBS: Record<string, Verb> = {
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
    load: async () => (await import('../commands/worker.ts')).run,
  },
  'batch-runner': {
    usage: ['batch-runner N'],
    summary: 'Be the runner of a batch; started by herd itself.',
    words: [1, 1],
    hidden: true,
    load: async () => (await batch()).runner,
  },
};
