// Before tests that drive the built program: builds it once.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export default function setup(): void {
  execFileSync(process.execPath, ['build.ts'], { cwd: join(import.meta.dirname, '../..'), stdio: ['ignore', 'ignore', 'inherit'] });
}
