// Factory Droid (0.215: only its login was measured; the rest is from public descriptions of its screen).
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const droid: Kind = {
  version: 1,
  id: 'droid',
  name: 'Droid',
  command: ['droid'],
  detect: { programs: ['droid'], scripts: [] },
  headless: ['exec'],
  titles: [],
  composer: {
    top: '^\\s*[╭─]─{8,}',
    first: '^\\s*│?\\s*[>❯](?:\\s+(.*?))?\\s*│?$',
    bottom: '^\\s*[╰─]─{8,}',
    rows: 40,
    footer: 8,
    placeholder: ['^Try "'],
  },
  rules: [{ id: 'status row', says: 'working', region: 'above', any: [`^\\s*[${SPIN}]\\s.*`, '\\besc to (stop|interrupt)\\b'] }],
  motion: { counts: true, rest: 2000 },
  prompt: { method: 'paste', settle: 300, startup: 1000, folded: ['\\[Pasted [^\\]]+\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['droid', '--resume', '{id}'],
  farewell: null,
  shows: {},
};
