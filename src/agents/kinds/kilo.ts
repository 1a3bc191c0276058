// Kilo CLI (7.7 measured): opencode's screen under another name.
import type { Kind } from './kind.ts';
import { opencode } from './opencode.ts';

export const kilo: Kind = {
  ...opencode,
  id: 'kilo',
  name: 'Kilo',
  command: ['kilo'],
  detect: { programs: ['kilo', 'kilocode'], scripts: ['@kilocode/cli'] },
  resume: ['kilo', '--session', '{id}'],
  farewell: '\\bkilo (?:-s|--session) (ses_\\w{8,64})',
};
