// Pi (1.6 measured on the alternate screen, 0.74 inline). The editor is two rules; the spinner turns on while a dialog waits in old versions.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const pi: Kind = {
  version: 1,
  id: 'pi',
  name: 'Pi',
  command: ['pi'],
  detect: { programs: ['pi'], scripts: ['pi-coding-agent'] },
  headless: ['-p', '--print'],
  titles: [],
  composer: {
    top: '^\\s*[─━]{2,}.*[─━]{3,}\\s*$',
    first: '^(.*)$',
    bottom: '^\\s*[─━]{8,}',
    rows: 40,
    footer: 8,
  },
  rules: [
    { id: 'spinner in the border', says: 'working', region: 'border', any: [`^\\s*[─━]+ [^\\s\\p{L}\\p{N}─━] \\S`] },
    {
      id: 'spinner row',
      says: 'working',
      region: 'above',
      rows: 4,
      any: [`^\\s?[${SPIN}] \\S.*(\\.\\.\\.|…|\\(\\w+ to (cancel|interrupt)\\))`],
      fresh: 4000,
    },
    { id: 'error', says: 'error', region: 'last-item', any: ['^\\s?Error: (.+)$'] },
  ],
  motion: { counts: true, rest: 250 },
  prompt: { method: 'paste', settle: 300, startup: 500, folded: ['\\[paste #\\d+[^\\]]*\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['pi', '--session', '{id}'],
  farewell: '\\bpi --session ([\\w-]{8,64})',
  shows: {
    context: '(\\d+(?:\\.\\d+)?%/\\d+(?:\\.\\d+)?[kM])',
    cost: '(\\$\\d+\\.\\d+)',
    task: `^\\s*[─━]+ [${SPIN}] (\\S.*?) [─━]+`,
  },
};
