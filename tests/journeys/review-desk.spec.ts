/** The reviewers' desk: the queue, one request beside it, and a decision that is reached without scrolling far. */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson } from '../support/journey-people.ts'
import { addSubmitted } from '../support/journey-registration.ts'
import { enterWithMfa, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

/** As far down as anybody has to look for a decision, in pixels of a screen of 1,440 by 900. */
const reachMax = 1_500

const step = (page: Page, name: string) => page.getByRole('form', { name })

/** The lowest edge of a button that sends a decision and can be seen. */
const lowestButton = (page: Page) =>
  page.evaluate(() => {
    const buttons = [...document.querySelectorAll('.decisions button[type="submit"]')]
    const seen = buttons.filter((button) => button.checkVisibility({ contentVisibilityAuto: true }))
    return Math.max(...seen.map((button) => button.getBoundingClientRect().bottom + window.scrollY))
  })

test('a reviewer opens, moves through and decides requests at the desk', async ({
  page,
  openBrowser,
  developer,
  stack,
}) => {
  const home = await settleIn(page, await developer('Mara Placeholder'), 'Avocet Works')
  await addSubmitted(stack.owner, { organization: home, name: 'Avocet Charts' })
  await addSubmitted(stack.owner, { organization: home, name: 'Avocet Goals' })
  const ruth = await addPerson(stack.owner, {
    realm: 'staff',
    name: 'Ruth Placeholder',
    staffRole: 'reviewer',
  })
  const staff = await openBrowser()
  await enterWithMfa(staff, ruth)

  await staff.goto(`${paths.reviewQueue}?q=Avocet`)
  await expect(headingOf(staff, 'Queue')).toBeVisible()
  const row = staff.getByRole('row', { name: 'Avocet Charts' })
  await expect(row).toContainText('Raised risk')
  await expect(row).toContainText('The organization joined less than 30 days ago.')
  await expect(row).toContainText('0 of 5 days used')
  await expect(row).toContainText('Unassigned')
  await sweep(staff, 'the queue of a desk')

  await staff.setViewportSize({ width: 1440, height: 900 })
  await staff.getByRole('link', { name: 'Avocet Charts' }).press('Enter')
  await expect(headingOf(staff, 'Avocet Charts')).toBeVisible()
  await expect(staff.getByRole('region', { name: 'Queue' })).toContainText('Avocet Goals')
  await step(staff, 'Claim the request').getByRole('button').press('Enter')
  await expect(step(staff, 'Organization')).toBeVisible()
  const fold = (name: string) => staff.locator('summary').filter({ hasText: name })
  await fold('Ask for missing information').press('Enter')
  await expect(step(staff, 'Ask for missing information')).toBeVisible()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(reachMax)
  await fold('Reject').press('Enter')
  await expect(step(staff, 'Reject')).toBeVisible()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(reachMax)
  await expect(step(staff, 'Ask for missing information')).toBeHidden()
  await fold('Organization').press('Enter')
  expect(await lowestButton(staff)).toBeLessThanOrEqual(reachMax)
  await step(staff, 'Organization').getByRole('textbox').fill('Rang a known number.')
  await step(staff, 'Organization').getByRole('button').click()
  await expect(staff.getByText('Verified')).toBeVisible()

  // Each part of the request has an address; the queue stays as it was filtered.
  for (const [tab, heading] of [
    ['Evidence', 'Organization'],
    ['Differences', 'Differences'],
    ['Conversation', 'Internal notes'],
    ['History', 'History'],
    ['Request', 'Request'],
  ] as const) {
    await staff.getByRole('navigation', { name: 'Sections' }).getByText(tab).click()
    await expect(staff.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect(staff).toHaveURL(/q=Avocet/)
    if (tab === 'Evidence') await sweep(staff, 'the evidence of a request')
  }

  await staff.setViewportSize({ width: 1440, height: 900 })
  for (const box of await step(staff, 'Configuration').getByRole('checkbox').all()) await box.check()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(reachMax)
  await step(staff, 'Configuration').getByRole('button').click()
  await expect(staff.getByText('Checked')).toBeVisible()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(reachMax)
  await step(staff, 'Approve').getByRole('button').click()
  await expect(step(staff, 'Approve')).toBeHidden()
})
