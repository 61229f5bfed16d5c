import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { writeTestFile } from '../support/file-drop.ts'
import { expect, test } from '../support/journey.ts'
import { addAgreement } from '../support/journey-agreement.ts'
import { addDomain, addPerson, addProductionPractice, newAddress } from '../support/journey-people.ts'
import {
  claimLink,
  confirmAddress,
  createApp,
  done,
  fillSecurityProfile,
  headingOf,
  projectDescription,
  settleIn,
  setUpMfa,
  signUp,
} from '../support/journey-steps.ts'
import { callSandbox } from '../support/sandbox-api.ts'
import { tidepathOrigin } from '../support/tidepath-site.ts'

test('the whole path to a key works without a script in the page', async ({
  openBrowser,
  stack,
  mails,
  watch,
}) => {
  // The page of a refused form carries its status.
  watch.allow(/status of 400/)
  const page = await openBrowser({ javaScriptEnabled: false })
  const person = { name: 'Noa Testwell', email: newAddress('Noa'), password: 'seven quiet herons wading' }

  await page.goto('/')
  await page.getByRole('link', { name: 'Get a sandbox key' }).first().click()
  await signUp(page, person)
  await confirmAddress(page, mails, person)
  await page.getByLabel('Name', { exact: true }).fill('Plain Samplewood')
  await page.getByRole('button', { name: 'Create organization', exact: true }).click()
  await expect(done(page, 'Organization created.')).toBeVisible()

  await page.getByRole('link', { name: 'Request a sandbox key' }).click()
  await page.getByLabel('Key name').fill('Plain import')
  await page.getByLabel('What are you building?').fill('An import.')
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request key' }).click()
  await expect(page.getByRole('alert')).toContainText('Fix 1 field to continue.')
  await expect(page.getByLabel('Key name')).toHaveValue('Plain import')
  await page.getByLabel('What are you building?').fill(projectDescription)
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request key' }).click()
  await expect(done(page, 'Request sent. We’ll email you the claim link.')).toBeVisible()

  const link = await claimLink(mails, person.email, 'Plain import')
  await page.goto(paths.inbox)
  const todo = 'Claim the key “Plain import”.'
  await page.getByLabel(`Snooze: ${todo}`).click()
  await page.getByRole('button', { name: 'Tomorrow' }).click()
  await expect(done(page, 'Snoozed. It returns on that day, or when it changes.')).toBeVisible()
  await expect(page.getByRole('link', { name: todo })).toHaveCount(0)
  await page.goto(`${paths.inbox}?show=snoozed&kind=sandbox_key_request`)
  await page.getByRole('button', { name: `End snooze: ${todo}` }).click()
  await expect(done(page, 'Back in the inbox.')).toBeVisible()

  await page.goto(link)
  await page.getByRole('button', { name: 'Show the key' }).click()
  await expect(page.getByRole('heading', { name: 'Your key, shown once' })).toBeVisible()
  await page.getByText('Show key', { exact: true }).click()
  const shown = page.getByText(keyPattern)
  await expect(shown).toBeVisible()
  const key = ((await shown.textContent()) ?? '').trim()
  expect((await callSandbox(stack.origin, '/context', key)).status).toBe(200)

  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Done, I’ve saved it' }).click()
  await expect(headingOf(page, 'Keys')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Plain import' })).toBeVisible()
  expect(await page.content()).not.toContain(key)
  await page.goto(`${paths.inbox}?show=done`)
  await expect(page.getByRole('row', { name: '“Plain import”' })).toContainText('Claimed')
  await page.getByRole('link', { name: '“Plain import”' }).click()

  await page.getByRole('link', { name: 'Revoke Plain import' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(done(page, 'Key revoked. Calls with it now get 401.')).toBeVisible()
  expect((await callSandbox(stack.origin, '/context', key)).status).toBe(401)
})

test('an app is registered, with a picture and the studio, and handed in without a script in the page', async ({
  openBrowser,
  developer,
  watch,
}) => {
  watch.allow(/status of 40[04]/)
  const page = await openBrowser({ javaScriptEnabled: false })
  const home = await settleIn(page, await developer('Noa Testwell'), 'Plain Samplewood')
  await page.goto(`${home}/registrations/new`)
  await page.getByLabel('App name').fill('Plain Goals')
  await page.getByLabel('Redirect URI').fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Create app', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('A redirect URI can’t begin with javascript:')
  await createApp(page, { name: 'Plain Goals', redirectUri: 'https://app.tidepath.example/callback' })
  await page.getByRole('link', { name: 'Edit form' }).click()
  await page.getByLabel('Description').fill('Its key: -----BEGIN PRIVATE KEY-----')
  await page.getByRole('button', { name: 'Continue to policies and contacts' }).click()
  await expect(page.getByRole('alert')).toContainText('Fix 1 field to continue. Nothing was saved.')
  await expect(page.getByLabel('App name')).toHaveValue('Plain Goals')
  const side = { create: { width: 300, height: 300, channels: 4, background: '#0a5c59' } } as const
  const picture = { name: 'logo.png', mimeType: 'image/png', buffer: await sharp(side).png().toBuffer() }
  await page.getByLabel('Description').fill('Shows a patient the goals they agreed on with their practice.')
  await page.locator('input[name="logoFile"]').setInputFiles(picture)
  await page.getByLabel('Website').fill(`${tidepathOrigin}/`)
  await page.getByRole('button', { name: 'Continue to policies and contacts' }).click()
  for (const [label, text] of [
    ['Privacy policy', `${tidepathOrigin}/privacy`],
    ['Terms of use', `${tidepathOrigin}/terms`],
    ['Technical contact', 'dev@tidepath.example'],
    ['Security contact', 'security@tidepath.example'],
  ] as const)
    await page.getByLabel(label).fill(text)
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByRole('button', { name: 'Scopes' }).click()
  await page
    .getByRole('textbox', { name: 'Scopes' })
    .fill('openid fhirUser launch/patient patient/Patient.rs')
  await page.getByRole('button', { name: 'Choose in the scope studio' }).click()
  await page.locator('input[name="type"][value="Goal"]').check()
  await page.getByRole('button', { name: 'Save and continue to attestations' }).click()
  await expect(done(page, 'Scopes saved.')).toBeVisible()
  for (const box of await page.locator('input[name^="attest"]').all()) await box.check()
  await page.getByRole('button', { name: 'Save and see the summary' }).click()
  await expect(done(page, 'Draft saved.')).toBeVisible()

  await expect(page.getByText('patient/Goal.rs')).toBeVisible()
  await page.getByRole('link', { name: 'Edit form' }).click()
  await logoIsServed(page)

  await page.goBack()
  await page.getByRole('link', { name: 'Confirm your password' }).click()
  await setUpMfa(page)
  await page.getByLabel(/^I accept the registration terms/).check()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(done(page, 'Submitted. Both review clocks start today.')).toBeVisible()
})

test('a production key is asked for in all its steps, and a BAA of one’s own sent, without a script in the page', async ({
  openBrowser,
  developer,
  stack,
  mails,
  watch,
}, info) => {
  watch.allow(/status of 400/)
  const page = await openBrowser({ javaScriptEnabled: false })
  const noa = await developer('Noa Testwell')
  const home = await settleIn(page, noa, 'Plain Reedwood')
  await addDomain(stack.owner, home, 'reedwood.example')
  const theo = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  const practice = { slug: 'reedwood-family', name: 'Reedwood Family Practice' }
  await addProductionPractice(stack.owner, practice, [[theo, 'admin']])
  await page.goto(paths.mfa)
  await setUpMfa(page)
  await page.goto(`${home}/security-profile`)
  await fillSecurityProfile(page, 'Plain Reedwood LLC')
  await expect(done(page, 'Security profile saved. New requests will include it.')).toBeVisible()

  await page.goto(`${home}/production-keys`)
  await page.getByRole('link', { name: 'Request a production key' }).click()
  await page.getByLabel('Practice ID').fill(practice.slug)
  await page.getByRole('button', { name: 'Choose practice' }).click()
  await page.getByLabel('Key name').fill('Plain import')
  await page.getByLabel('What do you need the key for, and why at this level?').fill('Reads visits.')
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await expect(page.getByText(/in at least 40 characters/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Edit: Key and use' }).click()
  await expect(page.getByLabel('Key name')).toHaveValue('Plain import')
  await page
    .getByLabel('What do you need the key for, and why at this level?')
    .fill('Reads visits every night so that the reminder calls of the practice are right.')
  await page.getByLabel(/^operations/).check()
  await page.getByLabel('Visits and appointments').check()
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await page.getByLabel('Their title').fill('Chief Executive')
  await page.getByRole('button', { name: 'Edit: Key and use' }).click()
  await expect(page.getByLabel('Visits and appointments')).toBeChecked()
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await expect(page.getByLabel('Their title')).toHaveValue('Chief Executive')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(done(page, 'Sent. The practice’s admins get an email.')).toBeVisible()
  await mails.waitFor({ to: theo.email, subject: /^Sponsorship request from/ })

  // The BAA, as the developers' own document.
  const { rows } = await stack.owner.query<{ o: string; p: string }>(
    'SELECT o.id AS o, p.id AS p FROM portal.organization o, portal.practice p WHERE o.slug = $1 AND p.slug = $2',
    [home.split('/').at(-1), practice.slug],
  )
  const id = await addAgreement(stack.owner, {
    organizationId: rows[0]?.o ?? '',
    practiceId: rows[0]?.p ?? '',
    developer: { accountId: noa.accountId, legalName: noa.name },
    practice: { accountId: theo.accountId, legalName: theo.name },
  })
  await page.goto(`${home}/agreements/${id}`)
  await page.getByRole('link', { name: 'Propose a change' }).click()
  await page.getByLabel('Reason for the change').fill('We sign our own document.')
  await page.getByText('Use your own document instead').click()
  const clauses = page.getByRole('group', { name: /^Select each clause/ }).getByRole('checkbox')
  const [first, ...others] = await clauses.all()
  for (const box of others) await box.check()
  await page
    .getByLabel(/^PDF/)
    .setInputFiles(writeTestFile(info.outputPath('files'), 'baa.pdf', 'PK, no PDF'))
  await page.getByRole('button', { name: 'Send new version' }).click()
  await expect(page.getByRole('alert').first()).toContainText('Use a PDF file.')
  await expect(page.getByLabel('Reason for the change')).toHaveValue('We sign our own document.')
  await expect(page.getByLabel(/^PDF/)).toBeVisible()
  for (const box of others) await expect(box).toBeChecked()
  const own = writeTestFile(info.outputPath('files'), 'baa.pdf', '%PDF-1.4 a document of our own')
  await page.getByLabel(/^PDF/).setInputFiles(own)
  await page.getByRole('button', { name: 'Send new version' }).click()
  await expect(page.getByRole('alert').first()).toContainText('The document must contain every clause.')
  await first?.check()
  await page.getByLabel(/^PDF/).setInputFiles(own)
  await page.getByRole('button', { name: 'Send new version' }).click()
  await expect(done(page, 'New version sent to the other side.')).toBeVisible()
  await expect(page.getByRole('link', { name: /baa\.pdf/ }).first()).toBeVisible()
})

/** The picture of the form, drawn anew; its address never changes, and leads nowhere else. */
async function logoIsServed(page: Page): Promise<void> {
  const path = (await page.locator('img.logo').getAttribute('src')) ?? ''
  expect(path).toMatch(/^\/logos\/[0-9a-f]{64}\.png$/)
  const served = await page.request.get(path)
  expect(served.status()).toBe(200)
  expect(served.headers()).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(
    createHash('sha256')
      .update(await served.body())
      .digest('hex'),
  ).toBe(path.slice(7, 71))
  const wrong = [
    `/logos/${'0'.repeat(64)}.png`,
    path.slice(0, -4),
    `${path}/x`,
    '/logos/..%2f..%2fpackage.json',
  ]
  for (const each of wrong) expect((await page.request.get(each)).status(), each).toBe(404)
}
