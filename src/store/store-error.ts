// The one error of this room: what went wrong with the files of a session, said once and for people.

import { KnownError } from '../model/known-error.ts';

export type StoreErrorCode = 'in-use' | 'full' | 'read-only' | 'broken' | 'closed' | 'failed';

/** `message` is one sentence, `hint` what to do about it. */
export class StoreError extends KnownError<StoreErrorCode> {
  constructor(code: StoreErrorCode, message: string, hint?: string) {
    super(code, message, hint);
    this.name = 'StoreError';
  }
}

/** SQLite's primary result codes that mean something to a person. */
const SQLITE = { readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 };

/** Turns what SQLite or the file system threw into a StoreError about `path`. */
export function explainFailure(cause: unknown, path: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const { errcode, code, message } = cause as { errcode?: number; code?: string; message?: string };
  const primary = (errcode ?? 0) & 0xff;
  if (primary === SQLITE.full || code === 'ENOSPC' || code === 'EDQUOT') {
    return new StoreError(
      'full',
      `No room left on the disk that holds ${path}: changes are kept in memory only.`,
      'Free some space; herd saves again with the next change.',
    );
  }
  if (primary === SQLITE.readonly || primary === SQLITE.cantopen || code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new StoreError('read-only', `Cannot write ${path}.`, 'Check the owner and permissions of its folder.');
  }
  if (primary === SQLITE.corrupt || primary === SQLITE.notadb) {
    return new StoreError(
      'broken',
      `The ledger ${path} is damaged.`,
      'Restart the server: it keeps the damaged file aside and starts a clean one.',
    );
  }
  return new StoreError('failed', `Saving to ${path} failed: ${message ?? String(cause)}.`);
}
