/** Staff sign in with a password, then a code. */
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { done, fillSignIn, headingOf, setUpMfa, totpCode } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('staff set up two-step sign-in, use a code or a recovery code, renew recovery codes, and get a reset when locked out', async ({
  openBrowser,
  ops,
  mails,
  stack,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  const person = await ops()
  const first = await openBrowser({ javaScriptEnabled: false })
  await first.goto(paths.staffSignIn)
  await fillSignIn(first, person)
  await first.waitForURL((url) => url.pathname !== paths.staffSignIn)
  await first.goto('/staff/registrations')
  const { seed: secret, recoveryCodes } = await setUpMfa(first)
  await expect(headingOf(first, 'Queue')).toBeVisible()
  expect(recoveryCodes).toHaveLength(10)

  const second = await openBrowser()
  await second.goto(paths.staffSignIn)
  await fillSignIn(second, person)
  await expect(headingOf(second, 'Two-step sign-in')).toBeVisible()
  await sweep(second, 'two-step sign-in')
  for (const path of [paths.reviewQueue, paths.staffSignIn]) {
    await second.goto(path)
    await expect(headingOf(second, 'Two-step sign-in')).toBeVisible()
  }
  // Setup used the secret's first code. The next code is valid.
  await second.getByLabel('Code').fill('12 34 5')
  await second.getByRole('button', { name: 'Continue' }).click()
  await expect(second.getByRole('alert')).toContainText('Enter six digits, or a recovery code')
  await second.getByLabel('Code').fill('000000')
  await second.getByRole('button', { name: 'Continue' }).click()
  await expect(second.getByRole('alert')).toContainText('This code is not valid.')
  await second.getByLabel('Code').fill(totpCode(secret, 1))
  await second.getByRole('button', { name: 'Continue' }).click()
  await expect(headingOf(second, 'Queue')).toBeVisible()

  const third = await openBrowser()
  await third.goto(paths.staffSignIn)
  await fillSignIn(third, person)
  await third.getByLabel('Code').fill(recoveryCodes[0]?.toUpperCase() ?? '')
  await third.getByRole('button', { name: 'Continue' }).click()
  await expect(headingOf(third, 'Queue')).toBeVisible()

  await third.goto(paths.staffOwnSessions)
  await expect(third.getByText('9 recovery codes left.')).toBeVisible()
  await third.getByRole('link', { name: 'Make new ones' }).click()
  await expect(third.getByText('You have 9 codes left.')).toBeVisible()
  await sweep(third, 'renewing recovery codes')
  await third.getByRole('button', { name: 'Create new recovery codes' }).click()
  await expect(headingOf(third, 'Your recovery codes')).toBeVisible()
  await sweep(third, 'recovery codes')
  await third.getByRole('link', { name: 'I’ve saved them, continue' }).click()
  await third.goto(paths.staffOwnSessions)
  await expect(third.getByText('10 recovery codes left.')).toBeVisible()

  const lockedOut = await ops('Kim Placeholder')
  // The secret needs no content: this person never signs in, and only loses it.
  await stack.owner.query(
    `INSERT INTO portal.totp_secret (account_id, sealed_secret, created_at, confirmed_at) VALUES ($1, '', now(), now())`,
    [lockedOut.accountId],
  )
  await third.getByRole('link', { name: 'People' }).click()
  await third.getByRole('link', { name: 'Two-step sign-in' }).click()
  await third.getByRole('searchbox', { name: 'Whole email address' }).fill(lockedOut.email)
  await third.getByRole('button', { name: 'Search', exact: true }).click()
  await sweep(third, 'two-step sign-in of staff')
  const row = third.getByRole('row', { name: 'Kim Placeholder' })
  await row.getByRole('link', { name: 'Reset the two-step sign-in of Kim Placeholder' }).click()
  await third.getByLabel('Reason').fill('Lost it.')
  await third.getByRole('button', { name: 'Reset two-step sign-in' }).click()
  await expect(third.getByRole('alert')).toContainText('Enter a reason of 10 to 500 characters.')
  await sweep(third, 'resetting two-step sign-in')
  await third.getByLabel('Reason').fill('Lost the phone and the codes; spoke in person.')
  await third.getByRole('button', { name: 'Reset two-step sign-in' }).click()
  await expect(
    done(third, 'Two-step sign-in reset. The person gets an email and is signed out.'),
  ).toBeVisible()
  await third.goto(`${paths.staffMfaList}?email=${encodeURIComponent(lockedOut.email)}`)
  await expect(row).toContainText('Setup at the next sign-in')
  const mail = await mails.waitFor({ to: lockedOut.email, subject: 'Your two-step sign-in was reset' })
  expect(mail.text).toContain('Lost the phone and the codes; spoke in person.')
})
