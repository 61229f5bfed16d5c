import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress } from '../support/journey-people.ts'
import {
  claimLink,
  closeKey,
  confirmAddress,
  done,
  fillSignIn,
  headingOf,
  linkIn,
  requestKey,
  revealKey,
  settleIn,
  signIn,
  signUp,
} from '../support/journey-steps.ts'

async function invite(page: Page, organization: string, email: string, role: string): Promise<void> {
  await page.goto(`${organization}/members`)
  await page.getByLabel('Work email').fill(email)
  await page.getByRole('radio', { name: new RegExp(`^${role}`) }).check()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(done(page, 'Invitation sent.')).toBeVisible()
}

test('an invited viewer joins in a browser of their own, reads the keys and cannot revoke one', async ({
  page,
  openBrowser,
  mails,
  developer,
  watch,
}) => {
  watch.allow(/status of 403/)
  const owner = await developer()
  const colleague = await developer('Vero Testwell')
  const organization = await settleIn(page, owner, 'Shared Samplewood')
  await requestKey(page, organization, 'Shared key')
  await page.goto(await claimLink(mails, owner.email, 'Shared key'))
  await revealKey(page)
  await closeKey(page)
  await page.getByRole('link', { name: 'Shared key', exact: true }).click()
  const revoke = page.getByRole('link', { name: 'Revoke', exact: true })
  const revokeAddress = (await revoke.getAttribute('href')) ?? ''
  await invite(page, organization, colleague.email, 'viewer')

  const theirs = await openBrowser()
  const { links } = await mails.waitFor({ to: colleague.email, subject: /^Join “Shared Samplewood/ })
  const link = linkIn(links, '/invitations/accept')
  await theirs.goto(link)
  await expect(headingOf(theirs, 'Join Shared Samplewood')).toBeVisible()
  expect(theirs.url()).toMatch(/accept\?link=[0-9a-f]{12}$/)
  expect(await theirs.content()).not.toContain(new URL(link).hash.replace('#token=', ''))
  await theirs.getByRole('link', { name: 'Sign in and join' }).click()
  await fillSignIn(theirs, colleague)
  await theirs.getByRole('button', { name: `Join as ${colleague.email}` }).click()
  await expect(done(theirs, 'You joined the organization.')).toBeVisible()

  await theirs.goto(`${organization}/keys`)
  await expect(theirs.getByRole('row', { name: 'Shared key' })).toBeVisible()
  await expect(theirs.getByRole('link', { name: /Revoke/ })).toHaveCount(0)
  await expect(theirs.getByText('New key', { exact: true })).toHaveCount(0)
  await theirs.goto(revokeAddress)
  await expect(headingOf(theirs, 'Your role doesn’t allow this')).toBeVisible()
  await mails.waitFor({ to: owner.email, subject: '“Vero Testwell” joined “Shared Samplewood”' })
  await page.reload()
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('Vero Testwell')
})

test('of two invitations open in two tabs each joins its own organization, after one sign-in @long', async ({
  page,
  openBrowser,
  mails,
  developer,
}) => {
  const colleague = await developer('Tab Testwell')
  const links: string[] = []
  for (const name of ['First Samplewood', 'Second Samplewood']) {
    await invite(page, await settleIn(page, await developer(), name), colleague.email, 'viewer')
    const mail = await mails.waitFor({ to: colleague.email, subject: new RegExp(`^Join “${name}`) })
    links.push(linkIn(mail.links, '/invitations/accept'))
  }
  const theirs = await openBrowser()
  const other = await theirs.context().newPage()
  await theirs.goto(links[0] ?? '')
  await other.goto(links[1] ?? '')

  await theirs.getByRole('link', { name: 'Sign in and join' }).click()
  await fillSignIn(theirs, colleague)
  await expect(headingOf(theirs, 'Join First Samplewood')).toBeVisible()
  await theirs.getByRole('button', { name: /^Join as/ }).click()
  await expect(done(theirs, 'You joined the organization.')).toBeVisible()
  await other.reload()
  await expect(headingOf(other, 'Join Second Samplewood')).toBeVisible()
  await other.getByRole('button', { name: /^Join as/ }).click()
  await expect(done(other, 'You joined the organization.')).toBeVisible()

  await theirs.goto(links[0] ?? '')
  await expect(headingOf(theirs, 'This link has already been used')).toBeVisible()
})

test('somebody without an account signs up with the invited address and joins @long', async ({
  page,
  openBrowser,
  mails,
  developer,
}) => {
  const organization = await settleIn(page, await developer(), 'Growing Samplewood')
  const newcomer = {
    name: 'Nell Placeholder',
    email: newAddress('Nell'),
    password: 'seven quiet herons wading',
  }
  await invite(page, organization, newcomer.email, 'developer')
  const { links } = await mails.waitFor({ to: newcomer.email, subject: /^Join/ })
  const theirs = await openBrowser()

  await theirs.goto(linkIn(links, '/invitations/accept'))
  await theirs.getByRole('link', { name: 'Sign up first' }).click()
  await signUp(theirs, newcomer)
  await confirmAddress(theirs, mails, newcomer)
  await theirs.goto(linkIn(links, '/invitations/accept'))
  await theirs.getByRole('button', { name: /^Join as/ }).click()

  await expect(headingOf(theirs, 'Good to see you, Nell')).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Request a sandbox key' })).toBeVisible()
})

test('an invitation opens for the invited address only, and not once it is taken back @long', async ({
  page,
  openBrowser,
  mails,
  developer,
}) => {
  const organization = await settleIn(page, await developer(), 'Careful Samplewood')
  const invited = await developer('Ira Testwell')
  await invite(page, organization, invited.email, 'developer')
  const { links } = await mails.waitFor({ to: invited.email, subject: /^Join/ })
  const link = linkIn(links, '/invitations/accept')
  const stranger = await openBrowser()
  await signIn(stranger, await developer('Sam Stranger-Testwell'))

  await stranger.goto(link)
  await stranger.getByRole('button', { name: /^Join as/ }).click()
  await expect(stranger.getByRole('alert')).toContainText(/^This invitation is for i…@/)
  expect(await stranger.content()).not.toContain(invited.email)

  await page.getByRole('button', { name: `Cancel the invitation of ${invited.email}` }).click()
  await expect(done(page, 'Invitation canceled. Its link no longer works.')).toBeVisible()
  await stranger.goto(link)
  await expect(headingOf(stranger, 'This invitation was canceled')).toBeVisible()
  await stranger.goto(paths.developers)
  await expect(headingOf(stranger, 'Create your first key')).toBeVisible()
})
