import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import {
  claimLink,
  closeKey,
  done,
  fillSignIn,
  headingOf,
  linkIn,
  requestKey,
  revealKey,
  settleIn,
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

  const colleaguePage = await openBrowser()
  const { links } = await mails.waitFor({ to: colleague.email, subject: /^Join “Shared Samplewood/ })
  const link = linkIn(links, '/invitations/accept')
  await colleaguePage.goto(link)
  await expect(headingOf(colleaguePage, 'Join Shared Samplewood')).toBeVisible()
  // Neither the address nor the page contains the link's token.
  expect(colleaguePage.url()).toMatch(/accept\?link=[0-9a-f]{12}$/)
  expect(await colleaguePage.content()).not.toContain(new URL(link).hash.replace('#token=', ''))
  await colleaguePage.getByRole('link', { name: 'Sign in and join' }).click()
  await fillSignIn(colleaguePage, colleague)
  await colleaguePage.getByRole('button', { name: `Join as ${colleague.email}` }).click()
  await expect(done(colleaguePage, 'You joined the organization.')).toBeVisible()

  await colleaguePage.goto(`${organization}/keys`)
  await expect(colleaguePage.getByRole('row', { name: 'Shared key' })).toBeVisible()
  await expect(colleaguePage.getByRole('link', { name: /Revoke/ })).toHaveCount(0)
  await expect(colleaguePage.getByText('New key', { exact: true })).toHaveCount(0)
  await colleaguePage.goto(revokeAddress)
  await expect(headingOf(colleaguePage, 'Your role doesn’t allow this')).toBeVisible()
  await mails.waitFor({ to: owner.email, subject: '“Vero Testwell” joined “Shared Samplewood”' })
  await page.reload()
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('Vero Testwell')
})

test('two invitations in two tabs each join their own organization after one sign-in @long', async ({
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
  const colleaguePage = await openBrowser()
  const other = await colleaguePage.context().newPage()
  await colleaguePage.goto(links[0] ?? '')
  await other.goto(links[1] ?? '')

  await colleaguePage.getByRole('link', { name: 'Sign in and join' }).click()
  await fillSignIn(colleaguePage, colleague)
  await expect(headingOf(colleaguePage, 'Join First Samplewood')).toBeVisible()
  await colleaguePage.getByRole('button', { name: /^Join as/ }).click()
  await expect(done(colleaguePage, 'You joined the organization.')).toBeVisible()
  await other.reload()
  await expect(headingOf(other, 'Join Second Samplewood')).toBeVisible()
  await other.getByRole('button', { name: /^Join as/ }).click()
  await expect(done(other, 'You joined the organization.')).toBeVisible()

  await colleaguePage.goto(links[0] ?? '')
  await expect(headingOf(colleaguePage, 'This link has already been used')).toBeVisible()
})
