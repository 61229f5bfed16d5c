/** What an evaluator does after `npm start`: the tour, four people, and pages that are not empty. */
import { join } from 'node:path'
import { paths } from '../../server/contract/portal/paths.ts'
import { findFaults } from '../support/axe.ts'
import { test as base, expect, testServer } from '../support/journey.ts'
import { done, headingOf } from '../support/journey-steps.ts'
import { developmentKey, startStack } from '../support/stack.ts'

/** The only stack with a history: what it has would be counted in the other journeys. */
const test = base.extend({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
    async ({}, use, { project, workerIndex }) => {
      const folder = join(project.outputDir, `demonstration-${workerIndex}`)
      const stack = await startStack(testServer(), folder, { history: true })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

test('an evaluator follows the tour, finds a month of work and submits an app without a network', async ({
  page,
  watch,
}) => {
  watch.allow(/status of 404/)
  expect((await page.goto(paths.tour))?.status()).toBe(404)
  await page.goto(`${paths.tour}?key=${developmentKey}`)
  await expect(page).toHaveURL(paths.tour)
  await expect(headingOf(page, 'See Sandpiper in ten minutes')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Demonstration' })).toBeVisible()
  expect(await findFaults(page)).toEqual([])

  await page.getByRole('button', { name: 'Sign in as Rhea' }).click()
  await expect(page).toHaveURL(paths.staff)
  await page.goto(paths.reviewQueue)
  const queue = page.getByRole('table', { name: 'Queue' })
  await expect(queue.getByRole('row')).toHaveCount(1 + 6)

  await page.goto(paths.tour)
  await page.getByRole('button', { name: 'Sign in as Dana' }).click()
  await expect(headingOf(page, 'Good to see you, Dana')).toBeVisible()
  await expect(page.getByText('Chart sync').first()).toBeVisible()

  // The websites of a registration answer without a network.
  await page.goto(`${paths.organization('larkfield-labs')}/apps`)
  await page.getByRole('link', { name: 'Larkfield Visit Planner' }).first().click()
  await page.getByLabel(/^I accept the registration terms/).check()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(done(page, 'Submitted. Both review clocks start today.')).toBeVisible()

  await page.goto(paths.tour)
  await page.getByRole('button', { name: 'Sign in as Theo' }).click()
  await expect(page).toHaveURL((url) => url.pathname === paths.practice)
  await page.goto(paths.practiceInbox)
  await expect(page.getByText('Larkfield Labs').first()).toBeVisible()

  await page.goto(paths.status)
  await expect(page.getByText('are made up')).toBeVisible()
  await expect(page.getByText('Apps could not complete sign-in')).toBeVisible()
})
