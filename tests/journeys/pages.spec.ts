/** Sweeps the pages in both themes and two widths: axe finds nothing, and nothing scrolls sideways. */
import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { findFaults } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'
import { addApp } from '../support/journey-app.ts'
import { addPerson, type Person } from '../support/journey-people.ts'
import {
  claimLink,
  fillSignIn,
  headingOf,
  requestKey,
  revealKey,
  settleIn,
  setUpMfa,
} from '../support/journey-steps.ts'
import type { MailReceiver } from '../support/mail-receiver.ts'
import { developmentKey, type Stack } from '../support/stack.ts'
import { sweep, sweepPaths } from '../support/sweep.ts'

test('the pages that introduce the service pass the sweep', async ({ page }) => {
  await sweepPaths(page, [
    '/',
    '/legal/sandbox-terms',
    '/directory',
    '/directory?environment=sandbox&q=nobody-at-all',
    '/legal',
    '/legal/templates/baa',
    '/verify',
  ])
})

/** One page of each kind; `npm run test:long -- --docs` sweeps all of them. */
const docsPages = [
  '/docs',
  '/docs/start',
  '/docs/errors',
  '/docs/errors/validation',
  '/docs/tokens',
  '/docs/reference/fhir/Observation',
  '/docs/reference/rest/listPatients',
  '/docs/changelog',
  '/docs/search?q=retry',
]

test('the documentation passes the sweep', async ({ page }) => {
  await sweepPaths(page, docsPages)

  const markdown = await page.request.get('/docs/limits', { headers: { accept: 'text/markdown' } })
  expect(markdown.headers()['content-type']).toContain('text/markdown')
  expect(await markdown.text()).toContain('| FHIR, per practice | 600 a second | 18,000 a minute |')
  for (const path of [
    '/docs.md',
    '/docs/limits.md',
    '/docs/errors/not_found.md',
    '/llms.txt',
    '/docs/changelog.xml',
    '/docs/reference/errors',
  ])
    expect((await page.request.get(path)).status(), path).toBe(200)
  expect((await page.request.get('/docs/no-such-page.md')).status()).toBe(404)
})

test('the explorer passes the sweep, before and after a call', async ({ page }) => {
  await sweepPaths(page, ['/explorer', '/explorer/rest/createPatient', '/explorer/rest/getCcda'])
  await page.goto('/explorer/rest/listPatients')
  await page.getByLabel('limit', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('200 OK')).toBeVisible()
  await sweep(page, 'explorer-after-a-call')
})

test('the palette finds what the documentation says, for visitors too', async ({ page }) => {
  await page.goto('/directory')
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('partial output')
  const found = page.getByRole('option', { name: /Wait/ }).first()
  await expect(found).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await found.click()
  await expect(page).toHaveURL(/\/docs\/bulk#3-wait$/)
  await expect(headingOf(page, 'Bulk Data')).toBeVisible()
})

test('the tour and the 404 page pass the sweep', async ({ page, watch }) => {
  watch.allow(/404 \(Not Found\)/)

  expect((await page.goto('/tour'))?.status()).toBe(404)
  await page.goto(`/tour?key=${developmentKey}`)
  await expect(page).toHaveURL('/tour')
  await expect(headingOf(page, 'See Sandpiper in ten minutes')).toBeVisible()
  await sweepPaths(page, ['/no-such-page', '/tour'])
})

test('the sign-up and sign-in pages pass the sweep', async ({ page }) => {
  await sweepPaths(page, [
    '/sign-up',
    '/check-your-mail',
    '/verify-email/again',
    '/sign-in',
    '/forgot-password',
    '/staff/sign-in',
  ])
})

test('a form with errors passes the sweep', async ({ page }) => {
  await page.goto('/sign-up')
  await page.getByLabel('Work email').fill('nobody')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('alert')).toContainText('Fix 3 fields to continue.')

  await sweep(page, 'sign-up with faults')
})

test('the pages of an account and an organization pass the sweep, from empty ones to an app with a secret', async ({
  page,
  stack,
  developer,
  watch,
}) => {
  watch.allow(/404 \(Not Found\)/)
  const organization = await settleIn(page, await developer(), 'Samplewood Health Apps')

  await sweepPaths(page, [
    organization,
    `${organization}/keys`,
    `${organization}/keys/new`,
    `${organization}/keys/no-such-key`,
    `${organization}/settings`,
    `${organization}/logs`,
  ])

  // Menus and the palette close with Escape.
  await page.goto(organization)
  await page.getByText('Samplewood Health Apps').first().click()
  await expect(page.getByRole('link', { name: 'Create an organization' })).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Create an organization' })).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await sweep(page, 'palette')
  await page.keyboard.type('sess')
  await page.keyboard.press('Enter')
  await expect(headingOf(page, 'Sessions')).toBeVisible()

  // A secret is shown once, and can be revoked.
  const clientId = `rounds-${randomBytes(4).toString('hex')}`
  const { rows } = await stack.owner.query<{ id: string }>(
    'SELECT id FROM portal.organization WHERE slug = $1',
    [organization.split('/').at(-1)],
  )
  await addApp(stack.owner, {
    clientId,
    name: 'Rounds',
    audience: 'clinician',
    authentication: 'client_secret_basic',
    scope: 'openid fhirUser user/Patient.rs',
    redirectUri: 'https://rounds.example/back',
    organizationId: rows[0]?.id,
  })
  await page.goto(`${organization}/apps/${clientId}`)
  await page.getByRole('link', { name: 'Secrets' }).click()
  await expect(page.getByText('No active secret')).toBeVisible()
  await page.getByRole('button', { name: 'Create secret' }).click()
  const shown = page.getByRole('region', { name: 'Client secret' })
  await expect(shown).toContainText(/sps_/)
  await sweep(page, 'secrets of an app')
  await sweepPaths(page, [`${organization}/apps/${clientId}/limits`])
  await page.goto(`${organization}/apps/${clientId}/secrets`)

  await page.reload()
  await expect(shown).toHaveCount(0)
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await expect(page.getByText('No active secret')).toBeVisible()

  await page.goto(`${organization}/members`)
  await page.getByLabel('Work email').fill('quinn.placeholder@samplewood.example')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('table', { name: 'Invitations' })).toBeVisible()

  await sweep(page, 'members')
  await sweepPaths(page, [
    ...['/inbox', '/reset-password?token=cut-off', '/developers/keys/claim?token=cut-off'],
    '/account',
    '/account/email',
    '/account/sessions',
    '/confirm-password',
    '/second-step',
    '/developers/organizations/new',
  ])
})

test('the pages of a key pass the sweep, from its claim to its revocation', async ({
  page,
  stack,
  mails,
  developer,
}) => {
  const { organization, key } = await claimedKey(page, mails, await developer())

  await sweep(page, 'the key, shown once')
  await page.getByRole('button', { name: 'Done, I’ve saved it' }).click()
  await expect(headingOf(page, 'Keys')).toBeVisible()
  await page.getByRole('link', { name: 'Sweep', exact: true }).click()
  await expect(headingOf(page, 'Sweep')).toBeVisible()
  await sweep(page, 'page of a key')
  const self = new URL(page.url()).pathname
  await fetch(`${stack.origin}/sandbox/api/v1/context`, {
    headers: { authorization: `Bearer ${key}`, origin: 'https://app.samplewood.example' },
  })
  await stack.owner.query(
    `UPDATE portal.api_key SET expires_at = now() + interval '5 days' WHERE prefix = $1`,
    [key.slice(0, 12)],
  )
  await page.goto(self)
  await expect(page.getByText('This key was used from a browser.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Extend by/ })).toBeVisible()
  await sweep(page, 'banners of a key')
  const subpages = ['networks', 'limits', 'term', 'mcp'].map((page) => `${self}/${page}`)
  await sweepPaths(page, [...subpages, `${organization}/keys`])
  await page.goto(organization)
  await sweep(page, 'the first page with a key')
  await page.goto(`${organization}/logs`)
  await page
    .getByRole('table', { name: 'Calls' })
    .getByRole('link', { name: /context/ })
    .first()
    .click()
  await expect(page.getByRole('complementary', { name: 'Call' })).toContainText('Correlation ID')
  await page.getByText('More filters').click()
  await sweep(page, 'logs with an open call')
  await page.goto(self)
  await page.getByRole('link', { name: 'Revoke', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await sweep(page, 'revoking a key')
})

test('a requested key, its claim page and a request drafted from an email pass the sweep', async ({
  page,
  stack,
  mails,
  developer,
}) => {
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await requestKey(page, organization, 'Sweep')
  const link = await claimLink(mails, person.email, 'Sweep')
  await sweepPaths(page, [`${organization}/keys`, link, await addEmailedDraft(stack.owner, person)])
})

test('the pages of the second step pass the sweep', async ({ page, ops }) => {
  const person = await ops()
  await page.goto(paths.staffSignIn)
  await fillSignIn(page, person)
  await expect(headingOf(page, 'Set up two-step sign-in')).toBeVisible()

  await sweep(page, 'setting up the second step')
})

for (const { name, heading, at, ...who } of [
  { name: 'staff', heading: 'Queue', at: paths.staffSignIn, realm: 'staff', staffRole: 'ops' },
  { name: 'practice', heading: 'Who has access', at: paths.practiceSignIn, realm: 'practice' },
] as const) {
  test(`the first page after signing in as ${name} passes the sweep`, async ({ page, stack }) => {
    const person = await addPerson(stack.owner, { ...who, name: 'Odell Placeholder' })
    await page.goto(at)
    await fillSignIn(page, person)
    if (who.realm === 'staff') await setUpMfa(page)
    await expect(headingOf(page, heading)).toBeVisible()

    await sweep(page, name)
    if (name === 'staff') await sweepOperations(page, person, stack.owner)
  })
}

/** Key limits: operations change them only with a recent password and second step. */
async function sweepOperations(page: Page, person: Person, owner: Stack['owner']): Promise<void> {
  await sweepPaths(page, [paths.keyLimits])
  await owner.query(
    `UPDATE portal.session SET authenticated_at = now() - interval '1 hour' WHERE account_id = $1`,
    [person.accountId],
  )
  await page.goto(paths.keyLimits)
  await page.getByRole('link', { name: 'Confirm your password' }).click()
  await expect(headingOf(page, 'Confirm your password')).toBeVisible()
  await sweep(page, paths.staffConfirmPassword)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(new RegExp(paths.keyLimits))
}

/** Adds a key request drafted from an email of this person. @returns the path that confirms it */
async function addEmailedDraft(owner: Stack['owner'], person: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await owner.query(
    `WITH draft AS (
       INSERT INTO portal.key_draft (id, email, message_id, name, description, received_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, 'Nightly import', 'We import charts at night.', now(), now() + interval '3 days')
       RETURNING id)
     INSERT INTO portal.link_token (id, token_hash, kind, subject_id, created_at, expires_at)
     SELECT gen_random_uuid(), $3, 'confirm_draft', id, now(), now() + interval '3 days' FROM draft`,
    [person.email, `<${token}@samplewood.example>`, createHash('sha256').update(token).digest()],
  )
  return paths.confirmDraft(token)
}

test('the first paint has the chosen theme, or the system’s if none was chosen', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')

  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await saved
  await expect(page.getByRole('button', { name: 'Switch to the light theme' })).toBeVisible()

  const served = await page.request.get('/')
  expect(await served.text()).toContain('data-theme="dark"')
})

/** A signed-in developer on the page that shows a key once. */
async function claimedKey(page: Page, mails: MailReceiver, person: Person) {
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await requestKey(page, organization, 'Sweep')
  await page.goto(await claimLink(mails, person.email, 'Sweep'))
  return { organization, key: await revealKey(page) }
}
