/** A rejection, and the appeal against it. */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson, type Person } from '../support/journey-people.ts'
import { addSubmitted } from '../support/journey-registration.ts'
import { done, enterWithMfa, settleIn } from '../support/journey-steps.ts'
import type { Stack } from '../support/stack.ts'
import { sweep } from '../support/sweep.ts'

/** Nobody else of the staff is told of anything, or decides. */
async function reviewers(stack: Stack, names: readonly string[]): Promise<Person[]> {
  await stack.owner.query(`UPDATE portal.account SET disabled_at = now() WHERE staff_role = 'reviewer'`)
  return Promise.all(
    names.map((name) => addPerson(stack.owner, { realm: 'staff', name, staffRole: 'reviewer' })),
  )
}

const step = (page: Page, name: string) => page.getByRole('form', { name })

test('two reviewers reject a request, its developer appeals, and neither of them decides again @long', async ({
  page,
  openBrowser,
  developer,
  stack,
  mails,
}) => {
  const mara = await developer('Mara Placeholder')
  const home = await settleIn(page, mara, 'Larkfield Labs')
  const id = await addSubmitted(stack.owner, { organization: home, name: 'Larkfield Goals' })
  const [ruth, ira] = await reviewers(stack, ['Ruth Placeholder', 'Ira Placeholder'])
  if (!ruth || !ira) throw new Error('nobody reviews')

  const first = await openBrowser()
  await enterWithMfa(first, ruth)
  await first.goto(paths.staffInbox)
  const inbox = (whose: Page) =>
    whose.getByRole('link', { name: 'Review the request for “Larkfield Goals”.', exact: true })
  await sweep(first, 'an inbox')
  await inbox(first).click()
  await step(first, 'Claim the request').getByRole('button').click()
  await first.getByRole('heading', { name: 'Reject' }).click()
  await step(first, 'Reject').locator('input[value="misleads"]').check()
  await step(first, 'Reject')
    .getByLabel('Explanation for the developer')
    .fill('The name is taken for a clinic.')
  await step(first, 'Reject').getByRole('button').click()
  await expect(first.getByText('You proposed it, so a colleague must confirm or dismiss it.')).toBeVisible()
  await expect(step(first, 'Confirm the rejection')).toHaveCount(0)

  await first.goto(paths.staffInbox)
  await expect(first.getByRole('heading', { name: 'Inbox' })).toBeVisible()
  await expect(inbox(first)).toHaveCount(0)

  const second = await openBrowser()
  await enterWithMfa(second, ira)
  await second.goto(paths.staffInbox)
  await inbox(second).click()
  await sweep(second, 'a proposed rejection')
  await step(second, 'Confirm the rejection').getByRole('button').click()
  await expect(step(second, 'Confirm the rejection')).toHaveCount(0)

  const refused = await mails.waitFor({ to: mara.email, subject: /^Rejected: / })
  expect(refused.text).toContain('The name is taken for a clinic.')
  await page.goto(`${home}/registrations/${id}`)
  await expect(page.getByText('The name is taken for a clinic.').first()).toBeVisible()
  await expect(page.getByText('Rejected. You can appeal for 30 days.')).toBeVisible()
  await sweep(page, 'a registration that was rejected')
  await page.getByLabel('What should another reviewer know?').fill('Larkfield is our own registered name.')
  await page.getByRole('button', { name: 'Appeal' }).click()
  await expect(done(page, 'Appeal sent. A different reviewer will handle it.')).toBeVisible()
  await mails.waitFor({ to: mara.email, subject: /^We received your appeal/ })

  for (const browser of [first, second]) {
    await browser.goto(paths.reviewRegistration(id))
    await expect(browser.getByText('You decided on this before the appeal')).toBeVisible()
    await expect(browser.getByRole('form', { name: /Claim|Approve|Take/ })).toHaveCount(0)
  }
})
