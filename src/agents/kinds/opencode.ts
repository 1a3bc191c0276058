// opencode (1.18 measured). No state in its title; a bar of squares and "esc interrupt" below the prompt while it works.
import type { Kind } from './kind.ts';

export const opencode: Kind = {
  version: 1,
  id: 'opencode',
  name: 'opencode',
  command: ['opencode'],
  detect: { programs: ['opencode'], scripts: ['opencode-ai'] },
  headless: ['run'],
  titles: [],
  composer: {
    first: '^\\s*┃\\s*(.*)$',
    more: '^\\s*┃',
    bottom: '^\\s*╹▀{8,}',
    trailer: 1,
    rows: 30,
    footer: 8,
    placeholder: ['^Ask anything', '^Run a command'],
  },
  rules: [
    {
      id: 'footer: esc interrupt',
      says: 'working',
      region: 'footer',
      any: [
        '[⬝■▪▫·•]{4,}',
        '\\besc (again to )?interrupt',
        '^\\s*\\[?⋯\\]?\\s',
        '\\besc\\b.{0,80}\\binterrupt\\b',
        '\\[retrying (in|attempt)',
      ],
    },
    // What a person opens by rejecting: a field for what to do instead. The agent's turn has ended.
    { id: 'reject note', says: 'rest', region: 'bottom', rows: 12, any: ['△ reject permission'], finish: ['enter'] },
    { id: 'error', says: 'error', region: 'last-item', any: ['^\\s*┃\\s+(\\w*error\\b.+)$'] },
  ],
  motion: { counts: true, rest: 150 },
  prompt: { method: 'paste', settle: 400, startup: 1000, folded: ['\\[Pasted ~?\\d+ lines?[^\\]]*\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape', 'escape'], exit: ['ctrl+c'] },
  resume: ['opencode', '--session', '{id}'],
  farewell: '\\bopencode -s (ses_\\w{8,64})',
  shows: { context: '(\\d[\\d.,]*[KM]?\\s+\\(\\d+%\\))', cost: '(\\$\\d+\\.\\d\\d)' },
};
