/** An admin stops all access to a practice with its name and a reason, and takes it back. */
import { createHash, randomBytes } from 'node:crypto'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson, addProductionPractice } from '../support/journey-people.ts'
import { fillSignIn, headingOf, setUpMfa } from '../support/journey-steps.ts'

test('an admin stops all access: the next call is refused, and works again after Undo', async ({
  page,
  stack,
}) => {
  const slug = 'quarry-lane'
  const admin = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  await addProductionPractice(stack.owner, { slug, name: 'Quarry Lane Clinic' }, [[admin, 'admin']])
  const key = makeKey('production', randomBytes)
  await stack.owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, created_by_id,
       created_at, expires_at)
     SELECT gen_random_uuid(), $2, $3, 'Night count', 'read_only', 'production', id, $4, now(), now() + interval '1 day'
       FROM portal.practice WHERE slug = $1`,
    [slug, prefixOf(key), createHash('sha256').update(key).digest(), admin.accountId],
  )
  const call = async () =>
    (await page.request.get('/api/v1/patients', { headers: { authorization: `Bearer ${key}` } })).status()

  await page.goto(paths.practice)
  await fillSignIn(page, admin)
  await setUpMfa(page)
  await expect(headingOf(page, 'Who has access')).toBeVisible()
  expect(await call()).toBe(200)

  await page.getByRole('link', { name: 'Stop all access' }).click()
  await page.getByLabel('Name of the practice').fill('Quarry Lane Clinic')
  await page.getByLabel('Reason').fill('We are checking what each key is for.')
  await page.getByRole('button', { name: 'Stop all access' }).click()

  await expect(page.getByText('All access is stopped.')).toBeVisible()
  expect(await call()).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('All access is stopped.')).toBeHidden()
  expect(await call()).toBe(200)
})
