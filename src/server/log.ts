// The log of a server: one line for what went wrong, with its time. Bounded, for a fault that comes with every key would fill the disk in a week.

/** Characters that one server writes at most; the holder puts a large log beside when the next one starts. */
const MOST = 4 * 1024 * 1024;

/** Writes lines by `write`; one that cannot be written, on a full disk, is lost and nothing else. */
export function createLog(write: (text: string) => void): (line: string) => void {
  let left = MOST;
  return (line) => {
    if (left <= 0) return;
    left -= line.length;
    try {
      write(`${new Date().toISOString()} ${line}\n${left <= 0 ? 'This log has its size: what comes now is left out.\n' : ''}`);
    } catch {
      // A file's write fails at once, in here.
    }
  };
}
