/** Forms that are left half filled, and dialogs that give the focus back. */
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addDomain, addPerson, addProductionPractice } from '../support/journey-people.ts'
import {
  createApp,
  done,
  enterWithMfa,
  headingOf,
  projectDescription,
  settleIn,
} from '../support/journey-steps.ts'

test('a half-filled form asks before it is left, and has its input when it is opened again', async ({
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

  // The browser's own question, when the tab leads elsewhere.
  const asked = page.waitForEvent('dialog')
  const away = page.goto('/').catch(() => null)
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await away
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

test('a new app keeps its input, and a production key names the domain before its form @long', async ({
  page,
  developer,
}) => {
  const home = await settleIn(page, await developer(), 'Larkfield Labs')
  await page.goto(paths.newRegistration(home.split('/').at(-1) ?? ''))
  await page.getByLabel('App name').fill('Tidepath')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave page' }).click()
  await expect(headingOf(page, 'Apps')).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('App name')).toHaveValue('Tidepath')
  await page.getByRole('button', { name: 'Discard input' }).click()
  await expect(page.getByLabel('App name')).toHaveValue('')

  await page.goto(paths.newProductionKey(home.split('/').at(-1) ?? ''))
  await expect(page.getByRole('heading', { name: 'Confirm a domain first' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
})

test('a request for a production key keeps its input without a connection, on every way out of its form', async ({
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
  const [name, why] = [
    page.getByLabel('Key name'),
    page.getByLabel('What do you need the key for, and why at this level?'),
  ]

  // By the button: the next step has it, and the way back.
  await name.fill('Nightly import')
  await why.fill('Reads visits every night so that reminder calls are right.')
  await page.getByLabel('Visits and appointments').check()
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await page.getByLabel('Their title').fill('Chief Executive')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Key and use' }).click()
  await expect(name).toHaveValue('Nightly import')
  await expect(page.getByLabel('Visits and appointments')).toBeChecked()

  // By a link, at once after the last key: leaving saves.
  await name.fill('Nightly import of visits')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByText('Nightly import of visits').first()).toBeVisible()
  await page.getByRole('link', { name: 'Edit: Key and use' }).click()
  await expect(name).toHaveValue('Nightly import of visits')

  // By the button without a connection: the form stays, and the tab saves it later.
  await page.context().setOffline(true)
  await why.fill('Reads visits every night so that the practice’s reminder calls are right.')
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await expect(page.getByText('No connection. Nothing is lost.')).toBeVisible()
  await expect(why).toHaveValue('Reads visits every night so that the practice’s reminder calls are right.')
  await page.context().setOffline(false)
  await expect(page.getByText('Saved automatically.')).toBeVisible()
  await page.reload()
  await expect(why).toHaveValue('Reads visits every night so that the practice’s reminder calls are right.')
})

test('a step of a registration that cannot be sent stays as it was typed @long', async ({
  page,
  developer,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  const home = await settleIn(page, await developer(), 'Keptfield Labs')
  await page.goto(paths.newRegistration(home.split('/').at(-1) ?? ''))
  await createApp(page, { name: 'Kept Goals', redirectUri: 'https://app.tidepath.example/callback' })
  await page.getByRole('link', { name: 'Edit form' }).click()
  await expect(page.getByLabel('Description')).toBeVisible()
  await page.context().setOffline(true)
  await page.getByLabel('Description').fill('Typed without a connection.')
  await page.getByRole('button', { name: 'Continue to policies and contacts' }).click()

  await expect(page.getByText('No connection. Nothing is lost.')).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Typed without a connection.')
  await page.context().setOffline(false)
  await expect(page.getByText('Saved automatically.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Typed without a connection.')
})

test('the focus goes back to where it was when the palette closes @long', async ({ page, developer }) => {
  const home = await settleIn(page, await developer(), 'Larkfield Labs')
  await page.goto(`${home}/keys/new`)
  const field = page.getByLabel('Key name')
  await field.focus()

  // Until React has taken the page over, nobody hears the key.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Escape')

  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(field).toBeFocused()
})

test('what staff wrote about an incident is kept when they leave its page @long', async ({ page, ops }) => {
  await enterWithMfa(page, await ops())
  await page.goto(paths.staffIncidents)
  await page.getByLabel('Title', { exact: true }).fill('Reads are slow')
  await page.getByLabel('Public text').fill('Reads take two to four seconds.')
  await page.getByLabel('FHIR API', { exact: true }).check()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('heading', { name: 'Post an update' })).toBeVisible()

  const incident = page.url()
  await page.getByLabel('Public text').fill('Reads take one second again.')
  await page.getByRole('link', { name: 'Sandpiper' }).first().click()
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave page' })
    .click()
  await expect(page).not.toHaveURL(incident)
  await page.goto(incident)

  await expect(page.getByText('Your unsaved input was restored.')).toBeVisible()
  await expect(page.getByLabel('Public text')).toHaveValue('Reads take one second again.')
})
