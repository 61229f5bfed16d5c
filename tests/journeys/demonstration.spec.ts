/** What an evaluator does after `npm start`: the tour, four people, and pages that are not empty. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { findFaults } from '../support/axe.ts'
import { enterDemonstration, test } from '../support/demonstration.ts'
import { expect } from '../support/journey.ts'
import { done, headingOf } from '../support/journey-steps.ts'
import { listVisits, type Role } from '../support/portal-pages.ts'
import { randomOf, type Sent, sendRandomForm } from '../support/random-use.ts'
import { findDisagreements } from '../support/shown-states.ts'
import { developmentKey, type Stack } from '../support/stack.ts'
import { sweepVisits } from '../support/sweep-visits.ts'

/** `npm run test:long` runs axe on the pages of every record, in every look, with their menus and dialogs open. */
const isFullSweep = process.env.SWEEP === 'whole'
/** Comma-separated parts of `<role> <path>`: only pages that contain one of them are swept. Empty: every page. */
const pageFilters = (process.env.SWEEP_ONLY ?? '').split(',')
const isFiltered = pageFilters.join('') !== ''

/** The full sweep has one test for each of these groups. */
const roleGroups: Readonly<Record<string, ReadonlySet<Role>>> = {
  'practices and staff': new Set(['practice', 'reviewer', 'operations']),
  developers: new Set(['developer']),
  visitors: new Set(['visitor', 'patient']),
}

// The tests run one after the other on one stack: creating its month of history takes longer than they do.
test.describe.configure({ mode: 'default' })

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
  await expect(page).toHaveURL(paths.reviewQueue)
  const queue = page.getByRole('table', { name: 'Queue' })
  await expect(queue.getByRole('row')).toHaveCount(1 + 6)

  await page.goto(paths.tour)
  await page.getByRole('button', { name: 'Sign in as Dana' }).click()
  await expect(headingOf(page, 'Good to see you, Dana')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Larkfield referral letters' })).toBeVisible()

  // The websites of a registration answer without a network.
  await page.goto(`${paths.organization('larkfield-labs')}/apps`)
  await page.getByRole('link', { name: 'Larkfield Visit Planner' }).first().click()
  await page.getByRole('link', { name: 'Registration', exact: true }).click()
  await page.getByLabel(/^I accept the registration terms/).check()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(done(page, 'Submitted. Both review clocks start today.')).toBeVisible()

  await page.goto(paths.tour)
  await page.getByRole('button', { name: 'Sign in as Theo' }).click()
  await expect(page).toHaveURL((url) => url.pathname === paths.practice)
  await page.goto(paths.practiceInbox)
  await expect(page.getByText('Larkfield Labs').first()).toBeVisible()

  await page.goto(paths.status)
  await expect(page.getByText('are sample data')).toBeVisible()
  await expect(page.getByText('Apps could not complete sign-in')).toBeVisible()
})

/** Random forms skip these pages, whose forms end a sign-in or change roles. */
const skippedPaths = /\/(account|members|people|sessions|second-steps?|confirm-password|practice\/staff)/

const signedInRoles = ['developer', 'practice', 'reviewer', 'operations'] as const

for (const [name, forms] of [
  ['all pages show the same state of a record, and counts that match their lists', 0],
  ['@long they still do after some hundred random forms', 400],
] as const)
  test(name, async ({ openBrowser, stack, folder, watch }) => {
    test.setTimeout(1_200_000)
    watch.allow(/status of 4\d\d/)
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const random = randomOf(seed)
    const pages = new Map<string, Page>()
    for (const role of signedInRoles) {
      const page = await openBrowser()
      pages.set(role, page)
      await enterDemonstration(page, { role, organization: 'larkfield-labs' }, folder)
      await page.goto(paths.status)
    }
    const list = async () =>
      (await listVisits(stack)).filter(({ organization }) => organization === 'larkfield-labs')
    const sent: Sent[] = []
    let visits = await list()
    for (let at = 0; sent.length < forms && at < 4 * forms; at++) {
      if (at % 50 === 49) visits = await list()
      const visit = visits[Math.floor(random() * visits.length)]
      const page = pages.get(visit?.role ?? '')
      if (!visit || !page || skippedPaths.test(visit.path)) continue
      const form = await sendRandomForm(page, visit.path, Math.floor(random() * 2 ** 32))
      if (form) sent.push(form)
    }
    const accepted = sent.filter(({ status }) => status < 400).length
    if (forms > 0) console.log(`SEED=${seed}: ${sent.length} forms, ${accepted} of them accepted`)

    visits = await list()
    for (const role of signedInRoles) {
      const page = pages.get(role) as Page
      const opened = visits.filter((visit) => visit.role === role).map(({ path }) => path)
      const { disagreements, rows, counts } = await findDisagreements(page, opened)
      expect({ role, disagreements, seed }).toEqual({ role, disagreements: [], seed })
      // By chance, operations may have stopped the whole practice.
      const isStopped = role === 'practice' && forms > 0
      if (!isStopped) expect(Math.min(rows, counts), `${role}: rows and counts compared`).toBeGreaterThan(0)
    }
  })

for (const [who, roles] of isFullSweep ? Object.entries(roleGroups) : [])
  test(`axe finds nothing on any page of ${who}`, async ({ openBrowser, stack, folder, watch }, info) => {
    test.setTimeout(4 * 3_600_000)
    watch.allow(/status of 4\d\d/)
    if (who === 'visitors') await requestPasswordReset(await openBrowser())
    if (who === 'developers') await refuseAssertion(stack)

    const visits = (await listVisits(stack)).filter(
      ({ role, path }) => roles.has(role) && pageFilters.some((part) => `${role} ${path}`.includes(part)),
    )
    const toSee = new Set(visits.map(({ pattern }) => pattern))
    const begin = Date.now()
    const report = join(info.config.rootDir, '../../test-results', `faults-${who.replaceAll(' ', '-')}.txt`)
    writeFileSync(report, '')
    const swept = await sweepVisits(visits, { openBrowser, folder, report })
    const { faults, seen, addresses, parts, elsewhere } = swept
    const minutes = Math.round((Date.now() - begin) / 60_000)
    console.log(
      `${who}: ${addresses} addresses of ${seen.size} pages, ${parts} opened parts, ${minutes} minutes; ${elsewhere} addresses led elsewhere`,
    )

    // A pattern is unseen when no record is in a state that shows its page.
    const unseen = isFiltered ? [] : [...toSee].filter((pattern) => !seen.has(pattern))
    expect({ faults, unseen }).toEqual({ faults: [], unseen: [] })
  })

/** Gives the mailbox page an email to show. */
async function requestPasswordReset(page: Page): Promise<void> {
  await page.goto(paths.forgotPassword)
  await page.getByLabel(/email/i).fill('dana.sandboxer@larkfield.example')
  await page.getByRole('main').getByRole('button').click()
  await expect(headingOf(page, 'Check your email')).toBeVisible()
}

/** Gives the page that explains refused assertions one to show. */
async function refuseAssertion({ origin }: Stack): Promise<void> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const answer = await fetch(`${origin}/r4/sandpiper-demonstration/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'system/*.rs',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part({ alg: 'RS384', kid: 'of-last-year' })}.${part({ iss: 'sample-backend-system' })}.c2ln`,
    }),
  })
  expect(answer.status).toBe(401)
}
