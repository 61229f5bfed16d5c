/** The forms of the portal as people reach them in production: over TLS, through nginx. */
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { paths } from '../../server/contract/portal/paths.ts'
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts'
import { test as base, expect, testServer } from '../support/journey.ts'
import { addPracticePerson, newAddress } from '../support/journey-people.ts'
import {
  confirmAddress,
  createApp,
  createOrganization,
  done,
  fillSignIn,
  requestKey,
  setUpMfa,
  signIn,
  signUp,
} from '../support/journey-steps.ts'
import {
  blockBeforeOldOpenssl,
  type FrontProxy,
  findNginx,
  nginxSite,
  proxiedName,
  startNginx,
} from '../support/nginx.ts'
import { commandOf, openSamples, registerSamples, signInAtSandbox, signInOf } from '../support/sample-page.ts'
import { startSample } from '../support/sample-process.ts'
import { startStack } from '../support/stack.ts'
import { acceptedVersions, tlsVersions } from '../support/tls-versions.ts'

const nginx = findNginx()

// One after the other, on one stack: its three processes take longer to start than a test.
base.describe.configure({ mode: 'default' })

type Fixtures = {
  front: FrontProxy
  visit: () => Promise<Page>
}

const test = base.extend<Fixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
    async ({}, use, { project, workerIndex }) => {
      const stack = await startStack(testServer(), join(project.outputDir, `proxied-${workerIndex}`), {
        publicOrigin: `https://${proxiedName}`,
        environment: { TRUSTED_PROXY_CIDRS: '127.0.0.1/32' },
        apart: true,
      })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  front: async ({ stack }, use, testInfo) => {
    const folder = testInfo.outputPath('nginx')
    const front = await startNginx(nginx ?? '', { block: nginxSite(), serverPort: stack.port, folder })
    await use(front)
    await front.stop()
  },
  visit: async ({ front, stack, watch }, use) => {
    // The name leads to this machine in this browser only.
    const browser = await chromium.launch({
      executablePath: findBrowser(),
      args: [...BROWSER_FLAGS, `--host-resolver-rules=MAP ${proxiedName} 127.0.0.1:${front.port}`],
    })
    await use(async () => {
      const context = await browser.newContext({ baseURL: stack.origin, ignoreHTTPSErrors: true })
      await watch.add(context)
      return context.newPage()
    })
    await browser.close()
  },
})

// The run says so (scripts/stages/tests.mjs); `.ci/run` installs nginx, so that there it always runs.
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a hook needs
test.beforeEach(({}, testInfo) =>
  testInfo.skip(nginx === null, 'nginx is not installed: apt-get install nginx-light'),
)

test('the forms of the portal work behind the nginx of deploy', async ({ visit, front, stack, mails }) => {
  const person = {
    name: 'Robin Testwell',
    email: newAddress('Robin'),
    password: 'seven quiet herons wading',
  }
  const page = await visit()

  await page.goto(paths.signUp)
  await signUp(page, person)
  await confirmAddress(page, mails, person)
  const organization = await createOrganization(page, 'Samplewood Health Apps')
  await requestKey(page, organization, 'Nightly import')

  await saveApp(page, organization)

  await page.getByLabel(/^Signed in as/).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(done(page, 'You are signed out.')).toBeVisible()
  await signIn(page, { ...person, accountId: '' })

  const practice = await visit()
  await practice.goto(paths.practiceSignIn)
  await fillSignIn(practice, await addPracticePerson(stack.owner, 'admin'))
  await setUpMfa(practice)
  await expect(practice).toHaveURL(new RegExp(`^${stack.origin}/practice`))

  const { rows } = await stack.owner.query(
    'SELECT DISTINCT ip FROM portal.session WHERE account_id = (SELECT id FROM portal.account WHERE email = $1)',
    [person.email],
  )
  expect(rows).toEqual([{ ip: '127.0.0.1' }])
  // One connection carries many requests, and every form came through the proxy.
  const log = front.accessLog()
  expect(log).toMatch(/ HTTP\/[12]\.[01] connection=\d+ requests=[2-9]/)
  expect(log).not.toMatch(/^POST \S+ 5\d\d /m)
  for (const path of [paths.signUp, paths.signIn, `${organization}/keys/new`, paths.practiceSignIn])
    expect(log).toMatch(new RegExp(`^POST ${path}(\\.data)? [23]\\d\\d `, 'm'))
})

test('a sample app works with a fresh sandbox behind the nginx of deploy', async ({
  visit,
  watch,
  developer,
}) => {
  const page = await visit()
  await signIn(page, await developer())
  const organization = await createOrganization(page, 'Rushmere Sample Apps')
  await openSamples(page, organization)
  await registerSamples(page)
  const port = await findFreePort()
  const sample = startSample(await commandOf(page, 'Patient app'), { port })
  await page.goto(`${organization}/sandbox/sign-ins`)
  const wren = await signInOf(page, /^Wren Testwell/)
  await sample.printed(/Open http.*/)
  const address = `http://127.0.0.1:${port}`
  watch.allow(new RegExp(`asked another origin: ${address}$`))

  const phone = await visit()
  await phone.goto(address)
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await signInAtSandbox(phone, wren)
  await phone.getByLabel('Until I stop it').check()
  await phone.getByRole('button', { name: /^Allow/ }).click()
  await expect(phone.getByRole('heading', { name: /Wren.*Testwell/ })).toBeVisible()
  await phone.getByRole('button', { name: 'Refresh token' }).click()
  await expect(phone.getByText('The token is new.')).toBeVisible()
  await phone.getByRole('button', { name: 'Sign out' }).click()
  await expect(phone.getByText('Signed out. The server has revoked the tokens.')).toBeVisible()
  await sample.stop()
})

// The last test of the US Core suite; the others are in tests/conformance/us-core-suite.test.ts.
test('TLS 1.2 and 1.3 are accepted, and nothing older', async ({ stack }, testInfo) => {
  const accepted = async (block: string, folder: string) => {
    const front = await startNginx(nginx ?? '', { block, serverPort: stack.port, folder })
    const found = await acceptedVersions(front.port, '/r4/sandpiper-demonstration/metadata')
    await front.stop()
    return found
  }

  const every = blockBeforeOldOpenssl(tlsVersions.join(' '))
  expect(await accepted(every, testInfo.outputPath('every'))).toEqual(tlsVersions)
  expect(await accepted(blockBeforeOldOpenssl(), testInfo.outputPath('own'))).toEqual(['TLSv1.2', 'TLSv1.3'])
})

async function saveApp(page: Page, organization: string): Promise<void> {
  await page.goto(`${organization}/apps`)
  await page.getByRole('link', { name: 'New app' }).click()
  await createApp(page, { name: 'Tidepath', redirectUri: 'https://app.tidepath.example/callback' })
}
