// Claude Code (2.1 measured: alternate screen and inline; 2.0 seen). Half-circles turn in its title while it works.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const claude: Kind = {
  version: 1,
  id: 'claude',
  name: 'Claude Code',
  command: ['claude'],
  detect: { programs: ['claude'], scripts: ['@anthropic-ai/claude-code', '/claude/versions/'] },
  headless: ['-p', '--print'],
  titles: [
    { match: `^[${SPIN}◐◑◒◓]`, says: 'working' },
    { match: '^✳', says: 'rest' },
  ],
  composer: {
    top: '^\\s*[─━╭]{2,}.*[─━╮]{3,}\\s*$',
    first: '^\\s*│?\\s*[❯>!#&](?:\\s+(.*?))?\\s*│?$',
    bottom: '^\\s*[─━╰]{8,}',
    rows: 60,
    footer: 16,
    placeholder: ['^Try "', '^Press up to edit queued'],
  },
  rules: [
    {
      id: 'transcript viewer',
      says: 'view',
      region: 'bottom',
      rows: 3,
      any: ['showing (detailed )?transcript', 'ctrl\\+o to (toggle|hide)'],
    },
    { id: 'footer: esc to interrupt', says: 'working', region: 'footer', any: ['esc to int'] },
    // Before 2.1 the row named the key and stood until the end; since then the footer does, and the row goes while text streams.
    {
      id: 'spinner row: esc to interrupt',
      says: 'working',
      region: 'above',
      rows: 10,
      any: ['^\\s?[·✢✳✶✻✽∗*]\\s\\S.*\\((?:.*· )?esc to interrupt'],
      fresh: 4000,
      stands: true,
    },
    {
      id: 'spinner row',
      says: 'working',
      region: 'above',
      rows: 10,
      any: ['^\\s?[·✢✳✶✻✽∗*]\\s\\S.*(…|\\.\\.\\.)( ?\\(|\\s*$)', '^\\s?[·✢✳✶✻✽∗*]\\s.*retrying in \\d'],
      fresh: 4000,
    },
    {
      id: 'jobs in the footer',
      says: 'background',
      region: 'footer',
      any: ['\\b[1-9]\\d* (background |local )?(shells?|tasks?|agents?|monitors?|jobs?|bashes)\\b'],
    },
    {
      id: 'jobs above the box',
      says: 'background',
      region: 'above',
      any: [
        '^\\W*[1-9]\\d* (commands?|shells?|tasks?|agents?) still running',
        'waiting for [1-9]\\d* (background )?(agents?|tasks?|shells?)',
      ],
    },
    {
      id: 'usage limit',
      says: 'usage-limit',
      region: 'above',
      rows: 6,
      any: [
        '^\\W{0,6}(?:you.ve (?:hit|reached) your|claude|\\d+-hour|weekly|opus|sonnet|session) ?.{0,40}\\blimit\\b(?:.{0,60}?\\bresets? (?:at )?(\\S.*))?$',
      ],
    },
    { id: 'API error', says: 'error', region: 'above', rows: 6, any: ['^\\W{0,6}API Error\\b.*'] },
  ],
  motion: { counts: true, rest: 2600 },
  prompt: { method: 'paste', settle: 300, startup: 500, folded: ['\\[Pasted text #\\d+[^\\]]*\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['claude', '--resume', '{id}'],
  farewell: '\\bclaude\\b.* --resume ([\\w-]{8,64})',
  shows: {
    context: '((?:\\d+% (?:context )?(?:left|used|remaining)|context left until auto-compact: \\d+%).*)$',
    cost: '(\\$\\d+\\.\\d\\d)\\b',
    task: '^(?:\\s?[·✢✳✶✻✽∗*])\\s(\\S.*?)…',
  },
};
