// What the system says about processes, for both systems herd runs on: who is in front of a terminal, who belongs to it.

import type { Processes } from './process-row.ts';
import * as darwin from './processes.darwin.ts';
import * as linux from './processes.linux.ts';

export const processes: Processes = process.platform === 'darwin' ? darwin : linux;
