/**
 * The guides, followed by somebody new: an app of their own at a sandbox of their own. Nothing is read
 * from the database, and each journey ends with what was logged.
 */
import type { Page } from '@playwright/test'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { addressesOf, startGuide } from '../support/guide-run.ts'
import { expect, test } from '../support/journey.ts'
import { done, headingOf, settleIn } from '../support/journey-steps.ts'
import { addressIn, codeAfter, createOwnApp } from '../support/own-app.ts'
import { signInAtSandbox, signInOf } from '../support/sample-page.ts'
import { sweep } from '../support/sweep.ts'

const wholeApp = 'The whole app in one file'

/** By the menu, from a page of the organization or of the documentation. */
async function openMenu(page: Page, name: 'Apps' | 'Test'): Promise<void> {
  if (new URL(page.url()).pathname.startsWith('/docs'))
    await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('navigation', { name: 'Developer' }).getByRole('link', { name, exact: true }).click()
  await expect(headingOf(page, name === 'Test' ? 'sandbox' : name)).toBeVisible()
}

async function openInTest(page: Page, name: 'Sign-ins' | 'Launch') {
  await openMenu(page, 'Test')
  await page.getByRole('main').getByRole('link', { name, exact: true }).click()
  await expect(headingOf(page, name)).toBeVisible()
}

async function openApp(page: Page, name: string): Promise<void> {
  await openMenu(page, 'Apps')
  await page.getByRole('table', { name: 'Apps' }).getByRole('link', { name, exact: true }).click()
  await expect(headingOf(page, name)).toBeVisible()
}

/** The base as the app's page shows it. */
async function readBase(page: Page): Promise<string> {
  const shown =
    (await page.getByRole('region', { name: 'Shell variables for your sandbox' }).textContent()) ?? ''
  const [, base = ''] = /FHIR=(\S+)/.exec(shown) ?? []
  expect(base).toContain('/r4/sandbox-')
  return base
}

/** The app's page leads to its guide, which has every snippet, with the reader's own values in it. */
async function expectOnPage(page: Page, title: string, code: readonly string[]): Promise<void> {
  await page.getByRole('link', { name: title }).click()
  await expect(headingOf(page, title)).toBeVisible()
  const snippets = page.locator('article pre:not([aria-label^="Sample response"])')
  const shown = (await snippets.allTextContents()).map((text) => text.trimEnd())
  expect(shown).toEqual(code)
}

async function readSignIn(page: Page, name: RegExp) {
  await openInTest(page, 'Sign-ins')
  return signInOf(page, name)
}

async function signInAndAllow(page: Page, address: string, signIn: Awaited<ReturnType<typeof readSignIn>>) {
  await page.goto(address)
  await signInAtSandbox(page, signIn)
  await page.getByLabel('Until I stop it').check()
  await page.getByRole('button', { name: /^Allow/ }).click()
}

/** Reads are in the record of access, refused requests in the logs. */
async function expectLogged(
  page: Page,
  openBrowser: () => Promise<Page>,
  name: string,
  refused: string,
): Promise<void> {
  const admin = await readSignIn(page, /^Theo Placeholder/)
  const practice = await openBrowser()
  await practice.goto('/practice/sign-in')
  await practice.getByLabel('Email').fill(admin.email)
  await practice.getByLabel('Password').fill(admin.password)
  await practice.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(headingOf(practice, 'Who has access')).toBeVisible()
  await practice.goto('/practice/audit')
  await expect(practice.getByRole('table', { name: 'Access to records' })).toContainText(name)
  await practice.close()
  await openApp(page, name)
  await page.getByRole('link', { name: 'Errors', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Calls' })).toContainText(refused)
}

test('a new organization builds a patient app by its guide', async ({
  page,
  developer,
  stack,
  watch,
  openBrowser,
}) => {
  const redirectUri = `http://localhost:${await findFreePort()}/callback`
  watch.allow(new RegExp(`asked another origin: ${new URL(redirectUri).origin}$`))
  const app = { name: 'Fennmoor Steps', audience: 'patient', redirectUri } as const
  const slug = (await settleIn(page, await developer(), 'Fennmoor Steps Labs')).split('/').at(-1) ?? ''
  const clientId = await createOwnApp(page, slug, app)
  await openApp(page, app.name)
  const base = await readBase(page)
  const phone = await openBrowser()

  const guide = startGuide('patient-app', addressesOf(stack.origin, { base, clientId, redirectUri }), {
    code: (said) => codeAfter(phone, redirectUri, () => signInAndAllow(phone, addressIn(said), signIn)),
  })
  await expectOnPage(page, 'Build a patient app in 10 minutes', guide.code())
  const signIn = await readSignIn(page, /^Wren Testwell/)
  await guide.follow('1. Create the app')
  await guide.follow('2. Ask the patient')
  await guide.follow('3. Exchange the code for tokens')
  await guide.follow('4. Read the chart')
  await guide.follow('5. Refresh')
  await guide.follow('6. Sign out')
  await expectLogged(page, openBrowser, app.name, '/token')

  await guide.program(wholeApp, async (program) => {
    await phone.goto(addressIn(await program.says(/^Open \S+$/m)))
    await phone.getByLabel('Until I stop it').check()
    await phone.getByRole('button', { name: /^Allow/ }).click()
    expect(await program.says('laboratory results')).toContain('Wren')
  })
  await guide.close()
  await page.goto('/docs/patient-app')
  await sweep(page, 'guide of a patient app')
})

test('a new organization launches a clinician app from the EHR by its guide @long', async ({
  page,
  developer,
  stack,
  watch,
  openBrowser,
}) => {
  const redirectUri = `http://localhost:${await findFreePort()}/callback`
  watch.allow(new RegExp(`asked another origin: ${new URL(redirectUri).origin}$`))
  const app = { name: 'Fennmoor Rounds', audience: 'clinician', redirectUri } as const
  const slug = (await settleIn(page, await developer(), 'Fennmoor Rounds Labs')).split('/').at(-1) ?? ''
  const clientId = await createOwnApp(page, slug, app)
  await openApp(page, app.name)
  const base = await readBase(page)

  const tab = await page.context().newPage()

  const launch = async () => {
    await openInTest(page, 'Launch')
    await page.getByLabel('App', { exact: true }).selectOption(clientId)
    await page.getByLabel('On the sign-in page').check()
    await page.getByLabel('Patient', { exact: true }).selectOption('pt-wren-testwell')
    await page.getByRole('button', { name: 'Launch', exact: true }).click()
    const shown = await page.getByRole('region', { name: 'The app’s launch parameters' }).textContent()
    return /launch=(\S+)/.exec(shown ?? '')?.[1] ?? ''
  }
  const guide = startGuide('ehr-launch', addressesOf(stack.origin, { base, clientId, redirectUri }), {
    launch,
    code: (said) => codeAfter(tab, redirectUri, () => signInAndAllow(tab, addressIn(said), signIn)),
  })
  await expectOnPage(page, 'Launch from the EHR', guide.code())
  const signIn = await readSignIn(page, /^Nell Testerby/)
  await guide.follow('2. Launch it')
  await guide.follow('3. Ask for access')
  await guide.follow('4. Exchange the code for tokens')
  await guide.follow('5. Read the chart')
  await guide.follow('6. Refresh and sign out')
  await openInTest(page, 'Launch')
  await page.getByRole('table', { name: 'Launches' }).getByRole('link', { name: app.name }).click()
  await expect(page.getByText('Practitioner/pr-nell-testerby allowed it.')).toBeVisible()
  await expectLogged(page, openBrowser, app.name, '/token')

  await guide.program(wholeApp, async (program) => {
    const launchUrl = /Launch URL: (\S+)/.exec(await program.says('&launch='))?.[1] ?? ''
    await tab.goto(launchUrl.replace('iss=…', `iss=${base}`).replace('launch=…', `launch=${await launch()}`))
    // Signed in since the launch before.
    await tab.getByLabel('Until I stop it').check()
    await tab.getByRole('button', { name: /^Allow/ }).click()
    await expect(tab.getByText(/laboratory results/)).toContainText('Wren')
  })
  await guide.close()
})

test('a new organization exports its sandbox with a backend by its guide @long', async ({
  page,
  developer,
  stack,
  openBrowser,
}) => {
  const slug = (await settleIn(page, await developer(), 'Fennmoor Nightly Labs')).split('/').at(-1) ?? ''
  const addresses = addressesOf(stack.origin)
  const guide = startGuide('backend', addresses)
  const jwks = /\{"keys".*\}/.exec(await guide.follow('1. Make a key pair'))?.[0] ?? ''
  const app = { name: 'Fennmoor Nightly', audience: 'backend', jwks } as const
  const clientId = await createOwnApp(page, slug, app)
  await openApp(page, app.name)
  const base = await readBase(page)
  addresses.own = { base, clientId, redirectUri: null }
  await expectOnPage(page, 'Backend and bulk', guide.code())
  await openApp(page, app.name)
  await page.getByRole('button', { name: `Allow ${app.name}` }).click()
  await expect(done(page, 'Allowed. It can get tokens now.')).toBeVisible()

  await guide.follow('3. Request a token')
  await guide.follow('4. Start an export')
  await guide.follow('5. Wait and download')
  expect(await guide.follow('6. Export only what changed')).toMatch(/"output":\s*\[\]/)
  await page.getByRole('button', { name: `Stop ${app.name}` }).click()
  await expect(done(page, 'Access stopped. Its next request is refused.')).toBeVisible()
  await guide.follow('7. End access')
  await guide.close()
  await expectLogged(page, openBrowser, app.name, '401')
})
