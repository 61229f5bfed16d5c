/** What a claim link does for people it does not serve, and for the one it does: it explains, and says what to do. */
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import {
  claimLink,
  closeKey,
  createOrganization,
  done,
  fillSignIn,
  headingOf,
  readKey,
  requestKey,
  settleIn,
} from '../support/journey-steps.ts'

const keyName = 'Scheduling test'

test('a claim link serves its owner alone, once, and says to everybody else what to do @long', async ({
  page,
  context,
  mails,
  stack,
  developer,
  openBrowser,
  watch,
}) => {
  watch.allow(/status of 401/)
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await requestKey(page, organization, keyName)
  const first = await claimLink(mails, person.email, keyName)

  // Another account learns only a masked address and makes no key.
  const other = await openBrowser()
  await settleIn(other, await developer('Sam Stranger-Testwell'), 'Elsewhere Placeholder')
  await other.goto(first)
  await expect(headingOf(other, 'This key belongs to someone else')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Show the key' })).toHaveCount(0)
  const content = await other.content()
  expect(content).not.toContain(person.email)
  expect(content).not.toContain(keyName)
  await other.goto('/developers/keys/claim?token=cut-off')
  await expect(headingOf(other, 'This link does not work')).toBeVisible()
  await expect(other.getByRole('link', { name: 'Go to your keys' })).toBeVisible()

  // An expired one is sent again; the old one points to the new one.
  const expire = (table: string, column: string, whose: string) =>
    stack.owner.query(`UPDATE portal.${table} SET ${column} = now() - interval '1 minute' WHERE ${whose}`, [
      person.accountId,
    ])
  await expire('sandbox_key_request', 'claim_expires_at', 'requested_by_id = $1')
  await expire('link_token', 'expires_at', `account_id = $1 AND kind = 'claim_key'`)
  await page.goto(first)
  await expect(headingOf(page, 'This claim link has expired')).toBeVisible()
  await expect(page.getByText('You can do this 3 more times.')).toBeVisible()
  await page.getByRole('button', { name: 'Send new link' }).click()
  await expect(done(page, 'We emailed you a new claim link.')).toBeVisible()
  const link = await claimLink(mails, person.email, keyName)
  await page.goto(first)
  await expect(headingOf(page, 'A newer link was sent')).toBeVisible()

  // A signed-out visitor signs in and comes back to the claim.
  const elsewhere = await openBrowser()
  await elsewhere.goto(link)
  await expect(headingOf(elsewhere, 'Sign in to claim your key')).toBeVisible()
  expect(await elsewhere.content()).not.toContain(keyName)
  await elsewhere.getByRole('link', { name: 'Sign in' }).click()
  await fillSignIn(elsewhere, person)
  await expect(headingOf(elsewhere, 'Claim your key')).toBeVisible()

  // A password that was typed long ago is asked for again.
  await stack.owner.query(
    `UPDATE portal.session SET authenticated_at = now() - interval '11 minutes' WHERE account_id = $1`,
    [person.accountId],
  )
  const sessionBefore = await sessionCookie(context)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Show the key' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Confirm your password' }).click()
  await expect(headingOf(page, 'Confirm your password')).toBeVisible()
  await page.getByLabel('Password').fill('not the right password')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toContainText('This password is not correct.')
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(headingOf(page, 'Claim your key')).toBeVisible()
  expect(await sessionCookie(context)).not.toBe(sessionBefore)

  // Of two tabs that reveal at the same moment one shows the key and the other says it is taken.
  await createOrganization(page, 'Looked At Last Placeholder')
  const second = await context.newPage()
  await Promise.all([page.goto(link), second.goto(link)])
  const tabs = [page, second]
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Show the key' }).click()))
  const outcome = (tab: Page) =>
    tab
      .getByRole('heading', { name: /^(Your key, shown once|This key has already been claimed)$/ })
      .textContent()
  const outcomes = await Promise.all(tabs.map(outcome))
  expect([...outcomes].sort()).toEqual(['This key has already been claimed', 'Your key, shown once'])
  const { rows } = await stack.owner.query(
    'SELECT count(*)::int AS count FROM portal.api_key WHERE created_by_id = $1',
    [person.accountId],
  )
  expect(rows).toEqual([{ count: 1 }])

  // Closing it leads to the keys of its organization, whichever was looked at last.
  const winner = outcomes[0] === 'Your key, shown once' ? page : second
  const key = await readKey(winner)
  await closeKey(winner)
  await expect(winner).toHaveURL(new RegExp(`${organization}/keys$`))
  await expect(done(winner, 'Key hidden. It can’t be shown again.')).toBeVisible()
  await winner.goto(link)
  await expect(headingOf(winner, 'This key has already been claimed')).toBeVisible()
  await expect(winner.getByText('If you lost the key, revoke it and request another.')).toBeVisible()
  expect(await winner.content()).not.toContain(key)
  await winner.getByRole('link', { name: 'Go to your keys' }).click()
  await expect(winner.getByRole('row', { name: keyName })).toBeVisible()
})

async function sessionCookie(context: BrowserContext): Promise<string> {
  const cookies = await context.cookies()
  const found = cookies.find(({ name }) => name.endsWith('sandpiper-developer'))
  expect(found).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  return found?.value ?? ''
}
