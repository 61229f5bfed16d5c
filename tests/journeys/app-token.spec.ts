/** A developer of a new organization gets a token on the page of an app, reads with it, and ends it. */
import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/journey.ts'
import { addApp } from '../support/journey-app.ts'
import { done, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a developer gets a token for an app, reads with it and ends it', async ({
  page,
  stack,
  app,
  developer,
}) => {
  const organization = await settleIn(page, await developer(), 'Whinmoor Sample Apps')
  const { rows } = await stack.owner.query<{ id: string }>(
    'SELECT id FROM portal.organization WHERE slug = $1',
    [organization.split('/').at(-1)],
  )
  const clientId = `whinmoor-${randomUUID().slice(0, 8)}`
  await addApp(stack.owner, {
    clientId,
    name: 'Whinmoor Diary',
    audience: 'patient',
    scope: 'openid fhirUser launch/patient offline_access patient/Patient.rs',
    redirectUri: app.redirectUri,
    organizationId: rows[0]?.id ?? '',
  })
  await page.goto(`${organization}/apps/${clientId}`)
  await page.getByRole('link', { name: 'Get a token' }).click()
  await expect(headingOf(page, 'Get a token')).toBeVisible()
  const scopes = page.getByRole('textbox', { name: 'Scopes' })
  await expect(scopes).toHaveValue('launch/patient patient/Patient.rs')

  // What the app is not registered for is refused in place, and the person chosen stays.
  await page
    .getByRole('combobox', { name: 'Signed-in person' })
    .selectOption('marlo.testwell:pt-juno-testwell')
  await scopes.fill('patient/*.rs')
  await page.getByRole('button', { name: 'Get token' }).click()
  await expect(page.getByText('The app is not registered for').first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Signed-in person' })).toHaveValue(
    'marlo.testwell:pt-juno-testwell',
  )
  await scopes.fill('patient/Patient.rs')
  await page.getByRole('button', { name: 'Get token' }).click()
  const shown = page.getByRole('region', { name: 'Access token', exact: true })
  await expect(shown).toContainText('pt-juno-testwell')
  const token = (await shown.getByRole('code').first().textContent()) ?? ''
  await sweep(page, 'app token shown')

  const endpoints = await (await page.request.get('/r4/endpoints/sandbox')).text()
  const [base] = /http[^"]*\/r4\/sandbox-[^"]*/.exec(endpoints) ?? []
  const read = async () =>
    (await fetch(`${base}/Patient/pt-juno-testwell`, { headers: { authorization: `Bearer ${token}` } }))
      .status
  expect(await read()).toBe(200)

  await page.reload()
  await expect(page.getByText(token)).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(done(page, 'Token revoked. Its next request is refused.')).toBeVisible()
  expect(await read()).toBe(401)
})
