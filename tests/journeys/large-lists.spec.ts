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
import { addPerson, addPracticePerson } from '../support/journey-people.ts'
import { enterWithMfa, settleIn } from '../support/journey-steps.ts'
import { startStack } from '../support/stack.ts'

/** Of the HTML before compression: two lists of fifty rows stay below it, one without pages does not. */
const htmlBytesMax = 400_000

// A database of its own: other journeys look for their practice in a short directory.
const test = base.extend({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
    async ({}, use, { project, workerIndex }) => {
      const stack = await startStack(testServer(), join(project.outputDir, `large-${workerIndex}`))
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const organizationPages = [
  '',
  ...['/keys', '/keys?show=ended', '/keys/new', '/keys?show=production', '/production-keys/new', '/logs'],
  ...['/security-profile', '/apps', '/agreements', '/members', '/settings'],
  ...['/registrations/new', '/sandbox', '/sandbox/faults', '/sandbox/launch'],
]
const developerPages = [
  ...[paths.explorer, '/explorer/fhir', '/explorer/mcp'],
  ...['/account', '/account/sessions'],
]
const publicPages = [
  ...['/', '/directory', '/directory?environment=sandbox', '/directory?q=practice+999'],
  ...['/status', '/explorer'],
]
const operationsPages = [
  ...[paths.keyLimits, paths.staffIncidents, paths.staffJobs],
  ...[paths.staffMail, paths.staffSessions, paths.staffPractices, paths.staffCredentials],
  ...[paths.staffAudit, paths.staffAgreements, paths.staffMfaList, paths.staffPeople],
]
const reviewerPages = [...[paths.reviewQueue, `${paths.reviewQueue}?kind=production_key`]]
const practicePages = [
  ...['', '/settings', '/requests', '/audit', '/staff', '/systems'],
  ...['/apps', '/sessions', '/exports', '/agreements'],
].map((path) => `/practice${path}`)

test('every page of a large installation stays small, and what is looked for is found @long', async ({
  page,
  stack,
  developer,
  openBrowser,
}, testInfo) => {
  const weights: string[] = []
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await enlarge(stack.owner, organization.split('/').at(-1) ?? '', person.accountId)
  const [visitor, operator, reviewer, admin, plain] = [
    await openBrowser(),
    await openBrowser(),
    await openBrowser(),
    await openBrowser(),
    await openBrowser({ javaScriptEnabled: false }),
  ]
  const staff = { realm: 'staff', name: 'Odell Placeholder' } as const
  await enterWithMfa(operator, await addPerson(stack.owner, { ...staff, staffRole: 'ops' }))
  await enterWithMfa(reviewer, await addPerson(stack.owner, { ...staff, staffRole: 'reviewer' }))
  await enterWithMfa(admin, await addPracticePerson(stack.owner, 'admin'), 'practice')

  for (const [who, addresses] of [
    [visitor, publicPages],
    [page, [...organizationPages.map((path) => `${organization}${path}`), ...developerPages]],
    [operator, operationsPages],
    [reviewer, reviewerPages],
    [admin, practicePages],
  ] as const)
    for (const path of addresses) {
      const { bytes, milliseconds } = await weigh(who, path)
      weights.push(`${bytes}\t${milliseconds} ms\t${path}`)
      expect.soft(bytes, path).toBeLessThanOrEqual(htmlBytesMax)
    }
  await testInfo.attach('weights', { body: weights.join('\n'), contentType: 'text/plain' })

  await visitor.goto('/directory?q=practice+999')
  await expect(visitor.getByText('Placeholder Practice 999', { exact: true })).toBeVisible()
  await plain.context().addCookies(await page.context().cookies())
  for (const each of [page, plain])
    for (const [path, label, search] of [
      ['sandbox/launch', 'App', 'Find an app'],
      ['sandbox/faults', 'Key or app', 'Find a key or app'],
    ] as const) {
      await each.goto(`${organization}/${path}`)
      const choice = each.getByLabel(label, { exact: true })
      await expect(choice.getByRole('option', { name: /^Tidepath 4998\b/ })).toHaveCount(0)
      await each.getByRole('searchbox', { name: search }).fill('tidepath 4998')
      await each.getByRole('search', { name: search }).getByRole('button', { name: 'Search' }).click()
      await expect(choice.getByRole('option', { name: /^Tidepath 4998\b/ })).toHaveCount(1)
      await expect(choice).toHaveValue(/tidepath-4998$/)
    }
  await page.getByRole('button', { name: 'Enable faults' }).click()
  await expect(page.getByText('Tidepath 4998 (app)').first()).toBeVisible()
})

/** A fast machine asks for more than twenty pages a second, which is what an address may have. */
async function weigh(page: Page, path: string) {
  for (;;) {
    const begin = performance.now()
    const response = await page.request.get(path, { maxRedirects: 0 })
    const milliseconds = Math.round(performance.now() - begin)
    if (response.status() !== 429) {
      expect(response.status(), path).toBe(200)
      return { bytes: (await response.body()).length, milliseconds }
    }
    await setTimeout(Number(response.headers()['retry-after']) * 1_000)
  }
}

/**
 * 1,000 production practices; 5,000 apps with registrations, 300 keys and 300 open key requests of one organization, and
 * 9,700 keys without one. Written by the owner of the tables: the services would take minutes to make them.
 */
async function enlarge(owner: pg.Pool, slug: string, accountId: string): Promise<void> {
  const demonstration = `(SELECT %s FROM portal.practice WHERE slug = 'sandpiper-demonstration')`
  await owner.query(
    `INSERT INTO portal.practice
       (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
     SELECT gen_random_uuid(), 'placeholder-' || n, 'Placeholder Practice ' || n, 'production', true, true, 'office',
            ${demonstration.replace('%s', 'dataset_id')}, now()
     FROM generate_series(1, 1000) AS n`,
  )
  for (const insert of [
    `INSERT INTO portal.client
       (id, app_id, organization_id, environment, audience, authentication, name, redirect_uris, scope, created_at)
     SELECT 'tidepath-' || n, gen_random_uuid(), o.id, 'sandbox',
            (CASE WHEN n % 2 = 0 THEN 'backend' ELSE 'patient' END)::portal.client_audience,
            (CASE WHEN n % 2 = 0 THEN 'private_key_jwt' ELSE 'none' END)::portal.client_authentication,
            'Tidepath ' || n, '{}', 'system/*.rs', now() - n * interval '1 second'
     FROM generate_series(1, 5000) AS n, o WHERE $2::uuid IS NOT NULL`,
    `INSERT INTO portal.registration
       (id, kind, organization_id, created_by_id, name, state, form, sandbox_client_id, created_at, updated_at)
     SELECT gen_random_uuid(), 'app', o.id, $2, 'Tidepath ' || n, 'draft', '{}', 'tidepath-' || n, now(), now()
     FROM generate_series(1, 5000) AS n, o`,
    `INSERT INTO portal.api_key
       (id, prefix, secret_hash, name, level, environment, practice_id, organization_id, created_by_id, created_at,
        expires_at)
     SELECT gen_random_uuid(), 'svc_' || n, sha256(('large ' || n)::bytea), 'Import ' || n, 'read_only',
            'sandbox', ${demonstration.replace('%s', 'id')}, CASE WHEN n <= 300 THEN o.id END, $2,
            now() - n * interval '1 second', now() + interval '60 days'
     FROM generate_series(1, 10000) AS n, o`,
    `INSERT INTO portal.sandbox_key_request
       (id, organization_id, requested_by_id, name, project_description, technical_contact, level, terms_version,
        terms_sha256, state, idempotency_key, created_at, updated_at)
     SELECT gen_random_uuid(), o.id, $2, 'Nightly ' || n, 'Reads the patients of one practice.',
            'kim@samplewood.example', 'read_only', '1.0', repeat('0', 64), 'needs_info', 'large ' || n,
            now() - n * interval '1 second', now()
     FROM generate_series(1, 300) AS n, o`,
  ])
    await owner.query(`WITH o AS (SELECT id FROM portal.organization WHERE slug = $1) ${insert}`, [
      slug,
      accountId,
    ])
}
