/** A patient asks for no further access; an admin withholds the patient, and ends it. */
import { createHash, randomBytes } from 'node:crypto'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { createStore } from '../../server/store/store.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson, addProductionPractice } from '../support/journey-people.ts'
import { fillSignIn, headingOf, setUpMfa } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a patient sees a key that read the record, asks for no more, and an admin withholds the record', async ({
  page,
  openBrowser,
  stack,
}) => {
  const slug = 'linden-row'
  const { owner } = stack
  const admin = await addPerson(owner, { realm: 'practice', name: 'Theo Placeholder' })
  const wren = await addPerson(owner, { realm: 'patient', name: 'Wren Testwell' })
  await addProductionPractice(owner, { slug, name: 'Linden Row Clinic' }, [[admin, 'admin']])
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
  const key = makeKey('production', randomBytes)
  await owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, created_by_id,
       created_at, expires_at)
     SELECT gen_random_uuid(), $2, $3, 'Night count', 'read_only', 'production', id, $4, now(), now() + interval '1 day'
       FROM portal.practice WHERE slug = $1`,
    [slug, prefixOf(key), createHash('sha256').update(key).digest(), admin.accountId],
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
  await expect(patient.getByText(`Night count (key ${prefixOf(key)})`)).toBeVisible()
  await sweep(patient, 'patient-access')
  await patient.getByRole('button', { name: 'Ask the practice' }).click()
  await expect(patient.getByText('You requested no further access.')).toBeVisible()

  await page.goto(paths.practiceInbox)
  await fillSignIn(page, admin)
  await setUpMfa(page)
  await page.goto(paths.practiceWithheld)
  await expect(headingOf(page, 'Withheld patients')).toBeVisible()
  await sweep(page, 'withheld-request')
  await page.getByRole('button', { name: 'Withhold Wren Testwell' }).click()
  await expect(page.getByText('Wren Testwell: withheld.')).toBeVisible()
  expect(await call()).toBe(404)
  await sweep(page, 'withheld-undo')
  await patient.reload()
  await expect(patient.getByText('No key or app reads these records.')).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('No patient is withheld')).toBeVisible()
  expect(await call()).toBe(200)

  await page.getByLabel('Patient', { exact: true }).fill('wren')
  await page.getByRole('button', { name: 'Find patient' }).click()
  await page.getByRole('radio', { name: /Wren Testwell/ }).check()
  expect(page.url()).not.toContain('wren')
  await page.getByLabel('Reason').fill('A relative works at the company.')
  await sweep(page, 'withheld-found')
  await page.getByRole('button', { name: 'Withhold patient' }).click()
  await expect(page.getByText('Wren Testwell: withheld.')).toBeVisible()
  expect(await call()).toBe(404)
})
