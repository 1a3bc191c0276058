// A lock that the kernel gives back when its owner dies, whatever way: the only kind that makes replacing a stale socket safe.
import * as darwin from './lock.darwin.ts';
import * as linux from './lock.linux.ts';

/** Holds the lock of a runtime folder for as long as this process lives; false when another process has it. */
export const takeLock: (dir: string) => Promise<boolean> = process.platform === 'darwin' ? darwin.takeLock : linux.takeLock;
