/** What people do again and again, by the words on the screen; works with and without scripts in the page. */
import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { securityQuestions } from '../../server/contract/workflows/security-questions.ts'
import type { Person } from './journey-people.ts'
import type { MailReceiver } from './mail-receiver.ts'

export const projectDescription =
  'A nightly import that reads the patients of one practice into a test of our scheduling service.'

/** Says what was done; without a script it stays on the page, with one it goes after six seconds. */
export const done = (page: Page, message: string) => page.getByText(message, { exact: true }).first()

export const headingOf = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Shows what is in a group of the consent page. */
export const openGroup = (page: Page, title: string) => page.getByLabel(`What “${title}” includes`).click()

/** Its own box, whatever is said below its title. */
export const groupBox = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^${title}`) })

/** Fills the form on /sign-up and sends it. */
export async function signUp(page: Page, person: Omit<Person, 'accountId'>): Promise<void> {
  await page.getByLabel('Your name').fill(person.name)
  await page.getByLabel('Work email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(headingOf(page, 'Check your email')).toBeVisible()
}

/** Opens the link of the mail in the browser of the sign-up; ends signed in. */
export async function confirmAddress(
  page: Page,
  mails: MailReceiver,
  { email }: Pick<Person, 'email'>,
  { scripted = true } = {},
): Promise<void> {
  const mail = await mails.waitFor({ to: email, subject: 'Confirm your email address' })
  await openLink(page, linkIn(mail.links, '/verify-email'))
  if (!scripted) await page.getByRole('button', { name: 'Confirm and continue' }).click()
  await expect(done(page, 'Your email address is confirmed.')).toBeVisible()
}

/** Fills the sign-in form that the page shows. */
export async function fillSignIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await expect(headingOf(page, /sign.in/i)).toBeVisible()
  await page.getByLabel(/email/i).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** On the page that an app's authorization request leads to. */
export async function signInHere(page: Page, person: Person): Promise<void> {
  // The app's own page, its library, discovery and the question lie before it.
  await expect(headingOf(page, /^Sign in to /)).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** From the sign-in page to the page that follows. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto(paths.signIn)
  await fillSignIn(page, person)
  await expect(page).not.toHaveURL(/sign-in/)
}

/** @returns the address of the organization, below the origin. */
export async function createOrganization(page: Page, name: string): Promise<string> {
  await page.goto(`${paths.newOrganization}?without-key`)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create organization', exact: true }).click()
  await expect(headingOf(page, /^Good to see you/)).toBeVisible()
  return new URL(page.url()).pathname
}

/**
 * A developer, signed in, who owns a new organization: both forms are sent as the browser sends them, with its cookies,
 * but no page is opened. Journeys that are about these forms fill them in.
 * @returns the address of the organization, below the origin
 */
export async function settleIn(
  page: Page,
  { email, password }: Person,
  organization: string,
): Promise<string> {
  await sendForm(page, paths.signIn, { email, password })
  const home = (await sendForm(page, paths.newOrganization, { name: organization })).headers().location ?? ''
  // Takes the words that the next page would show.
  await expect(await page.request.get(home)).toBeOK()
  return home
}

type NewApp = {
  name: string
  /** Patients, when left out. */
  audience?: keyof typeof audienceLabels
  /** Of an app that people sign in to. */
  redirectUri?: string
  /** Of a backend system. */
  jwks?: string
}

const audienceLabels = { patient: 'Patients', clinician: 'Clinicians', backend: 'A backend system' }

/** On the page of a new app: answers its three questions. Ends on the page of the draft. @returns the sandbox client id */
export async function createApp(page: Page, { name, audience, redirectUri, jwks }: NewApp): Promise<string> {
  await expect(headingOf(page, 'New app')).toBeVisible()
  await page.getByLabel('App name').fill(name)
  if (audience) await page.getByLabel(audienceLabels[audience]).check()
  if (redirectUri) await page.getByLabel('Redirect URI').fill(redirectUri)
  if (jwks) await page.getByLabel('Public keys (JWKS)').fill(jwks)
  await page.getByRole('button', { name: 'Create app', exact: true }).click()
  await expect(headingOf(page, name)).toBeVisible()
  const clientId = (await page.getByText(/^sbx-[0-9a-f]{24}$/).textContent()) ?? ''
  await page.getByRole('link', { name: 'Registration', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Edit form' })).toBeVisible()
  return clientId
}

/**
 * Someone of the staff or of a practice, signed in with a second step set up just now, as {@link settleIn} does it: no
 * page is opened.
 */
export async function enterWithMfa(
  page: Page,
  { email, password }: Person,
  realm: 'staff' | 'practice' = 'staff',
): Promise<void> {
  const [signInPath, home] =
    realm === 'staff' ? [paths.staffSignIn, paths.reviewQueue] : [paths.practiceSignIn, paths.practice]
  await sendForm(page, signInPath, { email, password })
  await giveMfa(page, home)
}

/** Sets up the second step of somebody who is signed in; no page is opened. @param path leads to the setup */
export async function giveMfa(page: Page, path: string = paths.mfa): Promise<void> {
  const asked = await page.request.get(path)
  const [seed = ''] = /\b[A-Z2-7]{32}\b/.exec(await asked.text()) ?? []
  const { pathname, search } = new URL(asked.url())
  const answer = await sendForm(page, pathname + search, { code: totpCode(seed) }, 200)
  expect(await answer.text()).toContain('Your recovery codes')
}

/** Sends a form as a page without a script would. */
export async function sendForm(page: Page, path: string, form: Record<string, string>, status = 302) {
  const { origin } = new URL((await page.request.get('/healthz')).url())
  const answer = await page.request.post(path, { form, headers: { origin }, maxRedirects: 0 })
  expect(answer.status(), `the form of ${path}`).toBe(status)
  return answer
}

/** On the page of the security profile: answers everything, and saves it. */
export async function fillSecurityProfile(page: Page, legalName: string): Promise<void> {
  await page.getByLabel('Legal name of the organization').fill(legalName)
  await page.getByLabel('Address', { exact: true }).fill('1 Placeholder Way, Springfield, IL 62701')
  await page.getByLabel('Contact for agreements').fill('Robin Testwell')
  await page.getByLabel('Email address').fill('legal@samplewood.example')
  for (const { title } of Object.values(securityQuestions))
    await page.getByLabel(title).fill('Done as it should be, and looked at once a year.')
  await page.getByRole('button', { name: 'Save profile' }).click()
}

/** Asks for a read-only key; ends on the list of keys. */
export async function requestKey(page: Page, organizationPath: string, name: string): Promise<void> {
  await page.goto(`${organizationPath}/keys/new`)
  await page.getByLabel('Key name').fill(name)
  await page.getByLabel('What are you building?').fill(projectDescription)
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request key' }).click()
  await expect(done(page, 'Request sent. We’ll email you the claim link.')).toBeVisible()
}

/** The claim link of the next mail about a key of this name. */
export async function claimLink(mails: MailReceiver, email: string, keyName: string): Promise<string> {
  const subject = new RegExp(`laim your key: “${keyName}”$`)
  const { links } = await mails.waitFor({ to: email, subject })
  return linkIn(links, '/developers/keys/claim')
}

export const keyBox = (page: Page) => page.getByRole('region', { name: 'Your key', exact: true })

/** On the claim page: makes the key and reads it off the screen. */
export async function revealKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Show the key' }).click()
  return readKey(page)
}

/** In the dialog that shows a new key: reads it off the screen. */
export async function readKey(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Your key, shown once' })).toBeVisible()
  const show = page.getByRole('button', { name: 'Show', exact: true })
  // Until the page's script runs, a click on Show does nothing.
  await expect(async () => {
    if (await show.isVisible()) await show.click()
    await expect(keyBox(page)).toHaveText(keyPattern, { timeout: 1_000 })
  }).toPass()
  return ((await keyBox(page).textContent()) ?? '').trim()
}

/** Confirms that the key is kept, and leaves its page. */
export async function closeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done, I’ve saved it' }).click()
  await expect(headingOf(page, 'Keys')).toBeVisible()
}

/** The first link that leads to a page of the portal. */
export function linkIn(links: readonly string[], path: string): string {
  const found = links.find((link) => new URL(link).pathname === path)
  if (!found) throw new Error(`no link to ${path} among ${links.length} links`)
  return found
}

/** Opens the link of an email. Without a script in the page the link is pasted. */
export async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  if (!new URL(page.url()).hash) return
  await page.getByLabel('Link from your email').fill(link)
  await page.getByRole('button', { name: 'Open link' }).click()
}

/** From the page that sets up the second step to where it leads. @returns the seed, and the recovery codes */
export async function setUpMfa(page: Page): Promise<{ seed: string; recoveryCodes: string[] }> {
  await expect(headingOf(page, 'Set up two-step sign-in')).toBeVisible()
  const shown = await page.getByRole('region', { name: 'Setup key' }).innerText()
  const seed = shown.replace(/\s/g, '')
  await page.getByRole('textbox', { name: 'Code' }).fill(totpCode(seed))
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(headingOf(page, 'Your recovery codes')).toBeVisible()
  const codes = await page.getByRole('region', { name: 'Recovery codes' }).innerText()
  await page.getByRole('link', { name: 'I’ve saved them, continue' }).click()
  return { seed, recoveryCodes: codes.split(/\s+/).filter(Boolean) }
}

/** What the authenticator app shows now, or so many half minutes from now. */
export function totpCode(seed: string, stepsAhead = 0): string {
  const timestamp = Date.now() + stepsAhead * 30_000
  return new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp })
}

/** On every page to come, clicks in the very moment in which React begins to listen: nobody is more impatient. */
export async function clickAtOnce(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const listen = document.addEventListener.bind(document)
    document.addEventListener = (type: string, ...rest: [EventListener]) => {
      listen(type, ...rest)
      if (type !== 'click') return
      document.addEventListener = listen
      queueMicrotask(() => document.body.click())
    }
  })
}
