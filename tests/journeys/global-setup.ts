import { existsSync } from 'node:fs'
import { testServerVariable } from '../support/journey.ts'
import { joinedStackVariable } from '../support/stack.ts'
import { startTestServer } from '../support/test-server.ts'

/**
 * Starts the PostgreSQL whose databases the workers take, and hands its addresses to them in the environment,
 * as Playwright does it: https://playwright.dev/docs/test-global-setup-teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env[joinedStackVariable]) return async () => {}
  if (!existsSync('build/server/index.js') || !existsSync('build/portal/server/index.js'))
    throw new Error('The journeys run the built server. Build it first: npm run build')
  const { server, stop } = await startTestServer(process.env.DATABASE_URL || undefined)
  process.env[testServerVariable] = JSON.stringify(server)
  return stop
}
