// Which program a process runs, where it works, and who is in front of its terminal, by platform.
import * as darwin from './process-looks.darwin.ts';
import * as linux from './process-looks.linux.ts';

interface ProcessLooks {
  programName(pid: number): Promise<string | null>;
  workingFolder(pid: number): Promise<string | null>;
  foregroundGroup(pid: number): Promise<number | null>;
}

export const processLooks: ProcessLooks = process.platform === 'darwin' ? darwin : linux;
