/** Trying the interfaces from the portal: at once for visitors, with a sandbox of one's own for developers, and never with a key in the browser. */
import type { BrowserContext, Page } from '@playwright/test'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { findFaults } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'
import { settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

/** What no answer, cookie, storage or page may hold: whole keys, and tokens. */
const secrets = [keyPattern, /spa_[A-Za-z0-9_-]{43}/, /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/]

/** Reads every answer that a browser gets from now on. */
function readAnswers(context: BrowserContext) {
  const waiting: Promise<void>[] = []
  const found: string[] = []
  context.on('response', (response) => {
    const url = new URL(response.url()).pathname
    waiting.push(
      response.body().then(
        (body) => {
          const text = `${JSON.stringify(response.headers())}\n${body.toString('utf8')}`
          for (const secret of secrets) if (secret.test(text)) found.push(`an answer of ${url}`)
        },
        // A redirect has no body, and a page that was left has none any more.
        () => {},
      ),
    )
  })
  return {
    async secretsIn(page: Page): Promise<string[]> {
      await Promise.all(waiting)
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
      const places: [string, string][] = [
        ['the storage', kept],
        ['the page', await page.content()],
        ['the cookies', JSON.stringify(await context.cookies())],
      ]
      for (const [place, text] of places)
        for (const secret of secrets) if (secret.test(text)) found.push(place)
      return found
    },
  }
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
const answer = (page: Page) => page.getByRole('region', { name: 'Response', exact: true })

test('a visitor gets from the first page to an answer in two clicks, with and without a script', async ({
  page,
  context,
  openBrowser,
}) => {
  const answers = readAnswers(context)

  await page.goto('/')
  await page.getByRole('link', { name: 'Try it without a key' }).click()
  await send(page)
  await expect(answer(page).getByText('200 OK')).toBeVisible()

  await expect(answer(page)).toContainText('Logged as')
  expect(await findFaults(page)).toEqual([])
  expect(await answers.secretsIn(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })

  const plain = await openBrowser({ javaScriptEnabled: false })
  await plain.goto(paths.explorerOperation('getPatient'))
  await plain.getByRole('link', { name: 'Juno Testwell' }).click()
  await send(plain)
  await expect(answer(plain).getByText('200 OK')).toBeVisible()
  await expect(answer(plain)).toContainText('SYN-009903')
  await expect(plain.getByLabel('id', { exact: true })).toHaveValue('pt-juno-testwell')
})

test('a developer searches and writes in a sandbox of their own; signing out ends the key', async ({
  page,
  context,
  developer,
  stack,
  watch,
}) => {
  watch.allow(/status of 403/)
  const answers = readAnswers(context)
  const home = await settleIn(page, await developer(), 'Samplewood Explorers')
  await page.goto(home)

  await page.getByRole('navigation', { name: 'Developer' }).getByRole('link', { name: 'Explorer' }).click()
  await expect(page.getByLabel('Key level')).toHaveValue('read_only')
  await page.getByLabel('q', { exact: true }).fill('testwell')
  await send(page)
  await expect(answer(page).getByText('200 OK')).toBeVisible()
  await expect(answer(page)).toContainText('Wren')

  await page.goto(paths.explorerOperation('createPatient'))
  // An operation that writes begins with a key that may.
  await expect(page.getByLabel('Key level')).toHaveValue('full')
  await page.getByLabel('Key level').selectOption('read_only')
  await send(page)
  await expect(answer(page).getByText('403 Forbidden')).toBeVisible()
  await page.getByLabel('Key level').selectOption('full')
  await send(page)
  await expect(answer(page).getByText('201 Created')).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  expect(await answers.secretsIn(page)).toEqual([])

  await page.goto(`${paths.explorer}/history`)
  await expect(page).toHaveURL(new RegExp(`${paths.explorer}$`))
  const last = page.getByRole('group').filter({ hasText: 'Last 10 calls' })
  await expect(last.getByRole('listitem')).toHaveCount(3)
  await expect(last).not.toContainText(/testwell|Samplewood, /i)
  await last.getByRole('link', { name: /GET \/patients\?q=…/ }).click()
  await expect(page.getByRole('heading', { name: 'Search patients' })).toBeVisible()
  await last.getByRole('button', { name: 'Delete all' }).click()
  await expect(page.getByText('No calls yet')).toBeVisible()

  // Of this organization: other journeys leave sessions behind that nobody signs out of.
  const live = `SELECT count(*)::int AS n FROM portal.api_key k JOIN portal.session s ON s.id = k.explorer_session_id
    JOIN portal.practice p ON p.id = k.practice_id
    WHERE k.explorer AND k.expires_at > now() AND p.organization_id = (SELECT id FROM portal.organization WHERE slug = '${home.split('/').at(-1)}')`
  expect((await stack.owner.query(live)).rows[0].n).toBe(2)
  await page.getByLabel(/^Signed in as/).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(async () => (await stack.owner.query(live)).rows[0].n).toBe(0)
})

test('a developer searches FHIR with _revinclude, sees a refusal, and calls a tool of MCP', async ({
  page,
  context,
  developer,
  watch,
}) => {
  watch.allow(/status of 400/)
  const answers = readAnswers(context)
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
  await expect(answer(page).getByRole('link', { name: 'View in logs' })).toBeVisible()
  await sweep(page, '/explorer/mcp answer')
  await page.getByLabel('Key level').selectOption('full_writes')
  await expect(page.getByRole('link', { name: 'Create a patient' }).first()).toBeVisible()

  expect(await answers.secretsIn(page)).toEqual([])
})
