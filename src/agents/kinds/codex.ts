// Codex (0.171 measured, 0.150 and 0.117 seen). Draws nothing but moving text while it streams: then its title, OSC 7501, motion and that it
// writes at all tell.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const codex: Kind = {
  version: 1,
  id: 'codex',
  name: 'Codex',
  command: ['codex'],
  detect: { programs: ['codex'], scripts: ['@openai/codex'] },
  headless: ['exec'],
  titles: [
    { match: 'action required', says: 'blocked' },
    { match: '^\\[ [!.] \\]', says: 'blocked' },
    { match: `^[${SPIN}]`, says: 'working' },
    { match: '\\S', says: 'rest' },
  ],
  composer: {
    first: '^[›❯▌!](?:\\s+(.*?))?\\s*$',
    more: '^\\s{2,}\\S',
    rows: 60,
    footer: 12,
    placeholder: ['^Ask Codex to do anything$'],
  },
  rules: [
    {
      id: 'status row',
      says: 'working',
      region: 'above',
      rows: 14,
      any: [`^[•◦·∙●○${SPIN}] \\S.*\\((?:\\d+[hms] ?)+ ?[•·] ?esc\\b`, `^[•◦·∙●○${SPIN}] \\S.*esc to interrupt\\)`],
      fresh: 4000,
    },
    // Where the key that interrupts is not bound: below the transcript, and only while its seconds count.
    {
      id: 'status row without a key',
      says: 'working',
      region: 'above',
      rows: 2,
      any: [`^[•◦·∙●○${SPIN}] \\S.*\\((?:\\d+[hms] ?)+\\)$`],
      fresh: 2000,
    },
    { id: 'turn summary', says: 'rest', region: 'above', rows: 2, any: ['^[ ─]*worked for (\\d+[hms] ?)+', '^■ conversation interrupted'] },
    { id: 'jobs above the box', says: 'background', region: 'above', any: ['\\b[1-9]\\d* background (terminals?|jobs?|agents?) running'] },
    {
      id: 'usage limit',
      says: 'usage-limit',
      region: 'above',
      any: ['^\\W{0,6}you.ve hit your usage limit.*?(?:try again (?:at|in) (.+?)\\.?)?$'],
    },
    { id: 'error cell', says: 'error', region: 'last-item', any: ['^■ (?!conversation interrupted)(.+)$'] },
  ],
  motion: { counts: true, pulses: true, rest: 2600 },
  prompt: { method: 'paste', settle: 300, startup: 3000, folded: ['\\[Pasted Content \\d+ chars\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['codex', 'resume', '{id}'],
  farewell: '\\bcodex resume ([\\w-]{8,64})',
  shows: { context: '(\\d+% (?:context )?left)', task: '^[•◦·∙●○] (\\S.*?) \\(\\d' },
};
