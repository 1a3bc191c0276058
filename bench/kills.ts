// `npm run bench kills`: two recorded agents, and a server killed 500 times at random; in the end screens and input logs are those of an
// undisturbed run. Not part of a plain run: it takes some ten minutes.
import { spawnSync } from 'node:child_process';
import type { Row } from './figures.ts';

const KILLS = 500;

export async function kills(): Promise<Row[]> {
  const start = performance.now();
  const { status } = spawnSync('vitest', ['run', 'test/e2e/kill-safety.test.ts'], {
    env: { ...process.env, HERD_KILLS: String(KILLS) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return [
    {
      measure: `${KILLS} kill -9 of the server`,
      must: 'cells and input equal',
      figure: status === 0 ? 'equal' : 'differ',
      holds: status === 0,
      detail: `${((performance.now() - start) / 1000).toFixed(0)} s`,
    },
  ];
}
