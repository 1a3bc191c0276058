// Which program a process runs and where it works, by platform.
import * as darwin from './process-looks.darwin.ts';
import * as linux from './process-looks.linux.ts';

interface ProcessLooks {
  programName(pid: number): Promise<string | null>;
  workingFolder(pid: number): Promise<string | null>;
}

export const processLooks: ProcessLooks = process.platform === 'darwin' ? darwin : linux;
