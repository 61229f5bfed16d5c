/**
 * Pages at the size of a large installation: 1,000 practices, 10,000 keys, 5,000 apps of one organization. What a page
 * weighs is bounded, whatever it lists; how long each took is attached to the test's report.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { paths } from '../../server/contract/portal/paths.ts'
import { test as base, expect, testServer } from '../support/journey.ts'
import { addPerson, addPracticePerson, type Person } from '../support/journey-people.ts'
import { enterAsStaff, fillSignIn, settleIn, setUpMfa } from '../support/journey-steps.ts'
import { addLargeOrganization, addPractices } from '../support/large-installation.ts'
import { startStack } from '../support/stack.ts'

/** Of the HTML before compression: two lists of fifty rows stay below it, one without pages does not. */
const htmlBytesMax = 400_000

// A database of its own: other journeys look for their practice in a short directory.
const test = base.extend({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
    async ({}, use, { project, workerIndex }) => {
      const stack = await startStack(testServer(), join(project.outputDir, `large-${workerIndex}`))
      await addPractices(stack.owner, 1_000)
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** Bytes and milliseconds of each page, the second time it is asked for. */
async function weigh(page: Page, addresses: readonly string[], attach: (text: string) => Promise<void>) {
  const weights: { path: string; bytes: number; milliseconds: number }[] = []
  for (const path of addresses) {
    await getWithinLimit(page, path)
    const { response, milliseconds } = await getWithinLimit(page, path)
    expect(response.status(), path).toBe(200)
    weights.push({ path, bytes: (await response.body()).length, milliseconds })
  }
  await attach(
    weights.map(({ path, bytes, milliseconds }) => `${bytes}\t${milliseconds} ms\t${path}`).join('\n'),
  )
  return weights.filter(({ bytes }) => bytes > htmlBytesMax)
}

/** A fast machine asks for more than twenty pages a second, which is what an address may have. */
async function getWithinLimit(page: Page, path: string) {
  for (;;) {
    const begin = performance.now()
    const response = await page.request.get(path, { maxRedirects: 0 })
    const milliseconds = Math.round(performance.now() - begin)
    if (response.status() !== 429) return { response, milliseconds }
    await setTimeout(Number(response.headers()['retry-after']) * 1_000)
  }
}

const attachTo =
  (testInfo: { attach: (name: string, options: { body: string; contentType: string }) => Promise<void> }) =>
  (body: string) => {
    if (process.env.SHOW_WEIGHTS) console.log(body)
    return testInfo.attach('weights', { body, contentType: 'text/plain' })
  }

async function organizationIdOf(owner: pg.Pool, organization: string): Promise<string> {
  const slug = organization.split('/').at(-1)
  const { rows } = await owner.query<{ id: string }>('SELECT id FROM portal.organization WHERE slug = $1', [
    slug,
  ])
  return rows[0]?.id ?? ''
}

test('public pages of a large installation stay small', async ({ page }, testInfo) => {
  const found = await weigh(
    page,
    [
      '/',
      '/directory',
      '/directory?environment=sandbox',
      '/directory?q=practice+999',
      '/status',
      '/explorer',
    ],
    attachTo(testInfo),
  )

  expect(found).toEqual([])
  await page.goto('/directory?q=practice+999')
  await expect(page.getByText('Placeholder Practice 999', { exact: true })).toBeVisible()
})

test('pages of an organization with 300 keys and 5,000 apps stay small', async ({
  page,
  stack,
  developer,
}, testInfo) => {
  const person: Person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  const id = await organizationIdOf(stack.owner, organization)
  await addLargeOrganization(stack.owner, id, person.accountId)

  const found = await weigh(
    page,
    [
      organization,
      ...[
        'keys',
        'keys?show=ended',
        'keys/new',
        'production-keys',
        'production-keys/new',
        'security-profile',
      ],
      ...['apps', 'agreements', 'members', 'settings', 'go-live', 'registrations/new'],
      ...['sandbox', 'sandbox/faults', 'sandbox/launch', 'sandbox/bulk'],
      ...[paths.explorer, '/explorer/fhir', '/explorer/mcp', '/explorer/history'],
      ...['/account', '/account/sessions'],
    ].map((path) => (path.startsWith('/') ? path : `${organization}/${path}`)),
    attachTo(testInfo),
  )

  expect(found).toEqual([])
})

test('an app among 5,000 is found by its name, with and without a script', async ({
  page,
  stack,
  developer,
  openBrowser,
}) => {
  const person: Person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  const id = await organizationIdOf(stack.owner, organization)
  await addLargeOrganization(stack.owner, id, person.accountId)
  const plain = await openBrowser({ javaScriptEnabled: false })
  await plain.context().addCookies(await page.context().cookies())

  for (const each of [page, plain])
    for (const [path, label, search] of [
      ['sandbox/launch', 'App', 'Find an app'],
      ['sandbox/bulk', 'App', 'Find an app'],
      ['sandbox/faults', 'Key or app', 'Find a key or app'],
    ] as const) {
      await each.goto(`${organization}/${path}`)
      const choice = each.getByLabel(label, { exact: true })
      await expect(choice.getByRole('option', { name: /^Tidepath 4998\b/ })).toHaveCount(0)
      await each.getByRole('searchbox', { name: search }).fill('tidepath 4998')
      await each.getByRole('search', { name: search }).getByRole('button', { name: 'Search' }).click()
      await expect(choice.getByRole('option', { name: /^Tidepath 4998\b/ })).toHaveCount(1)
      await expect(choice).toHaveValue(/tidepath-.*-4998$/)
    }

  await page.getByRole('button', { name: 'Enable faults' }).click()
  await expect(page.getByText('Tidepath 4998 (app)').first()).toBeVisible()
})

test('pages of the staff of a large installation stay small', async ({ page, stack }, testInfo) => {
  const bearer = await addPerson(stack.owner, { realm: 'developer', name: 'Robin Testwell' })
  await addLargeOrganization(stack.owner, null, bearer.accountId)
  const person = await addPerson(stack.owner, { realm: 'staff', name: 'Odell Placeholder', staffRole: 'ops' })
  await enterAsStaff(page, person)

  const found = await weigh(
    page,
    [
      ...[paths.staff, paths.keyLimits, paths.statusOverrides, paths.staffIncidents, paths.staffJobs],
      ...[paths.staffMail, paths.staffSessions, paths.staffPractices, paths.staffCredentials],
      ...[
        paths.staffAudit,
        paths.staffAgreements,
        paths.staffConstants,
        paths.staffMfaList,
        paths.staffPeople,
      ],
    ],
    attachTo(testInfo),
  )

  expect(found).toEqual([])
})

test('pages of reviewers stay small', async ({ page, stack }, testInfo) => {
  const reviewer = { realm: 'staff', name: 'Odell Placeholder', staffRole: 'reviewer' } as const
  await enterAsStaff(page, await addPerson(stack.owner, reviewer))

  expect(
    await weigh(
      page,
      [
        ...[paths.staff, paths.reviewQueue, `${paths.reviewQueue}?kind=production_key`],
        ...[paths.reviewWorkload, paths.savedReplies],
      ],
      attachTo(testInfo),
    ),
  ).toEqual([])
})

test('pages of a practice stay small', async ({ page, stack }, testInfo) => {
  const bearer = await addPerson(stack.owner, { realm: 'developer', name: 'Robin Testwell' })
  await addLargeOrganization(stack.owner, null, bearer.accountId)
  const person = await addPracticePerson(stack.owner, 'admin')
  await page.goto(paths.practiceSignIn)
  await fillSignIn(page, person)
  await setUpMfa(page)

  const rest = [
    'settings',
    'requests',
    'recertification',
    'audit',
    'staff',
    'systems',
    'apps',
    'sessions',
    'exports',
    'agreements',
  ]
  expect(
    await weigh(page, ['/practice', ...rest.map((each) => `/practice/${each}`)], attachTo(testInfo)),
  ).toEqual([])
})
