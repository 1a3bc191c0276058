// Gemini CLI (0.61 measured, inline; 0.44 and 0.30 seen). Its title says all but the start-up dialogs.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const gemini: Kind = {
  version: 1,
  id: 'gemini',
  name: 'Gemini CLI',
  command: ['gemini'],
  detect: { programs: ['gemini'], scripts: ['@google/gemini-cli'] },
  headless: ['-p', '--prompt'],
  titles: [
    { match: '^✋|action required', says: 'blocked' },
    { match: '^(✦|⏲)', says: 'working' },
    { match: '^◇', says: 'rest' },
  ],
  composer: {
    // Up to 0.30 its upper edge was drawn with the upper half of a row, and its lower one with the lower.
    top: '^\\s*([▄▀]{8,}|╭─{8,})',
    first: '^\\s?│?\\s?[>!*$](?:\\s+(.*?))?\\s*│?$',
    bottom: '^\\s*([▀▄]{8,}|╰─{8,})',
    rows: 40,
    footer: 8,
    placeholder: ['^Type your message', '^Press .* to edit queued'],
  },
  rules: [
    {
      id: 'status row',
      says: 'working',
      region: 'above',
      any: [`^\\s?[${SPIN}]\\s.*(\\(esc to cancel|…|\\.\\.\\.)`, '^\\s?\\S.*\\(esc to cancel, (?:\\d+[hms] ?)+\\)'],
      fresh: 4000,
    },
    {
      id: 'quota',
      says: 'usage-limit',
      region: 'above',
      any: ['^\\W{0,6}(?:you have )?(?:reached|exhausted|exceeded) (?:your )?.{0,30}(?:quota|limit).{0,40}?(?:resets? (?:at|in) (.+))?$'],
    },
    { id: 'API error', says: 'error', region: 'last-item', any: ['^\\s?✕ (.+)$'] },
  ],
  motion: { counts: true, rest: 250 },
  prompt: { method: 'paste', settle: 400, startup: 800, folded: ['\\[Pasted Text: [^\\]]+\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['gemini', '--resume', '{id}'],
  farewell: '\\bgemini\\b.* --resume ([\\w-]{8,64})',
  shows: { context: '(\\d+% context (?:left|used))', task: `^\\s*[${SPIN}]\\s(\\S.*?)(?:…|\\.\\.\\.)? ?\\(esc` },
};
