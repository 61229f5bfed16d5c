/** An admin of a new practice sees what a key does, names its network, checks an alert and downloads the report. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson, addProductionPractice } from '../support/journey-people.ts'
import { fillSignIn, headingOf, setUpMfa } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('an admin sees the calls of a key, checks an alert, sets limits and downloads the report', async ({
  page,
  stack,
}) => {
  const slug = 'larch-lane'
  const admin = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  await addProductionPractice(stack.owner, { slug, name: 'Larch Lane Clinic' }, [[admin, 'admin']])
  const key = makeKey('production', randomBytes)
  const keyId = randomUUID()
  await stack.owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, created_by_id,
       created_at, expires_at)
     SELECT $5, $2, $3, 'Registry', 'read_only', 'production', id, $4, now(), now() + interval '1 day'
       FROM portal.practice WHERE slug = $1`,
    [slug, prefixOf(key), createHash('sha256').update(key).digest(), admin.accountId, keyId],
  )
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

  await page.goto(paths.practiceUse)
  await fillSignIn(page, admin)
  await setUpMfa(page)
  await expect(headingOf(page, 'Use of keys and apps')).toBeVisible()
  await sweep(page, 'practice-use')
  await page.getByLabel('Network', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Name', { exact: true }).fill('This computer')
  await page.getByLabel('Country', { exact: true }).fill('us')
  await page.getByRole('button', { name: 'Save network' }).click()
  await expect(page.getByRole('cell', { name: 'This computer' })).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByLabel('Month', { exact: true })
      .selectOption({ index: 0 })
      .then(() => page.getByRole('button', { name: 'Download CSV' }).click()),
  ])
  expect(await readFile(await download.path(), 'utf8')).toContain('Key,Registry,Sandpiper,2,1,0,1,')

  await page.getByRole('link', { name: 'Registry' }).click()
  await expect(headingOf(page, 'Use of Registry')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'This computer' })).toBeVisible()
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

  await page.goto(paths.practiceRecertification)
  await page.getByRole('link', { name: 'Review all access' }).click()
  await expect(headingOf(page, 'Review of all access')).toBeVisible()
  await sweep(page, 'practice-access-review')
  await page.getByLabel('Remove Registry', { exact: true }).check()
  await page.getByLabel('Note', { exact: true }).fill('The registry no longer needs it.')
  await page.getByRole('button', { name: 'Sign off review' }).click()
  await expect(page.getByText('Review signed off.', { exact: true })).toBeVisible()
  expect((await page.request.get('/api/v1/patients', { headers })).status()).toBe(401)
})
