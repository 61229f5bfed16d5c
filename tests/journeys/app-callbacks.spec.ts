/** The way back to an app: whatever its callback does, no policy of ours stops the browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base, expect } from '../support/journey.ts'
import { addApp, askFor } from '../support/journey-app.ts'
import { addPatient, shownPractice } from '../support/journey-people.ts'
import { signInHere } from '../support/journey-steps.ts'

/** The FHIR base of the shown practice. */
const test = base.extend<{ iss: string }>({
  iss: async ({ stack }, use) => use(`${stack.origin}/r4/${shownPractice}`),
})

const everything = 'launch/patient patient/Patient.rs'

test('both answers reach the app at a callback that hops to another origin, also without scripts', async ({
  openBrowser,
  stack,
  iss,
  watch,
}) => {
  const callback = await startCallback()
  const clientId = `callback-${new URL(callback.redirectUri).port}`
  const { redirectUri } = callback
  await addApp(stack.owner, {
    clientId,
    name: 'Callback',
    audience: 'patient',
    scope: everything,
    redirectUri,
  })
  watch.allow(/asked another origin: http:\/\/(localhost|127\.0\.0\.1):\d+$/)
  const person = await addPatient(stack.owner)

  for (const javaScriptEnabled of [true, false]) {
    const page = await openBrowser({ javaScriptEnabled })
    for (const [button, reached] of [
      [/^Allow/, /\bcode=spc_/],
      [/^Don.t allow|^Deny/, /\berror=access_denied\b/],
    ] as const) {
      await page.goto(`${iss}/authorize?${askFor(clientId, redirectUri, iss)}`)
      if (button.test('Allow')) await signInHere(page, person)
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('heading', { name: 'Arrived' })).toBeVisible()
      expect(page.url()).toMatch(reached)
      expect(page.url()).toContain('state=as+it+was')
    }
  }
  await callback.close()
})

test('the page leads to an app on the device by its scheme, and lets no form lead elsewhere', async ({
  page,
  stack,
  iss,
  watch,
}) => {
  const [clientId, redirectUri] = ['on-device', 'com.example.tidepath:/callback']
  await addApp(stack.owner, {
    clientId,
    name: 'On device',
    audience: 'patient',
    scope: everything,
    redirectUri,
  })
  const [consent] = await Promise.all([
    page.waitForResponse((response) => /\/authorize\/[\w-]{43,}$/.test(response.url())),
    page.goto(`${iss}/authorize?${askFor(clientId, redirectUri, iss)}`),
  ])
  expect((await consent.allHeaders())['content-security-policy']).toContain("form-action 'self';")
  await signInHere(page, await addPatient(stack.owner))
  const leaving = page.waitForEvent('request', (request) => request.url().startsWith(redirectUri))
  await page.getByRole('button', { name: /^Allow/ }).click()

  expect(new URL((await leaving).url()).searchParams.get('code')).toMatch(/^spc_/)
  await expect(
    page.getByRole('link', { name: 'Continue to the app on this device (com.example.tidepath)' }),
  ).toBeVisible()
  expect(watch.problems()).toEqual([])
})

/** An app's callback that redirects to a page on another origin. */
async function startCallback() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/hop')
      response.writeHead(302, { location: `http://127.0.0.1:${port}/arrived${url.search}` }).end()
    else
      response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><h1>Arrived</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const redirectUri = `http://localhost:${port}/hop`
  return { redirectUri, close: () => new Promise((resolve) => server.close(resolve)) }
}
