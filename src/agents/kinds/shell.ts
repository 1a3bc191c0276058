// A shell: idle at its prompt, working while another program is in front. Gets no prompts from herd.
import type { Kind } from './kind.ts';

export const shell: Kind = {
  version: 1,
  id: 'shell',
  name: 'Shell',
  command: [],
  detect: { programs: ['sh', 'bash', 'zsh', 'fish', 'dash', 'ksh', 'nu'], scripts: [] },
  titles: [],
  composer: null,
  rules: [],
  motion: { counts: false, rest: 3000 },
  prompt: { method: 'none', settle: 300, startup: 0, folded: [] },
  keys: { approve: [], reject: [], interrupt: ['ctrl+c'], exit: ['ctrl+d'] },
  resume: null,
  farewell: null,
  shows: {},
};
