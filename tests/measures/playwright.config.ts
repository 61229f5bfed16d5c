/** Counts clicks, fields and scrolling: npm run test:long -- --clicks. In no other run. */
import { defineConfig } from '@playwright/test'
import journeys from '../../playwright.config.ts'

export default defineConfig(journeys, {
  testDir: '.',
  globalSetup: '../journeys/global-setup.ts',
  outputDir: '../../test-results/measures',
  reporter: [['list']],
  workers: 1,
  timeout: 180_000,
  use: { viewport: { width: 1_440, height: 900 } },
})
