// Two projects: `unit` runs beside the code in seconds, `e2e` drives built processes, real PTYs and real repositories.
import { defineConfig } from 'vitest/config';

/** Limits that only what hangs comes to, ms: a test is never ended because the machine is slow. */
const LIMITS = { testTimeout: 600_000, hookTimeout: 240_000, expect: { poll: { timeout: 120_000 } } };

export default defineConfig({
  cacheDir: '.cache/vite',
  test: {
    reporters: ['default', ['json', { outputFile: '.cache/tests.json' }]],
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], ...LIMITS } },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
          maxWorkers: 2,
          ...LIMITS,
        },
      },
    ],
  },
});
