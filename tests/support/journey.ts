/**
 * Playwright's `test` on a stack of its own: each worker has a database, a mail server and a running built
 * server; each test has watched browsers. Import `test` and `expect` from here.
 */
import { join } from 'node:path'
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { addDeveloper, addOps, type Person } from './journey-people.ts'
import { installKeyboard, keyboardOnly, takeKeyboardProblems } from './keyboard-only.ts'
import type { MailReceiver } from './mail-receiver.ts'
import { createPageWatch, type PageWatch } from './page-watch.ts'
import { type SampleApp, startSampleApp } from './sample-app.ts'
import { joinedStackVariable, joinStack, type Stack, startStack } from './stack.ts'
import type { TestServer } from './test-server.ts'

/** Where the global setup leaves the addresses of PostgreSQL. */
export const testServerVariable = 'SANDPIPER_TEST_SERVER'

type WorkerFixtures = {
  stack: Stack
  /**
   * An app on an origin of its own, for the journeys that ask for it. It outlives every page that may still ask it for
   * something. Here and not with those journeys: other fixtures of a worker would be another worker, with a stack.
   */
  app: SampleApp
}

type JourneyFixtures = {
  mails: MailReceiver
  /** Fails the test at its end for any console error, policy violation, stranger's origin or 5xx. */
  watch: PageWatch
  /** One more browser, with cookies of its own, watched too. */
  openBrowser: (options?: BrowserContextOptions) => Promise<Page>
  /** Accounts with a confirmed address. */
  developer: (name?: string) => Promise<Person>
  ops: (name?: string) => Promise<Person>
  /** Run with every test. */
  aroundEach: undefined
  keyboard: undefined
}

export function testServer(): TestServer {
  const text = process.env[testServerVariable]
  if (!text) throw new Error(`${testServerVariable} is missing: journeys run by npx playwright test`)
  return JSON.parse(text) as TestServer
}

export const test = base.extend<JourneyFixtures, WorkerFixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
    async ({}, use, { project, workerIndex }) => {
      const joined = process.env[joinedStackVariable]
      // Playwright empties this folder at the start of a run.
      const stack = joined
        ? await joinStack(JSON.parse(joined))
        : await startStack(testServer(), join(project.outputDir, `server-${workerIndex}`))
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const app = await startSampleApp()
      await use(app)
      await app.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ stack }, use) => use(stack.origin),
  mails: async ({ stack }, use) => use(stack.mails),
  watch: async ({ stack }, use) => {
    const watch = createPageWatch(stack.origin)
    await use(watch)
    expect(watch.problems(), 'what the pages complained about').toEqual([])
  },
  context: async ({ context, watch }, use) => {
    await watch.add(context)
    await use(context)
  },
  openBrowser: async ({ browser, stack, watch }, use) => {
    const opened: Page[] = []
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: stack.origin, ...options })
      await watch.add(context)
      const page = await context.newPage()
      opened.push(page)
      return page
    })
    for (const page of opened) await page.context().close()
  },
  developer: async ({ stack }, use) => use((name) => addDeveloper(stack.owner, name)),
  ops: async ({ stack }, use) => use((name) => addOps(stack.owner, name)),
  aroundEach: [
    async ({ stack, watch }, use, testInfo) => {
      const start = stack.log().length
      // All journeys come from one address: none may use up the mails of another.
      await stack.owner.query('DELETE FROM portal.throttle')
      await use(undefined)
      if (testInfo.status !== testInfo.expectedStatus) {
        const log = stack.log(start)
        await testInfo.attach('server.log', { body: log, contentType: 'text/plain' })
        // The report shows two lines of an attachment; these say why a page was not the expected one.
        console.log([testInfo.title, ...watch.problems(), ...refusalsIn(log)].join('\n  '))
      }
    },
    { auto: true },
  ],
  keyboard: [
    async ({ browser }, use, testInfo) => {
      if (!keyboardOnly) return use(undefined)
      const page = await browser.newPage()
      installKeyboard(page)
      await page.close()
      // Every element on the way is a press.
      testInfo.setTimeout(testInfo.timeout * 4)
      await use(undefined)
      expect(takeKeyboardProblems(), 'what a person without a mouse would stumble over').toEqual([])
    },
    { auto: true },
  ],
})

/** The last lines of a server's log about requests that were refused or failed. */
function refusalsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => /"status":[45]|"level":"(?:warn|error|fatal)"/.test(line))
  return lines.slice(-10)
}

export { expect }
