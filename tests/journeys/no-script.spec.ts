import { keyPattern } from '../../server/contract/key-format.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress } from '../support/journey-people.ts'
import {
  claimLink,
  confirmAddress,
  done,
  headingOf,
  projectDescription,
  signUp,
} from '../support/journey-steps.ts'
import { callSandbox } from '../support/sandbox-api.ts'

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
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(done(page, 'Organization created.')).toBeVisible()

  await page.getByRole('link', { name: 'Request a sandbox key' }).click()
  await page.getByLabel('Name of the key').fill('Plain import')
  await page.getByLabel('What are you building?').fill('An import.')
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request the key' }).click()
  await expect(page.getByRole('alert')).toContainText('1 field needs a change.')
  await expect(page.getByLabel('Name of the key')).toHaveValue('Plain import')
  await page.getByLabel('What are you building?').fill(projectDescription)
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request the key' }).click()
  await expect(done(page, 'Request sent. We mail you the claim link.')).toBeVisible()

  await page.goto(await claimLink(mails, person.email, 'Plain import'))
  await page.getByRole('button', { name: 'Reveal the key' }).click()
  await expect(page.getByRole('heading', { name: 'Your key, shown once' })).toBeVisible()
  await page.getByText('Show the key', { exact: true }).click()
  const shown = page.getByText(keyPattern)
  await expect(shown).toBeVisible()
  const key = ((await shown.textContent()) ?? '').trim()
  expect((await callSandbox(stack.origin, '/context', key)).status).toBe(200)

  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Close and forget the key' }).click()
  await expect(headingOf(page, 'Keys')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Plain import' })).toBeVisible()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('link', { name: 'Revoke Plain import' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await expect(done(page, 'Key revoked. Calls with it now get 401.')).toBeVisible()
  expect((await callSandbox(stack.origin, '/context', key)).status).toBe(401)
})
