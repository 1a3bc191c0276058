// Qwen Code (0.24 measured on the alternate screen, 0.15 inline). A still braille glyph beside "waiting" is a dialog, not work.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const qwen: Kind = {
  version: 1,
  id: 'qwen',
  name: 'Qwen Code',
  command: ['qwen'],
  detect: { programs: ['qwen'], scripts: ['@qwen-code/qwen-code'] },
  headless: ['-p', '--prompt'],
  titles: [
    { match: '^✳', says: 'blocked' },
    { match: `^[◐◑◒◓${SPIN}]`, says: 'working' },
  ],
  composer: {
    top: '^\\s*[─━╭]{2,}.*[─━╮]{3,}\\s*$',
    first: '^\\s*│?\\s?[>!*❯](?:\\s+(.*?))?\\s*│?$',
    bottom: '^\\s*[─━╰]{8,}',
    rows: 40,
    footer: 8,
    placeholder: ['^Type your message'],
  },
  rules: [
    {
      id: 'status row',
      says: 'working',
      region: 'above',
      rows: 3,
      any: [`^\\s*[${SPIN}]\\s.*esc to cancel`, '\\((?:\\d+[hms] ?)+ ?·.*esc to cancel\\)', `^\\s*[${SPIN}]\\s+\\S+.*(…|\\.\\.\\.)`],
      not: ['initializing', 'waiting for user confirmation'],
      fresh: 4000,
    },
    { id: 'footer: steer or queue', says: 'working', region: 'footer', any: ['enter to steer'] },
    {
      id: 'quota',
      says: 'usage-limit',
      region: 'above',
      any: ['^\\W{0,6}.{0,40}(?:quota|limit) (?:reached|exceeded).{0,40}?(?:resets? (?:at|in) (.+))?$'],
    },
    { id: 'API error', says: 'error', region: 'last-item', any: ['^\\s*✕\\s?\\[?(API Error.+)$'] },
  ],
  motion: { counts: true, rest: 250 },
  prompt: { method: 'paste', settle: 300, startup: 800, folded: ['\\[Pasted (Content|Text)[^\\]]*\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['qwen', '--resume', '{id}'],
  farewell: '\\bqwen\\b.* --resume ([\\w-]{8,64})',
  shows: { context: '(\\d+(?:\\.\\d)?% context (?:left|used))', task: `^\\s*[${SPIN}]\\s(\\S.*?)(?:…|\\.\\.\\.)? ?\\(\\d` },
};
