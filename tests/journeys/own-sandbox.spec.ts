/** A fresh organization and its own sandbox: standing people, the practice console, and the base where one looks for it. */
import { randomUUID } from 'node:crypto'
import { parseScopes } from '../../server/contract/smart/scopes.ts'
import { expect, test } from '../support/journey.ts'
import { addApp, type JourneyApp } from '../support/journey-app.ts'
import { done, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

const scope = 'openid fhirUser launch/patient patient/Patient.rs patient/Observation.rs'

test('a standing patient allows an app at a fresh sandbox, and its admin closes FHIR, stops access and reads the record', async ({
  page,
  stack,
  app,
  watch,
  openBrowser,
  developer,
}) => {
  watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
  const person = await developer()
  const organization = await settleIn(page, person, 'Fennmoor Sample Apps')
  const sandbox = `${organization}/sandbox`
  const { rows } = await stack.owner.query<{ id: string }>(
    'SELECT id FROM portal.organization WHERE slug = $1',
    [organization.split('/').at(-1)],
  )
  const organizationId = rows[0]?.id ?? ''
  const own = (audience: 'patient' | 'backend', name: string): JourneyApp => ({
    clientId: `fennmoor-${randomUUID().slice(0, 8)}`,
    name,
    audience,
    scope: audience === 'patient' ? scope : 'system/*.rs',
    redirectUri: app.redirectUri,
    organizationId,
    ...(audience === 'backend' && { authentication: 'private_key_jwt' }),
  })
  const diary = own('patient', 'Fennmoor Diary')
  const report = own('backend', 'Fennmoor Report')
  await addApp(stack.owner, diary)
  await addApp(stack.owner, report)

  const base =
    await test.step('the base is on the sandbox page, the app’s page and in the directory', async () => {
      await page.goto(sandbox)
      await page.getByRole('button', { name: 'Open the sandbox' }).click()
      const text =
        (await page.getByRole('region', { name: 'Shell variables for your sandbox' }).textContent()) ?? ''
      const [, found = ''] = /FHIR=(\S+)/.exec(text) ?? []
      expect(found).toContain('/r4/sandbox-')
      await expect(page.getByRole('region', { name: 'The sandbox' })).toContainText(found)
      await sweep(page, 'sandbox of a fresh organization')

      await page.goto(`${organization}/apps/${diary.clientId}`)
      await expect(page.getByRole('region', { name: 'Shell variables for your sandbox' })).toContainText(
        `export CLIENT_ID=${diary.clientId}`,
      )
      await expect(page.getByRole('button', { name: 'Copy your sandbox’s FHIR base URL' })).toBeVisible()

      const mine = await page.request.get('/r4/endpoints/sandbox')
      expect(mine.headers()['cache-control']).toBe('private, no-cache')
      expect(await mine.text()).toContain(found)
      const everybody = await fetch(`${stack.origin}/r4/endpoints/sandbox`)
      expect(await everybody.text()).not.toContain(found)
      await page.goto('/directory?environment=sandbox')
      await expect(page.getByRole('table', { name: 'Practices' })).toContainText(found)
      return found
    })

  const signIn =
    await test.step('the sign-ins page lists who can sign in, and changes the password', async () => {
      await page.goto(sandbox)
      await page.getByRole('link', { name: 'Sign-ins' }).click()
      await expect(headingOf(page, 'Sign-ins')).toBeVisible()
      const password = page.locator('#password').locator('xpath=ancestor::section').getByRole('code')
      const before = (await password.textContent()) ?? ''
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(done(page, 'Password changed. These people are signed out everywhere.')).toBeVisible()
      await expect(password).not.toHaveText(before)
      await sweep(page, 'sandbox sign-ins')
      const emailOf = async (name: RegExp) =>
        (await page.getByRole('row', { name }).getByRole('code').last().textContent()) ?? ''
      return {
        email: await emailOf(/^Wren Testwell/),
        admin: await emailOf(/^Theo Placeholder/),
        password: (await password.textContent()) ?? '',
      }
    })

  const phone = await openBrowser()
  const { token } = await test.step('the real pages ask the patient, and the app reads', async () => {
    await phone.goto(app.standalone({ clientId: diary.clientId, scope, iss: base }))
    await expect(headingOf(phone, /^Sign in to /)).toBeVisible()
    await phone.getByLabel('Email').fill(signIn.email)
    await phone.getByLabel('Password').fill(signIn.password)
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(headingOf(phone, /Fennmoor Diary/)).toBeVisible()
    await phone.getByRole('button', { name: /^Allow/ }).click()
    const result = phone.locator('#result')
    await expect(result).toContainText('access_token')
    const shown = JSON.parse((await result.textContent()) ?? '') as {
      patient: string
      token: { access_token: string; scope: string }
    }
    expect(shown.patient).toBe('pt-wren-testwell')
    expect(parseScopes(shown.token.scope).scopes.length).toBeGreaterThan(0)
    return { token: shown.token.access_token }
  })
  const read = async () =>
    (await fetch(`${base}/Patient/pt-wren-testwell`, { headers: { authorization: `Bearer ${token}` } }))
      .status
  expect(await read()).toBe(200)

  await test.step('the owner lets a backend app in on its page', async () => {
    await page.goto(`${organization}/apps/${report.clientId}`)
    await page.getByRole('button', { name: 'Allow Fennmoor Report' }).click()
    await expect(done(page, 'Allowed. It can get tokens now.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop Fennmoor Report' })).toBeVisible()
    await sweep(page, 'backend app of the sandbox')
  })

  await test.step('the practice admin switches FHIR off and on', async () => {
    await page.goto('/practice/sign-in')
    await page.getByLabel('Email').fill(signIn.admin)
    await page.getByLabel('Password').fill(signIn.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('table', { name: 'Keys and apps' })).toContainText('Fennmoor Diary')
    await page.goto('/practice/settings')
    const on = page.getByLabel(/^Allow FHIR access/)
    await on.uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(done(page, 'Saved. It applies from the next request.')).toBeVisible()
    expect(await read()).toBe(403)
    await on.check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(read).toBe(200)
  })

  await test.step('all access is stopped with its name and a reason, and resumed', async () => {
    await page.goto('/practice')
    await page.getByRole('link', { name: 'Stop all access' }).click()
    const name = page.getByLabel('Name of the practice')
    const hint = (await page.getByText(/^Enter “.+” to confirm\.$/).textContent()) ?? ''
    await name.fill(/“(.+)”/.exec(hint)?.[1] ?? '')
    await page.getByLabel('Reason').fill('Testing what our app does then.')
    await page.getByRole('button', { name: 'Stop all access' }).click()
    await expect(page.getByText('All access is stopped.')).toBeVisible()
    expect(await read()).toBe(401)
    await page.getByRole('button', { name: 'Resume access' }).click()
    await expect(page.getByText('All access is stopped.')).toBeHidden()
    expect(await read()).toBe(200)
  })

  await test.step('the record says who read, and the changes who let the backend app in', async () => {
    await page.goto('/practice/audit')
    await expect(page.getByRole('table', { name: 'Access to records' })).toContainText('Fennmoor Diary')
    await page.goto('/practice/audit?view=changes')
    const granted = page.getByRole('row', { name: /system_authorization\.granted/ })
    await expect(granted.first()).toContainText(person.name)
  })
})
