// Verbs about a workspace's diff, the comments on it, and reviews that go out and come in.
import type { Option } from '../parse.ts';
import type { Verb } from '../verb.ts';
import { later, queue } from './options.ts';

const scope: Option = {
  type: 'string',
  value: 'SCOPE',
  doc: 'base (unless given), uncommitted, staged, turn, look, round:N (since those comments were sent), or a commit.',
};
const comment = () => import('../commands/comment.ts');
const review = () => import('../commands/review.ts');

export const REVIEW_VERBS: Record<string, Verb> = {
  diff: {
    usage: ['diff [WS] [--scope SCOPE] [--stat]'],
    summary: 'What the worktree holds against its base, as a patch.',
    words: [0, 1],
    options: { scope, stat: { type: 'boolean', doc: 'Files and counts only.' } },
    load: async () => (await import('../commands/diff.ts')).run,
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
};
