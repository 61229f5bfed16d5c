import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const unit = '{server,app,seed,emails,scripts,bench,bin}/**/*.test.{ts,tsx}'
const promises = 'tests/{promises,conventions,conformance}/**/*.test.{ts,tsx}'

/** The files of a project that is only there for who names it, as npm test and npm run test:long do. */
const whenNamed = (name: 'all' | 'machine' | 'long', include: string[]) =>
  process.argv.includes(`--project=${name}`) ? include : []

// Separate from vite.config.ts: the Remix plugin must not run in tests.
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [unit],
          exclude: ['**/node_modules/**', '**/*.long.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'promises',
          include: [promises],
          exclude: ['**/node_modules/**', '**/*.long.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          // Both at once: one cluster, one template, and a worker loads a module once for all of them (decision 0087).
          name: 'all',
          include: whenNamed('all', [unit, promises]),
          exclude: ['**/node_modules/**', '**/*.long.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          // Run by CI as another user: what only asks the database gives the same answer to both (decision 0151).
          name: 'machine',
          include: whenNamed('machine', [
            '{bench,bin,scripts,seed}/**/*.test.ts',
            'server/*.test.ts',
            'server/{audit,bulk,ccd,cli,http,jobs,mail,outbound,start,status}/**/*.test.ts',
          ]),
          exclude: [
            '**/node_modules/**',
            '**/*.long.test.ts',
            'seed/month/**',
            'seed/{invariants,practice-records}.test.ts',
            'server/audit/recorder.test.ts',
            'server/http/readiness.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: whenNamed('long', ['{server,tests}/**/*.long.test.ts']),
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
    // Loading the modules anew for every file costs more than the tests themselves.
    isolate: false,
    // What reads files only needs no PostgreSQL: npm run check.
    globalSetup: process.env.WITHOUT_DATABASE ? [] : ['tests/support/global-setup.ts'],
    // One more than cores: while one waits for the database, another computes.
    maxWorkers: availableParallelism() + 1,
    // For machines that are busy with something else; no test waits that long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    setupFiles: ['tests/support/at-end-of-file.ts'],
  },
})
