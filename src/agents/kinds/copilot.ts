// GitHub Copilot CLI (1.0.102 measured). Its last row is the only sign of work; OSC 9;4 runs on while a dialog waits.
import { SPIN } from './glyphs.ts';
import type { Kind } from './kind.ts';

export const copilot: Kind = {
  version: 1,
  id: 'copilot',
  name: 'Copilot',
  command: ['copilot'],
  detect: { programs: ['copilot'], scripts: ['@github/copilot'] },
  headless: ['-p', '--prompt'],
  titles: [],
  composer: {
    top: '^\\s*(╻▄{8,}|[╭─]─{8,})',
    first: '^\\s?(?:┃|│?\\s*[❯>])\\s?(.*?)\\s*│?$',
    bottom: '^\\s*(╹▀{8,}|[╰─]─{8,})',
    rows: 40,
    footer: 6,
    placeholder: ['^Enter @ to mention', '^Describe a task'],
  },
  rules: [
    {
      id: 'footer: esc interrupt',
      says: 'working',
      region: 'footer',
      any: [`^\\s*[◉◎○●∙◌◍⬤${SPIN}]\\s+\\S+.*\\besc\\b`, '\\besc (esc )?(to )?(interrupt|edit prompt|cancel)'],
    },
    {
      id: 'status row',
      says: 'working',
      region: 'above',
      rows: 4,
      any: [`^\\s*[◉◎○●∙${SPIN}]\\s+\\S.*\\(esc to (cancel|interrupt)`],
    },
    { id: 'error', says: 'error', region: 'last-item', any: ['^\\s*✗ (.+)$'] },
  ],
  motion: { counts: true, rest: 150 },
  prompt: { method: 'paste', settle: 300, startup: 800, folded: ['\\[Paste(d)? #?\\d+[^\\]]*\\]'] },
  keys: { approve: [], reject: ['escape'], interrupt: ['escape', 'escape'], exit: ['ctrl+c', 'ctrl+c'] },
  resume: ['copilot', '--resume', '{id}'],
  farewell: '\\bcopilot\\b.* --resume[= ]([\\w-]{8,64})',
  shows: { context: '(\\d+% context (?:left|used))' },
};
