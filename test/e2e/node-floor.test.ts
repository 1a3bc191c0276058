// A Node that is too old is told before anything else is tried.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

test.each(['18.20.4', '20.19.0', '22.21.1'])('Node %s is refused with what to do', (version) => {
  const older = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const run = () =>
    execFileSync(process.execPath, ['--import', older, MAIN, 'ls'], { encoding: 'utf8', stdio: 'pipe', env: { PATH: process.env.PATH } });
  expect(run).toThrow(
    expect.objectContaining({ status: 1, stderr: expect.stringMatching(`needs Node .* or newer, this is ${version} .*: install`) }),
  );
});
