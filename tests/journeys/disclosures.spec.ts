/** An admin of a practice hands out a patient's accounting of disclosures, and anybody verifies the file. */
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson, addProductionPractice } from '../support/journey-people.ts'
import { fillSignIn, headingOf, setUpMfa } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('an admin finds a patient, downloads the accounting, and its hash is verified', async ({
  page,
  stack,
}) => {
  const slug = 'heron-lane'
  const admin = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  await addProductionPractice(stack.owner, { slug, name: 'Heron Lane Clinic' }, [[admin, 'admin']])
  const key = makeKey('production', randomBytes)
  await stack.owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, created_by_id,
       created_at, expires_at)
     SELECT gen_random_uuid(), $2, $3, 'Registry', 'read_only', 'production', id, $4, now(), now() + interval '1 day'
       FROM portal.practice WHERE slug = $1`,
    [slug, prefixOf(key), createHash('sha256').update(key).digest(), admin.accountId],
  )
  const headers = { authorization: `Bearer ${key}`, 'x-purpose': 'public_health' }
  expect((await page.request.get('/api/v1/patients?limit=100', { headers })).status()).toBe(200)

  await page.goto(paths.practiceAudit)
  await fillSignIn(page, admin)
  await setUpMfa(page)
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
})
