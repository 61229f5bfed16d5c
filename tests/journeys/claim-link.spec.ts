/** What a claim link does for people it does not serve: it explains, and says what to do. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import type { Person } from '../support/journey-people.ts'
import {
  claimLink,
  closeKey,
  createOrganization,
  done,
  fillSignIn,
  headingOf,
  requestKey,
  revealKey,
  settleIn,
  signIn,
} from '../support/journey-steps.ts'
import type { MailReceiver } from '../support/mail-receiver.ts'
import { sweep } from '../support/sweep.ts'

const keyName = 'Scheduling test'

/** A signed-in developer with a key that waits, and its link. */
async function waitingKey(page: Page, mails: MailReceiver, person: Person) {
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await requestKey(page, organization, keyName)
  return { organization, link: await claimLink(mails, person.email, keyName) }
}

test('a claim link opened a second time says that the key was claimed and what to do', async ({
  page,
  mails,
  developer,
  look,
}) => {
  const { link } = await waitingKey(page, mails, await developer())
  await page.goto(link)
  const key = await revealKey(page)
  await closeKey(page)

  await page.goto(link)

  await expect(headingOf(page, 'This key has already been claimed')).toBeVisible()
  await expect(page.getByText('If you lost the key, revoke it and request another.')).toBeVisible()
  expect(await page.content()).not.toContain(key)
  await look(page, 'claim-used')
  await page.getByRole('link', { name: 'Go to your keys' }).click()
  await expect(page.getByRole('row', { name: keyName })).toBeVisible()
})

test('closing the key leads to the keys of its organization, whichever was looked at last', async ({
  page,
  mails,
  developer,
}) => {
  const { organization, link } = await waitingKey(page, mails, await developer())
  await createOrganization(page, 'Looked At Last Placeholder')

  await page.goto(link)
  await revealKey(page)
  await closeKey(page)

  await expect(page).toHaveURL(new RegExp(`${organization}/keys$`))
  await expect(done(page, 'Key hidden. It can’t be shown again.')).toBeVisible()
  await expect(page.getByRole('row', { name: keyName })).toBeVisible()
})

test('of two tabs that reveal at the same moment one shows the key and the other says it is taken', async ({
  page,
  context,
  mails,
  stack,
  developer,
}) => {
  const person = await developer()
  const { link } = await waitingKey(page, mails, person)
  const second = await context.newPage()
  await Promise.all([page.goto(link), second.goto(link)])

  await Promise.all([page, second].map((tab) => tab.getByRole('button', { name: 'Show the key' }).click()))

  const outcome = (tab: Page) =>
    tab
      .getByRole('heading', { name: /^(Your key, shown once|This key has already been claimed)$/ })
      .textContent()
  expect((await Promise.all([outcome(page), outcome(second)])).sort()).toEqual([
    'This key has already been claimed',
    'Your key, shown once',
  ])
  const { rows } = await stack.owner.query(
    'SELECT count(*)::int AS count FROM portal.api_key WHERE created_by_id = $1',
    [person.accountId],
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('another account learns only a masked address and makes no key', async ({
  page,
  mails,
  stack,
  developer,
  openBrowser,
  look,
}) => {
  const person = await developer()
  const { link } = await waitingKey(page, mails, person)
  const other = await openBrowser()
  await settleIn(other, await developer('Sam Stranger-Testwell'), 'Elsewhere Placeholder')

  await other.goto(link)

  await expect(headingOf(other, 'This key belongs to someone else')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Show the key' })).toHaveCount(0)
  const content = await other.content()
  expect(content).not.toContain(person.email)
  expect(content).not.toContain(keyName)
  await look(other, 'claim-other-account')
  const { rows } = await stack.owner.query(
    'SELECT state FROM portal.sandbox_key_request WHERE requested_by_id = $1',
    [person.accountId],
  )
  expect(rows).toEqual([{ state: 'ready_to_claim' }])

  await page.goto(link)
  await expect(headingOf(page, 'Claim your key')).toBeVisible()
})

test('an expired link is sent anew, the new one works and the old one points to it', async ({
  page,
  mails,
  stack,
  developer,
  look,
}) => {
  const person = await developer()
  const { link } = await waitingKey(page, mails, person)
  await stack.owner.query(
    `UPDATE portal.sandbox_key_request SET claim_expires_at = now() - interval '1 minute'
     WHERE requested_by_id = $1`,
    [person.accountId],
  )
  await stack.owner.query(
    `UPDATE portal.link_token SET expires_at = now() - interval '1 minute'
     WHERE account_id = $1 AND kind = 'claim_key'`,
    [person.accountId],
  )

  await page.goto(link)
  await expect(headingOf(page, 'This claim link has expired')).toBeVisible()
  await expect(page.getByText('You can do this 3 more times.')).toBeVisible()
  await look(page, 'claim-expired')
  await page.getByRole('button', { name: 'Send new link' }).click()
  await expect(done(page, 'We emailed you a new claim link.')).toBeVisible()
  const newLink = await claimLink(mails, person.email, keyName)

  await page.goto(link)
  await expect(headingOf(page, 'This link does not work')).toBeVisible()
  await expect(page.getByText('A newer link was sent for the same key. Open the latest email.')).toBeVisible()
  await page.goto(newLink)
  expect(await revealKey(page)).toMatch(/^svc_t/)
})

test('a signed-out visitor signs in and comes back to the claim', async ({
  page,
  mails,
  developer,
  openBrowser,
  look,
}) => {
  const person = await developer()
  const { link } = await waitingKey(page, mails, person)
  const elsewhere = await openBrowser()

  await elsewhere.goto(link)
  await expect(headingOf(elsewhere, 'Sign in to claim your key')).toBeVisible()
  expect(await elsewhere.content()).not.toContain(keyName)
  await look(elsewhere, 'claim-signed-out')
  await elsewhere.getByRole('link', { name: 'Sign in' }).click()
  await fillSignIn(elsewhere, person)

  await expect(headingOf(elsewhere, 'Claim your key')).toBeVisible()
  expect(await revealKey(elsewhere)).toMatch(/^svc_t/)
})

test('a password typed long ago is asked for again before the key is shown', async ({
  page,
  context,
  mails,
  stack,
  developer,
  watch,
  look,
}) => {
  watch.allow(/status of 401/)
  const person = await developer()
  const { link } = await waitingKey(page, mails, person)
  await stack.owner.query(
    `UPDATE portal.session SET authenticated_at = now() - interval '11 minutes' WHERE account_id = $1`,
    [person.accountId],
  )
  const sessionBefore = await sessionCookie(context)

  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Show the key' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Confirm your password' }).click()
  await expect(headingOf(page, 'Confirm your password')).toBeVisible()
  await look(page, 'confirm-password')
  await page.getByLabel('Password').fill('not the right password')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toContainText('This password is not correct.')
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Confirm' }).click()

  await expect(headingOf(page, 'Claim your key')).toBeVisible()
  expect(await sessionCookie(context)).not.toBe(sessionBefore)
  expect(await revealKey(page)).toMatch(/^svc_t/)
})

test('a link that was cut off says so and leads to the keys', async ({ page, developer }) => {
  await signIn(page, await developer())

  await page.goto('/developers/keys/claim?token=cut-off')

  await expect(headingOf(page, 'This link does not work')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to your keys' })).toBeVisible()
})

test('the page that asks for the link of an email is in order, also after half a link', async ({
  page,
  watch,
}) => {
  watch.allow(/400 \(Bad Request\)/)
  await page.goto('/verify-email')
  await sweep(page, 'verify-email')
  await page.getByLabel('Link from your email').fill('https://portal.example/verify-email')
  await page.getByRole('button', { name: 'Open link' }).click()
  await expect(page.getByRole('alert')).toContainText('This link is incomplete.')
  await sweep(page, 'half a link')
})

async function sessionCookie(context: import('@playwright/test').BrowserContext): Promise<string> {
  const cookies = await context.cookies()
  const found = cookies.find(({ name }) => name.endsWith('sandpiper-developer'))
  expect(found).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  return found?.value ?? ''
}
