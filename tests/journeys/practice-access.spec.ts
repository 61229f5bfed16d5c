/** What a practice sees and decides of access to its records: use, alerts, disclosures, withheld patients, stops. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { createStore } from '../../server/store/store.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson, addProductionPractice } from '../support/journey-people.ts'
import { enterWithMfa, fillSignIn, headingOf } from '../support/journey-steps.ts'
import type { Stack } from '../support/stack.ts'
import { sweep } from '../support/sweep.ts'

/** A practice in production with an admin, and a key that reads it. */
async function openPractice({ owner }: Stack, slug: string, name: string) {
  const admin = await addPerson(owner, { realm: 'practice', name: 'Theo Placeholder' })
  await addProductionPractice(owner, { slug, name }, [[admin, 'admin']])
  const [key, keyId] = [makeKey('production', randomBytes), randomUUID()]
  await owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, created_by_id,
       created_at, expires_at)
     SELECT $5, $2, $3, 'Registry', 'read_only', 'production', id, $4, now(), now() + interval '1 day'
       FROM portal.practice WHERE slug = $1`,
    [slug, prefixOf(key), createHash('sha256').update(key).digest(), admin.accountId, keyId],
  )
  return { admin, key, keyId }
}

test('an admin sees the calls of a key, checks an alert, accounts for disclosures, stops all access and removes the key', async ({
  page,
  stack,
}) => {
  const slug = 'larch-lane'
  const { admin, key, keyId } = await openPractice(stack, slug, 'Larch Lane Clinic')
  const headers = { authorization: `Bearer ${key}`, origin: 'https://app.samplewood.example' }
  expect((await page.request.get('/api/v1/patients', { headers })).status()).toBe(200)
  expect((await page.request.get('/api/v1/patients/nobody', { headers })).status()).toBe(404)
  // As the job finds it, which runs every 15 minutes.
  await stack.owner.query(
    `INSERT INTO portal.access_alert (id, practice_id, rule, subject_kind, subject_id, name, organization_name, day,
       explanation, created_at)
     SELECT gen_random_uuid(), id, 'browser', 'key', $2, 'Registry', 'Sandpiper', now()::date,
       '2 calls from a browser, and none in the 30 days before.', now() FROM portal.practice WHERE slug = $1`,
    [slug, keyId],
  )

  await enterWithMfa(page, admin, 'practice')
  await page.goto(paths.practice)
  await page.getByRole('link', { name: '2 requests in 30 days' }).click()
  await expect(headingOf(page, 'Use of Registry')).toBeVisible()
  await expect(page.getByRole('cell', { name: '127.0.0.0/24' })).toBeVisible()
  await sweep(page, 'practice-use-of')

  await page.goto(paths.practiceInbox)
  await page.getByRole('link', { name: /Check/ }).first().click()
  await expect(headingOf(page, 'Alerts')).toBeVisible()
  await sweep(page, 'practice-alerts')
  await page.getByRole('button', { name: /Mark as checked/ }).click()
  await expect(page.getByText('Alert checked.', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Alert settings' }).click()
  await sweep(page, 'practice-alert-settings')
  await page.getByLabel('From a browser: limit').fill('5')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Alert settings saved.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('From a browser: limit')).toHaveValue('5')

  // A patient's accounting of disclosures, which anybody verifies.
  const registry = { authorization: `Bearer ${key}`, 'x-purpose': 'public_health' }
  expect((await page.request.get('/api/v1/patients?limit=100', { headers: registry })).status()).toBe(200)
  await page.goto(paths.practiceAudit)
  await page.getByRole('link', { name: 'Make an accounting of disclosures' }).click()
  await expect(headingOf(page, 'Accounting of disclosures')).toBeVisible()
  await sweep(page, 'disclosures')
  await page.getByLabel('Patient', { exact: true }).fill('testwell')
  await page.getByRole('button', { name: 'Find patient' }).click()
  await page.getByRole('radio', { name: /Wren Testwell/ }).check()
  expect(page.url()).not.toContain('testwell')
  await sweep(page, 'disclosures-found')

  const files = []
  for (const format of ['PDF', 'CSV']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Download ${format}` }).click(),
    ])
    files.push(await readFile(await download.path()))
  }
  const [pdf, csv] = files as [Buffer, Buffer]
  expect(csv.toString()).toContain('Public health reporting')
  expect(csv.toString()).toContain(`key ${prefixOf(key)}`)

  await page.goto(paths.verifyDocument)
  await page.getByLabel('SHA-256, in hexadecimal').fill(createHash('sha256').update(pdf).digest('hex'))
  await page.getByRole('button', { name: 'Check SHA-256' }).click()
  await expect(page.getByText('An unchanged accounting of disclosures')).toBeVisible()

  // All access is stopped with the name of the practice and a reason, and comes back.
  const statusNow = async () => (await page.request.get('/api/v1/patients', { headers })).status()
  await page.goto(paths.practice)
  await expect(headingOf(page, 'Who has access')).toBeVisible()
  await page.getByRole('link', { name: 'Stop all access' }).click()
  await page.getByLabel('Name of the practice').fill('Larch Lane Clinic')
  await page.getByLabel('Reason').fill('We are checking what each key is for.')
  await page.getByRole('button', { name: 'Stop all access' }).click()

  await expect(page.getByText('All access is stopped.')).toBeVisible()
  expect(await statusNow()).toBe(401)
  await page.getByRole('button', { name: 'Resume access' }).click()
  await expect(page.getByText('All access is stopped.')).toBeHidden()
  expect(await statusNow()).toBe(200)
})

test('a patient sees a key that read the record, asks for no more, and an admin withholds the record', async ({
  page,
  openBrowser,
  stack,
}) => {
  const slug = 'linden-row'
  const { owner } = stack
  const { admin, key } = await openPractice(stack, slug, 'Linden Row Clinic')
  const wren = await addPerson(owner, { realm: 'patient', name: 'Wren Testwell' })
  const { rows } = await owner.query<{ id: number }>(
    'SELECT dataset_id AS id FROM portal.practice WHERE slug = $1',
    [slug],
  )
  const store = createStore({ pool: owner, clock: () => new Date() })
  const datasetId = await store.datasets.copy(rows[0]?.id ?? 0, { name: slug, kind: 'practice' })
  await owner.query('UPDATE portal.practice SET dataset_id = $2 WHERE slug = $1', [slug, datasetId])
  await owner.query(
    `INSERT INTO portal.patient_login (practice_id, account_id, patient_id, relationship, created_at)
     SELECT id, $2, 'pt-wren-testwell', 'self', now() FROM portal.practice WHERE slug = $1`,
    [slug, wren.accountId],
  )
  const call = async () =>
    (
      await page.request.get('/api/v1/patients/pt-wren-testwell', {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status()
  expect(await call()).toBe(200)

  const patient = await openBrowser()
  await patient.goto(paths.patientAccess)
  await fillSignIn(patient, wren)
  await expect(headingOf(patient, 'Who read your records')).toBeVisible()
  await expect(patient.getByText(`Registry (key ${prefixOf(key)})`)).toBeVisible()
  await sweep(patient, 'patient-access')
  await patient.getByRole('button', { name: 'Ask the practice' }).click()
  await expect(patient.getByText('You requested no further access.')).toBeVisible()

  await enterWithMfa(page, admin, 'practice')
  await page.goto(paths.practiceWithheld)
  await expect(headingOf(page, 'Withheld patients')).toBeVisible()
  await sweep(page, 'withheld-request')
  await page.getByRole('button', { name: 'Withhold Wren Testwell' }).click()
  const withheld = page.getByRole('row', { name: /Wren Testwell/ })
  await expect(withheld).toBeVisible()
  expect(await call()).toBe(404)
  await sweep(page, 'withheld')
  await patient.reload()
  await expect(patient.getByText('Keys and apps can’t read these records.')).toBeVisible()

  await withheld.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('No patient is withheld')).toBeVisible()
  expect(await call()).toBe(200)

  await page.getByLabel('Patient', { exact: true }).fill('wren')
  await page.getByRole('button', { name: 'Find patient' }).click()
  await page.getByRole('radio', { name: /Wren Testwell/ }).check()
  expect(page.url()).not.toContain('wren')
  await page.getByLabel('Reason').fill('A relative works at the company.')
  await sweep(page, 'withheld-found')
  await page.getByRole('button', { name: 'Withhold patient' }).click()
  await expect(withheld).toBeVisible()
  expect(await call()).toBe(404)
})
