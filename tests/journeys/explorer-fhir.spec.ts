/** The FHIR builder and the MCP console: searches and tools with credentials that no browser ever sees. */
import type { Page } from '@playwright/test'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { expect, test } from '../support/journey.ts'
import { settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()
const accessToken = /spa_[A-Za-z0-9_-]{43}/

test('a developer searches FHIR with _revinclude, sees a refusal, and calls a tool of MCP', async ({
  page,
  developer,
  watch,
}) => {
  watch.allow(/status of 400/)
  const answers: string[] = []
  page.on('response', async (response) => {
    const text = await response.text().catch(() => '')
    answers.push(`${JSON.stringify(await response.allHeaders().catch(() => ({})))} ${text}`)
  })
  await settleIn(page, await developer('Mara Testwell'), 'Explorer Samplewood')

  await page.goto('/explorer/fhir?type=MedicationRequest')
  await expect(page.getByRole('heading', { name: 'Search MedicationRequest' })).toBeVisible()
  await expect(page.getByLabel('Practice', { exact: true })).toContainText('Explorer Samplewood sandbox')
  await page.getByText(/^Optional parameters/).click()
  await page.getByLabel('Provenance:target').check()
  await expect(page.locator('.ex-url')).toContainText('_revinclude=Provenance:target')
  await send(page)
  const table = page.getByRole('table', { name: 'Resources' })
  await expect(table).toContainText('MedicationRequest/')
  await expect(table).toContainText('included')
  await expect(
    page.getByText('This call needs patient/MedicationRequest.s patient/Provenance.rs'),
  ).toBeVisible()
  const answer = page.getByRole('region', { name: 'Response', exact: true })
  await expect(answer).toContainText('resources match FHIR R4 and US Core: nothing is missing')
  await expect(answer).toContainText('Token, this second')
  await expect(answer).toContainText('Logged for the token’s app')
  await expect(answer).toContainText('In the practice’s access record')
  await answer.getByText('Token of a backend system').click()
  await expect(answer.getByText('Everything except MedicationRequest').last()).toBeVisible()
  await answer.getByText(/^Must-support elements of/).click()
  await expect(answer).toContainText('us-core-medicationrequest')
  await sweep(page, '/explorer/fhir answer')

  await page.getByRole('radio', { name: 'JSON', exact: true }).check()
  const tree = page.locator('.ex-tree')
  const inside = (name: string) =>
    tree
      .locator('summary', { hasText: name })
      .first()
      .locator('xpath=following-sibling::div//summary')
      .first()
  await inside('entry:').click()
  await expect(tree.getByRole('button', { name: /^Patient\// }).first()).toBeVisible()
  await page.getByRole('radio', { name: 'Timeline', exact: true }).check()
  await expect(
    page
      .getByRole('listitem')
      .filter({ has: page.locator('time') })
      .first(),
  ).toBeVisible()
  await page.getByRole('radio', { name: 'fhirclient', exact: true }).check()
  await expect(page.getByRole('region', { name: 'fhirclient: this call' })).toContainText(
    'process.env.ACCESS_TOKEN',
  )
  await page.getByRole('radio', { name: 'Table', exact: true }).check()
  await table
    .getByRole('button', { name: /^Practitioner\/|Placeholder/ })
    .first()
    .click()
  await expect(page.getByText(/GET http.*\/r4\/.*\/(Practitioner|Patient|Encounter)\//)).toBeVisible()

  await page
    .getByText(/^Token scopes/)
    .first()
    .click()
  await page.getByLabel('Token scopes').selectOption('without')
  await send(page)
  await expect(page.getByText('The token’s scopes don’t allow this.')).toBeVisible()

  await page.goto('/explorer')
  await page
    .getByRole('link', { name: /MedicationRequest\?.*_revinclude=Provenance:target/ })
    .first()
    .click()
  await expect(page.getByText('From your history.')).toBeVisible()
  await expect(page.getByLabel('Provenance:target', { exact: true })).toBeChecked()

  await page.goto('/explorer/mcp')
  await page.getByRole('link', { name: 'Summarize a chart' }).first().click()
  await page.getByLabel('patientId').fill('pt-wren-testwell')
  await send(page)
  await expect(page.getByRole('heading', { name: 'Result of get_patient_summary' })).toBeVisible()
  await inside('medications:').click()
  await expect(page.getByText('chart text').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Compared with the tool’s outputSchema' })).toBeVisible()
  await expect(page.getByText('Nothing is missing or extra, and every type matches.')).toBeVisible()
  await expect(page.getByText('Key, this minute')).toBeVisible()
  await sweep(page, '/explorer/mcp answer')
  await page.getByLabel('Key level').selectOption('full_writes')
  await expect(page.getByRole('link', { name: 'Create a patient' }).first()).toBeVisible()

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  const seen = [...answers, await page.content(), kept, JSON.stringify(await page.context().cookies())].join(
    '\n',
  )
  expect(seen).not.toMatch(keyPattern)
  expect(seen).not.toMatch(accessToken)
})

test('a visitor searches the demonstration without a script in the page', async ({ openBrowser }) => {
  const page = await openBrowser({ javaScriptEnabled: false })

  await page.goto('/explorer/fhir')
  await page.getByRole('link', { name: 'Condition', exact: false }).first().click()
  await page.getByText(/^Optional parameters/).click()
  await page.getByRole('button', { name: 'Add a value of recorded-date' }).click()
  await page.getByLabel('recorded-date, value 2: comparison').selectOption('ge')
  await page.getByLabel('recorded-date, value 2', { exact: true }).fill('2000')
  await send(page)

  await expect(page.getByRole('table', { name: 'Resources' })).toContainText('Condition/')
  await expect(page.getByText(/Condition\?recorded-date=ge2000&/).first()).toBeVisible()
  await page.getByRole('radio', { name: 'JSON', exact: true }).check()
  await expect(page.getByText('resourceType: "Bundle"')).toBeVisible()
})
