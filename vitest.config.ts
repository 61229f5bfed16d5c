import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Separate from vite.config.ts: the Remix plugin must not run in tests.
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{server,app,seed,emails,scripts,bench}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.long.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'promises',
          include: ['tests/{promises,house,conformance}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.long.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          // Only npm run test:long names this project.
          include: process.argv.includes('--project=long') ? ['{server,tests}/**/*.long.test.ts'] : [],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
    // Loading the modules anew for every file costs more than the tests themselves.
    isolate: false,
    globalSetup: ['tests/support/global-setup.ts'],
    // Left to itself it keeps one of two cores free.
    maxWorkers: Math.max(2, availableParallelism()),
    // For machines that are busy with something else; no test waits that long.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
