/** The review page shows the queue beside one request, and its decisions need little scrolling. */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson } from '../support/journey-people.ts'
import { addSubmitted } from '../support/journey-registration.ts'
import { enterWithMfa, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

/** The lowest that a decision's button may be on the page, in pixels, with a window of 1,440 by 900. */
const buttonBottomMax = 1_500

const stepForm = (page: Page, name: string) => page.getByRole('form', { name })

/** The bottom edge of the lowest visible button that sends a decision. */
const lowestButton = (page: Page) =>
  page.evaluate(() => {
    const buttons = [...document.querySelectorAll('.decisions button[type="submit"]')]
    const seen = buttons.filter((button) => button.checkVisibility({ contentVisibilityAuto: true }))
    return Math.max(...seen.map((button) => button.getBoundingClientRect().bottom + window.scrollY))
  })

test('a reviewer opens a request from the queue, reads its sections and decides', async ({
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
  await sweep(staff, 'review queue')

  await staff.setViewportSize({ width: 1440, height: 900 })
  await staff.getByRole('link', { name: 'Avocet Charts' }).press('Enter')
  await expect(headingOf(staff, 'Avocet Charts')).toBeVisible()
  await expect(staff.getByRole('region', { name: 'Queue' })).toContainText('Avocet Goals')
  await stepForm(staff, 'Claim the request').getByRole('button').press('Enter')
  await expect(stepForm(staff, 'Organization')).toBeVisible()
  const fold = (name: string) => staff.locator('summary').filter({ hasText: name })
  await fold('Ask for missing information').press('Enter')
  await expect(stepForm(staff, 'Ask for missing information')).toBeVisible()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(buttonBottomMax)
  await fold('Reject').press('Enter')
  await expect(stepForm(staff, 'Reject')).toBeVisible()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(buttonBottomMax)
  await expect(stepForm(staff, 'Ask for missing information')).toBeHidden()
  await fold('Organization').press('Enter')
  expect(await lowestButton(staff)).toBeLessThanOrEqual(buttonBottomMax)
  await stepForm(staff, 'Organization').getByRole('textbox').fill('Rang a known number.')
  await stepForm(staff, 'Organization').getByRole('button').click()
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
  for (const box of await stepForm(staff, 'Configuration').getByRole('checkbox').all()) await box.check()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(buttonBottomMax)
  await stepForm(staff, 'Configuration').getByRole('button').click()
  await expect(staff.getByText('Checked')).toBeVisible()
  expect(await lowestButton(staff)).toBeLessThanOrEqual(buttonBottomMax)
  await stepForm(staff, 'Approve').getByRole('button').click()
  await expect(stepForm(staff, 'Approve')).toBeHidden()
})
