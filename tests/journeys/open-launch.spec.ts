/** A developer without an account launches an app by a link, which works in any browser. */
import { openLaunchScopes } from '../../server/contract/lab/open-launch.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { headingOf } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a launch link opens an EHR launch of an app built with fhirclient in a clean browser', async ({
  page,
  app,
  openBrowser,
  watch,
}) => {
  watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
  // A page with form errors has status 400.
  watch.allow(/status of 400/)
  const scope = openLaunchScopes.clinician
  // The sample app reads its own client id from its address.
  await page.goto(paths.openLaunch)
  await page.getByLabel('EHR launch').check()
  await page.getByLabel('Launch URL').fill('https://192.168.0.10/launch')
  await page.getByLabel('Redirect URIs').fill(app.redirectUri)
  await page.getByLabel('Visit').fill('latest')
  await page.getByLabel('Scopes').fill(scope)
  await page.getByRole('button', { name: 'Create launch link' }).click()
  await expect(page.getByText('The host is on a private network.').first()).toBeVisible()
  await page.getByLabel('Launch URL').fill(`${app.origin}/launch.html`)
  await page.getByRole('button', { name: 'Create launch link' }).click()
  await expect(headingOf(page, /Launch the app at localhost:\d+\?/)).toBeVisible()
  const clientId = (await page.getByRole('region', { name: 'Client ID' }).textContent()) ?? ''
  await page.getByRole('link', { name: 'Change this launch' }).click()
  const appSettings = new URLSearchParams({ client: clientId, scope })
  await page.getByLabel('Launch URL').fill(`${app.origin}/launch.html?${appSettings}`)
  await page.getByRole('button', { name: 'Create launch link' }).click()
  await expect(headingOf(page, /Launch the app at/)).toBeVisible()
  const link = page.url()
  await sweep(page, 'launch link')

  const otherPage = await openBrowser()
  await otherPage.goto(link)
  await otherPage.getByRole('button', { name: /^Launch localhost/ }).click()
  await expect(otherPage.getByText('This app is not registered.')).toBeVisible()
  await otherPage.getByRole('button', { name: /^Allow/ }).click()
  await expect(headingOf(otherPage, 'Sample app')).toBeVisible()
  const result = otherPage.locator('#result')
  await expect(result).toContainText('access_token')
  const shown = JSON.parse((await result.textContent()) ?? '{}')
  expect(shown).toMatchObject({ patient: 'pt-wren-testwell', token: { need_patient_banner: true } })
  expect(shown.encounter).toBeTruthy()

  // Only the browser that launched the app sees the log, not the one that created the link.
  await otherPage.goto(paths.openLaunchLogs)
  await otherPage.getByRole('link', { name: 'EHR launch' }).click()
  await expect(headingOf(otherPage, 'Launch inspector: EHR launch')).toBeVisible()
  await expect(otherPage.getByText('Failed', { exact: true })).toHaveCount(0)
  await expect(otherPage.getByRole('heading', { name: 'Consent decided' })).toBeVisible()
  await expect(otherPage.getByText(shown.token.access_token)).toHaveCount(0)
  await sweep(otherPage, 'launch inspector')
  await page.goto(paths.openLaunchLogs)
  await expect(page.getByText('No launches', { exact: true })).toBeVisible()
})

test('a malicious launch link launches nothing @long', async ({ page, request, stack, watch }) => {
  watch.allow(/status of 400/)
  const good = {
    kind: 'portal',
    url: 'https://app.example/launch',
    redirect: 'https://app.example/back',
    patient: 'pt-wren-testwell',
    scope: openLaunchScopes.patient,
  }
  const linkWith = (change: Record<string, string>) =>
    `${paths.openLaunchLink}?${new URLSearchParams({ ...good, ...change })}`
  const script = '"><script>document.title = "taken"</script>'

  await page.goto(linkWith({ url: 'javascript:alert(1)' }))
  await expect(page.getByText('Use https.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Launch/ })).toHaveCount(0)
  await sweep(page, 'launch link refused')
  await page.goto(linkWith({ scope: script, patient: script }))
  await expect(headingOf(page, 'This link can’t be launched')).toBeVisible()
  await page.getByRole('link', { name: 'Correct the launch' }).click()
  await expect(page.getByLabel('Scopes')).toHaveValue(script)
  await page.getByRole('button', { name: 'Create launch link' }).click()
  await sweep(page, 'launch form refused')
  await page.goto(linkWith({ url: `https://app.example/launch?x=${encodeURIComponent(script)}` }))
  await expect(page).toHaveTitle('Launch app.example · Sandpiper')
  await page.goto(linkWith({ url: 'https://аpp.example/launch' }))
  await expect(headingOf(page, 'Launch the app at xn--pp-6kc.example?')).toBeVisible()

  // Opening the link launches nothing, and no other site can submit its form.
  const opened = await request.get(linkWith({}), { maxRedirects: 0 })
  expect(opened.status()).toBe(200)
  expect(opened.headers()['set-cookie'] ?? '').not.toContain('sandpiper-launch')
  for (const origin of ['https://elsewhere.example', 'null']) {
    const refused = await request.post(linkWith({}), { headers: { origin }, maxRedirects: 0 })
    expect(refused.status()).toBe(403)
  }
  const posted = await request.post(linkWith({}), { headers: { origin: stack.origin }, maxRedirects: 0 })
  expect(posted.headers()['set-cookie']).toContain('sandpiper-launch')
  expect(await posted.text()).toContain('content="0;url=https://app.example/launch?iss=')
})
