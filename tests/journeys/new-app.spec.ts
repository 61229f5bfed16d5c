/** From sign-up to a token of one's own app at one's own sandbox, in a fresh organization. */
import { paths } from '../../server/contract/portal/paths.ts'
import { holdScripts } from '../support/hold-scripts.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress, shownPractice } from '../support/journey-people.ts'
import { confirmAddress, createOrganization, headingOf, signUp } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a newcomer creates an app in three answers, and a test patient lets it in at once', async ({
  page,
  mails,
  app,
  stack,
  openBrowser,
  watch,
}) => {
  watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
  watch.allow(/status of 400/)
  const person = {
    name: 'Iris Placeholder',
    email: newAddress('Iris New'),
    password: 'nine calm herons wade',
  }
  await page.goto(paths.signUp)
  await signUp(page, person)
  await confirmAddress(page, mails, person)
  const organization = await createOrganization(page, 'Heronmere Apps')

  const clientId =
    await test.step('three answers make the app; a wrong one is explained while it is typed', async () => {
      await page.goto(`${organization}/apps`)
      await page.getByRole('link', { name: 'New app' }).click()
      await expect(headingOf(page, 'New app')).toBeVisible()
      await expect(page.getByLabel('Public keys (JWKS)')).toBeHidden()
      await page.getByLabel('App name').fill('Heron Diary')
      const redirect = page.getByLabel('Redirect URI')
      await redirect.fill('javascript:alert(1)')
      await expect(page.getByText('A redirect URI can’t begin with javascript:')).toBeVisible()
      await redirect.fill('http://localhost:5173/callback')
      await expect(page.getByText('so the port must match')).toBeVisible()
      await redirect.fill('com.example.heron:/callback')
      await expect(page.getByText('opens a native app')).toBeVisible()
      await redirect.fill(app.redirectUri)
      await sweep(page, 'new app')
      // What the linter says during a press would move the button from under the pointer.
      await page.route(/\/lint$/, () => {})
      await Promise.all([page.waitForRequest(/\/lint$/), redirect.fill(app.redirectUri)])
      await page.getByRole('button', { name: 'Create app', exact: true }).hover()
      await Promise.all([page.waitForEvent('requestfailed'), page.mouse.down()])
      await page.mouse.up()
      await expect(headingOf(page, 'Heron Diary')).toBeVisible()
      await page.unroute(/\/lint$/)
      return (await page.getByText(/^sbx-[0-9a-f]{24}$/).textContent()) ?? ''
    })

  const base =
    await test.step('the app’s page has the client ID and the base, and its registration a list for production', async () => {
      const connection = page.getByRole('region', { name: 'Connection' })
      const found = (await connection.getByText(/\/r4\/sandbox-/).textContent()) ?? ''
      await page.getByRole('link', { name: 'Registration', exact: true }).click()
      const production = page.getByRole('region', { name: 'To do for production' })
      await expect(production.getByRole('link', { name: 'Add the privacy policy.' })).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await sweep(page, 'a draft that works in the sandbox')
      // Typed before the script of the page has arrived: checked and saved all the same.
      const letScriptsThrough = await holdScripts(page)
      await production.getByRole('link', { name: 'Add the privacy policy.' }).click()
      await expect(page).toHaveURL(/#privacyUrl$/)
      await page.getByLabel('Privacy policy').fill('nowhere')
      await page.getByLabel('Security contact').fill('security@heron.example')
      letScriptsThrough()
      await expect(page.getByText('Privacy policy: this isn’t an https URL.').first()).toBeVisible()
      await page.getByLabel('Privacy policy').fill('https://heron.example/privacy')
      await expect(page.getByText('We check that it opens when you submit for production.')).toBeVisible()
      // Left before it is saved as typed.
      await page.getByLabel('Terms of use').fill('https://heron.example/terms')
      await page.getByRole('link', { name: 'Back', exact: true }).click()
      await expect(headingOf(page, /^Heron Diary$/)).toBeVisible()
      await expect(async () => {
        await page.reload()
        const step = page.getByRole('region', { name: 'Policies and contacts' })
        await expect(step).toContainText('https://heron.example/terms', { timeout: 2_000 })
        await expect(step).toContainText('security@heron.example', { timeout: 2_000 })
      }).toPass()
      return found
    })

  await page.goto(`${organization}/sandbox/sign-ins`)
  const row = page.getByRole('row', { name: /^Wren Testwell/ })
  const email = (await row.getByRole('code').last().textContent()) ?? ''
  const password =
    (await page.locator('#password').locator('xpath=ancestor::section').getByRole('code').textContent()) ?? ''
  const scope = 'openid fhirUser launch/patient patient/Patient.rs'
  const phone = await openBrowser()

  await test.step('at another practice, the page names the base that accepts the app', async () => {
    const iss = `${stack.origin}/r4/${shownPractice}`
    await phone.goto(app.standalone({ clientId, scope, iss }))
    await expect(phone.getByText('This app is not enabled at this practice.')).toBeVisible()
    await expect(phone.getByRole('main')).toContainText(base)
  })

  await test.step('at its own sandbox, a test patient lets it in', async () => {
    await phone.goto(app.standalone({ clientId, scope, iss: base }))
    await expect(headingOf(phone, /^Sign in to /)).toBeVisible()
    await phone.getByLabel('Email').fill(email)
    await phone.getByLabel('Password').fill(password)
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.getByRole('button', { name: /^Allow/ }).click()
    await expect(phone.locator('#result')).toContainText('access_token')
    await expect(phone.locator('#result')).toContainText('pt-wren-testwell')
  })
})
