/** Takes the pictures, for those who ask: npx vitest run --config tests/pictures/vitest.config.ts. In no other run. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/pictures/*.pictures.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    // The portal as it is served: the bundle stays as the build has written it.
    server: { deps: { external: [/^(?!.*node_modules).*\/build\//] } },
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
