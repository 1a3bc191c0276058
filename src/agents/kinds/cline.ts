// Cline CLI (3.0 measured). The newest item of the transcript carries the spinner; the prompt box stays.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const cline: Kind = {
  version: 1,
  id: 'cline',
  name: 'Cline',
  command: ['cline'],
  detect: { programs: ['cline'], scripts: ['node_modules/cline/'] },
  titles: [],
  composer: {
    top: '^\\s*[─━]{8,}\\s*$',
    first: '^\\s*[❯>](?:\\s+(.*?))?$',
    bottom: '^\\s*[─━]{8,}\\s*$',
    rows: 40,
    footer: 8,
    placeholder: ['^Ask anything', '^What can I do for you'],
  },
  rules: [
    { id: 'spinner at the newest item', says: 'working', region: 'last-item', any: [`^\\s{0,2}[${SPIN}]\\s`], fresh: 4000 },
    { id: 'status row', says: 'working', region: 'above', rows: 4, any: ['^\\s{0,2}\\S.*\\(esc to (cancel|interrupt)\\)$'], fresh: 4000 },
    { id: 'error', says: 'error', region: 'last-item', any: ['^\\s*(?:✗|✕|×|!)\\s(.+)$', '^\\s*\\*?\\s?(Error:? .+)$'] },
  ],
  motion: { counts: true, rest: 250 },
  prompt: { method: 'paste', settle: 300, startup: 800, folded: ['\\[Pasted [^\\]]+\\]'] },
  keys: { approve: [], reject: [], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['cline', '--id', '{id}'],
  farewell: null,
  shows: { cost: '(\\$\\d+\\.\\d\\d)', context: '\\((\\d+)\\) \\$' },
};
