// An empty folder of a test's own, removed when the test has finished.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { REMOVE_TRIES } from './repository.ts';

/** Its path, short enough for sockets in it. Call in a test or in what runs before each. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ht-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES }));
  return folder;
}
