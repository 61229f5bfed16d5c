import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress } from '../support/journey-people.ts'
import {
  claimLink,
  confirmAddress,
  createApp,
  done,
  headingOf,
  openLink,
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
  await confirmAddress(page, mails, person, { scripted: false })
  await page.getByRole('link', { name: 'Not now' }).click()
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
  await expect(page.getByRole('link', { name: `Claim: ${todo}` })).toBeVisible()

  await openLink(page, link)
  await page.getByRole('button', { name: 'Show the key' }).click()
  await expect(page.getByRole('heading', { name: 'Your key, shown once' })).toBeVisible()
  await page.getByText('Show key', { exact: true }).click()
  const shown = page.getByText(keyPattern)
  await expect(shown).toBeVisible()
  const key = ((await shown.textContent()) ?? '').trim()
  expect((await callSandbox(stack.origin, '/context', key)).status).toBe(200)

  await page.getByRole('button', { name: 'Done, I’ve saved it' }).click()
  await expect(headingOf(page, 'Keys')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Plain import' })).toBeVisible()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('link', { name: 'Plain import', exact: true }).click()
  await page.getByRole('link', { name: 'Revoke', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(done(page, 'Key revoked. Calls with it now get 401.')).toBeVisible()
  expect((await callSandbox(stack.origin, '/context', key)).status).toBe(401)
})

test('an app is registered, with a picture and the studio, and handed in without a script in the page @long', async ({
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
