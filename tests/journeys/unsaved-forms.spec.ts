/** A form's unsaved input when its page is left, and the focus after a dialog. */
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addDomain, addPerson, addProductionPractice } from '../support/journey-people.ts'
import { done, headingOf, projectDescription, settleIn } from '../support/journey-steps.ts'

test('a half-filled form warns before it is left, and restores its input when it is opened again', async ({
  page,
  developer,
}) => {
  const home = await settleIn(page, await developer(), 'Samplewood Health Apps')
  await page.goto(`${home}/keys/new`)
  await page.getByLabel('Key name').fill('Nightly import')
  await page.getByLabel('What are you building?').fill(projectDescription)
  await page.getByLabel(/^Full/).check()

  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(leave).toBeVisible()
  await leave.getByRole('button', { name: 'Keep editing' }).click()
  await expect(leave).toBeHidden()
  await expect(page.getByLabel('Key name')).toHaveValue('Nightly import')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await leave.getByRole('button', { name: 'Leave page' }).click()
  await expect(headingOf(page, 'Keys')).toBeVisible()

  await page.goto(`${home}/keys/new`)
  await expect(page.getByText('Your unsaved input was restored.')).toBeVisible()
  await expect(page.getByLabel('Key name')).toHaveValue('Nightly import')
  await expect(page.getByLabel('What are you building?')).toHaveValue(projectDescription)
  await expect(page.getByLabel(/^Full/)).toBeChecked()

  // The browser's own warning when the tab navigates elsewhere.
  const dialog = page.waitForEvent('dialog')
  const navigation = page.goto('/').catch(() => null)
  const warning = await dialog
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  await navigation
  await expect(page.getByLabel('Key name')).toHaveValue('Nightly import')

  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request key' }).click()
  await expect(done(page, 'Request sent. We’ll email you the claim link.')).toBeVisible()
  await page.goto(`${home}/keys/new`)
  await expect(page.getByLabel('Key name')).toHaveValue('')
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContainEqual(
    expect.stringContaining('sandpiper-input'),
  )
})

test('a production key request keeps its input however its form is left, also without a connection', async ({
  page,
  developer,
  stack,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  const home = await settleIn(page, await developer(), 'Keptwood Labs')
  await addDomain(stack.owner, home, 'keptwood.example')
  const admin = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  const practice = { slug: 'keptwood-family', name: 'Keptwood Family Practice' }
  await addProductionPractice(stack.owner, practice, [[admin, 'admin']])
  await page.goto(paths.newProductionKey(home.split('/').at(-1) ?? ''))
  await page.getByLabel('Practice ID').fill(practice.slug)
  await page.getByRole('button', { name: 'Choose practice' }).click()
  const [name, reason] = [
    page.getByLabel('Key name'),
    page.getByLabel('What do you need the key for, and why at this level?'),
  ]

  // Continuing saves: the form shows the input again after going back.
  await name.fill('Nightly import')
  await reason.fill('Reads visits every night so that reminder calls are right.')
  await page.getByLabel('Visits and appointments').check()
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await page.getByLabel('Their title').fill('Chief Executive')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Key and use' }).click()
  await expect(name).toHaveValue('Nightly import')
  await expect(page.getByLabel('Visits and appointments')).toBeChecked()

  // Leaving by a link saves, even right after the last keystroke.
  await name.fill('Nightly import of visits')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByText('Nightly import of visits').first()).toBeVisible()
  await page.getByRole('link', { name: 'Edit: Key and use' }).click()
  await expect(name).toHaveValue('Nightly import of visits')

  // Without a connection the form stays open, and the tab saves it when the connection is back.
  await page.context().setOffline(true)
  await reason.fill('Reads visits every night so that the practice’s reminder calls are right.')
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await expect(page.getByText('No connection. Nothing is lost.')).toBeVisible()
  await expect(reason).toHaveValue(
    'Reads visits every night so that the practice’s reminder calls are right.',
  )
  await page.context().setOffline(false)
  await expect(page.getByText('Saved automatically.')).toBeVisible()
  await page.reload()
  await expect(reason).toHaveValue(
    'Reads visits every night so that the practice’s reminder calls are right.',
  )
})

test('the focus goes back to where it was when the palette closes @long', async ({ page, developer }) => {
  const home = await settleIn(page, await developer(), 'Larkfield Labs')
  await page.goto(`${home}/keys/new`)
  const field = page.getByLabel('Key name')
  await field.focus()

  // Until React has hydrated the page, the shortcut does nothing.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Escape')

  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(field).toBeFocused()
})
