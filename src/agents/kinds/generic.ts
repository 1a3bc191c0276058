// Any command herd knows nothing of: OSC 7501 when it speaks it, dialogs by their form, else motion. At rest its state is unknown, never idle.
import type { Kind } from './kind.ts';

export const generic: Kind = {
  version: 1,
  id: 'generic',
  name: 'Command',
  command: [],
  detect: { programs: [], scripts: [] },
  titles: [],
  composer: null,
  rules: [],
  motion: { counts: true, rest: 3000 },
  prompt: { method: 'paste', settle: 400, startup: 1000, folded: ['\\[Pasted [^\\]]+\\]'] },
  keys: { approve: [], reject: [], interrupt: ['ctrl+c'], exit: ['ctrl+d'] },
  resume: null,
  farewell: null,
  shows: {},
};
