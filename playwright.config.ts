import { defineConfig, devices } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './tests/support/browser.ts'
import { keyboardOnly } from './tests/support/keyboard-only.ts'
import { joinedStackVariable } from './tests/support/stack.ts'

/**
 * On a stack of their own, or on processes of their own. They come last: a worker that goes from one stack to another
 * starts a server anew.
 */
const apart = ['demonstration', 'processes', 'proxy', 'sandpiper-command'].map((name) => `**/${name}.spec.ts`)

export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/journeys/global-setup.ts',
  // A journey takes at most 30 s on two idle cores, most take a few; the rest is for busy machines.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Each worker has a database, a mail server and a server of its own.
  workers: 2,
  fullyParallel: true,
  // A journey that fails now and then has a defect, or the product has one.
  retries: 0,
  forbidOnly: true,
  // Journeys whose promise a smaller test holds.
  grepInvert: process.env.SWEEP === 'whole' || keyboardOnly ? [] : /@long/,
  outputDir: 'test-results/journeys',
  projects: [
    { name: 'journeys', testIgnore: apart },
    { name: 'apart', testMatch: apart },
  ],
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: { executablePath: findBrowser(), args: BROWSER_FLAGS },
    // A trace costs half as much again as the journey; ask for one: npx playwright test --trace on
    trace: 'off',
    screenshot: 'only-on-failure',
    // A click waits until its button stands still.
    contextOptions: { reducedMotion: 'reduce' },
    // Of an installation that was set up to be tried.
    ignoreHTTPSErrors: Boolean(process.env[joinedStackVariable]),
  },
})
