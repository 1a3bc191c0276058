// Which programs tell the desktop of this machine, by platform.
import { desktopPrograms as darwin } from './desktop.darwin.ts';
import { desktopPrograms as linux } from './desktop.linux.ts';

/** Command lines to try, the best first; the first whose program there is is run. */
export const desktopPrograms: (title: string, body: string) => string[][] = process.platform === 'darwin' ? darwin : linux;
