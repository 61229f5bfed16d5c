/** A new organization registers the apps of a test kit, sees their secrets once, and downloads both presets. */
import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/journey.ts'
import { headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a developer makes a sandbox ready for Inferno', async ({ page, developer }) => {
  const home = await settleIn(page, await developer(), 'Fennmoor Conformance')
  await page.goto(`${home}/sandbox/launch`)
  await page.getByRole('link', { name: 'Inferno', exact: true }).click()
  await expect(headingOf(page, 'Test with Inferno')).toBeVisible()
  const kit = page.getByRole('navigation', { name: 'Test kits' }).getByRole('link', { name: 'US Core 6.1.0' })
  await kit.click()
  await expect(kit).toHaveAttribute('aria-current', 'page')

  // Plain HTTP is refused beside the field.
  await page.getByRole('textbox', { name: 'Inferno URL' }).fill('http://inferno.example')
  await page.getByRole('button', { name: 'Register the apps' }).click()
  await expect(page.getByText('Enter an https URL').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Inferno URL' }).fill('https://inferno.healthit.gov/suites')
  await page.getByRole('button', { name: 'Register the apps' }).click()

  const secrets = page.getByRole('region', { name: 'Client secrets' })
  await expect(secrets).toBeVisible()
  const [withSecrets] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the preset with secrets' }).click(),
  ])
  const preset = JSON.parse(await readFile(await withSecrets.path(), 'utf8'))
  const secret = preset.inputs[1].value.client_secret as string
  await expect(secrets.getByText(secret)).toBeVisible()
  await sweep(page, 'Inferno, secrets shown')

  await page.reload()
  await expect(page.getByText(secret)).toHaveCount(0)
  const [withoutSecrets] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the preset' }).click(),
  ])
  const text = await readFile(await withoutSecrets.path(), 'utf8')
  expect(withoutSecrets.suggestedFilename()).toBe('inferno-us-core.json')
  expect(text).toContain('pt-vera-everyfield')
  expect(text).not.toContain(secret)
  await sweep(page, 'Inferno')
})
