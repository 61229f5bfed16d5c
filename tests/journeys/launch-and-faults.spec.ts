/** A developer launches the example app, makes the sandbox misbehave, and looks at what came of it. */
import { expect, test } from '../support/journey.ts'
import { done, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a developer launches the example app and switches faults on for it', async ({ page, developer }) => {
  const home = await settleIn(page, await developer(), 'Larkfield Labs')

  // A launch that goes wrong in one place, told step by step.
  await page.goto(`${home}/sandbox/launch`)
  await expect(headingOf(page, 'Launch simulator')).toBeVisible()
  await page.getByLabel('Simulated fault').selectOption({ label: 'Wrong state' })
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await expect(headingOf(page, 'EHR launch: Example app (clinician)')).toBeVisible()
  await expect(page.getByText('The state differs from the one that was sent')).toBeVisible()
  await sweep(page, 'log of a launch')

  await page.getByRole('link', { name: 'Another launch' }).click()
  await page.getByLabel('Backend system').check()
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await expect(headingOf(page, 'Backend system: Example app (backend)')).toBeVisible()
  await expect(page.getByText('Failed', { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Another launch' }).click()
  await sweep(page, 'launch simulator')

  // Faults for the app that there is now; a script that is none is refused in place.
  await page.getByRole('link', { name: 'Faults', exact: true }).click()
  await page.getByRole('textbox', { name: 'Faults' }).fill('418')
  await page.getByRole('button', { name: 'Enable faults' }).click()
  await expect(page.getByText('Unknown fault.').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Faults' }).fill('429*2, ok, 503')
  await page.getByRole('button', { name: 'Enable faults' }).click()
  await expect(done(page, 'Enabled within a second.')).toBeVisible()
  await sweep(page, 'fault lab')
  await page.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Bulk', exact: true }).click()
  await page.getByLabel('Fail in part').check()
  await page.getByRole('button', { name: 'Enable for the next export' }).click()
  await expect(page.getByText('bulk-slow;minutes=3+bulk-partial').first()).toBeVisible()
  await sweep(page, 'bulk lab')
})
