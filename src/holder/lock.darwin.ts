// Lock by opening a file with O_EXLOCK, which macOS has and Node passes through: taken and opened in one step, gone with the process.
import { constants, openSync } from 'node:fs';
import { join } from 'node:path';

/** From macOS's <sys/fcntl.h>; Node has no name for it. */
const O_EXLOCK = 0x20;

/** See lock.ts. The descriptor stays open on purpose. */
export async function takeLock(dir: string): Promise<boolean> {
  try {
    openSync(join(dir, 'lock'), constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return false;
    throw error;
  }
}
