/**
 * How much five journeys ask of a person, at 1,440 by 900: everybody is signed in with a second step, and goes from
 * their first page, or from the link of an email, by what is on the screen. Prints a table; nothing fails by a number.
 */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { type Actions, countActions } from '../support/count-actions.ts'
import { expect, test } from '../support/journey.ts'
import { addApp, openRequest } from '../support/journey-app.ts'
import {
  addDomain,
  addPatient,
  addPerson,
  addProductionPractice,
  type Person,
} from '../support/journey-people.ts'
import {
  done,
  enterAsStaff,
  fillSecurityProfile,
  fillSignIn,
  groupBox,
  headingOf,
  linkIn,
  revealKey,
  settleIn,
  setUpMfa,
} from '../support/journey-steps.ts'
import { tidepathOrigin } from '../support/tidepath-site.ts'

const rows: string[] = []

function report(journey: string, counted: Readonly<Record<string, Actions>>): void {
  const all = Object.values(counted)
  const sum = (name: keyof Actions) => all.reduce((total, actions) => total + actions[name], 0)
  const line = (who: string, { clicks, fields, scrolledPixels }: Actions) =>
    rows.push(`| ${journey} | ${who} | ${clicks} | ${fields} | ${scrolledPixels} |`)
  for (const [who, actions] of Object.entries(counted)) line(who, actions)
  if (all.length > 1)
    line('all', { clicks: sum('clicks'), fields: sum('fields'), scrolledPixels: sum('scrolledPixels') })
}

test.afterAll(() => {
  console.log(
    ['| Journey | Who | Clicks | Fields | Scrolled, px |', '|---|---|---|---|---|', ...rows].join('\n'),
  )
})

/** From now on, what this person does is counted. */
async function begin(page: Page): Promise<Actions> {
  return countActions(page.context())
}

/** What was counted so far; the counter goes on. */
const soFar = (actions: Actions): Actions => ({ ...actions })
const since = (now: Actions, before: Actions): Actions => ({
  clicks: now.clicks - before.clicks,
  fields: now.fields - before.fields,
  scrolledPixels: now.scrolledPixels - before.scrolledPixels,
})

/** A developer on their dashboard, with a second step set up just now. */
async function enterAsDeveloper(page: Page, person: Person, organization: string): Promise<string> {
  const home = await settleIn(page, person, organization)
  await page.goto(paths.mfa)
  await setUpMfa(page)
  return home
}

async function enterAsPractice(page: Page, person: Person): Promise<void> {
  await page.goto(paths.practice)
  await fillSignIn(page, person)
  await setUpMfa(page)
}

test('registration to enabled, and the reviewer’s decision', async ({
  page,
  openBrowser,
  developer,
  stack,
}) => {
  const home = await enterAsDeveloper(page, await developer('Mara Placeholder'), 'Counted Works')
  const byDeveloper = await begin(page)
  await page.goto(home)
  await page.getByRole('navigation', { name: 'Developer' }).getByRole('link', { name: 'Apps' }).click()
  await page.getByRole('link', { name: 'New app' }).first().click()
  await page.getByLabel('App name').fill('Counted Goals')
  await page.getByLabel('Redirect URI').fill('https://app.tidepath.example/callback')
  await page.getByRole('button', { name: 'Create app', exact: true }).click()
  await page.getByRole('link', { name: 'Edit form' }).click()
  await page.getByLabel('Description').fill('Shows a patient the goals they agreed on with their practice.')
  await page.getByLabel('Website').fill(`${tidepathOrigin}/`)
  await page.getByRole('button', { name: 'Continue to policies and contacts' }).click()
  await page.getByLabel('Privacy policy').fill(`${tidepathOrigin}/privacy`)
  await page.getByLabel('Terms of use').fill(`${tidepathOrigin}/terms`)
  await page.getByLabel('Technical contact').fill('dev@tidepath.example')
  await page.getByLabel('Security contact').fill('security@tidepath.example')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Scopes' }).click()
  await page.getByRole('button', { name: 'Choose in the scope studio' }).click()
  await page.locator('input[name="type"][value="Goal"]').check()
  await page.getByRole('button', { name: 'Save and continue to attestations' }).click()
  await page.getByLabel(/^I confirm all/).check()
  await page.getByRole('button', { name: 'Save and see the summary' }).click()
  await page.getByLabel(/^I accept the registration terms/).check()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(done(page, 'Submitted. Both review clocks start today.')).toBeVisible()

  const staff = await openBrowser({ viewport: { width: 1_440, height: 900 } })
  const ruth = { realm: 'staff', name: 'Ruth Placeholder', staffRole: 'reviewer' } as const
  await enterAsStaff(staff, await addPerson(stack.owner, ruth))
  const byReviewer = await begin(staff)
  await staff.goto(paths.reviewQueue)
  const step = (name: string) => staff.getByRole('form', { name })
  await staff.getByRole('link', { name: 'Counted Goals' }).click()
  await step('Claim the request').getByRole('button').click()
  await step('Organization').getByLabel('Evidence, for colleagues').fill('Mailbox at the domain answered.')
  await step('Organization').getByRole('button').click()
  await expect(step('Organization')).toBeHidden()
  for (const box of await step('Configuration').getByRole('checkbox').all()) await box.check()
  await step('Configuration').getByRole('button').click()
  await expect(step('Configuration')).toBeHidden()
  await step('Approve').getByRole('button').click()
  await expect(step('Approve')).toBeHidden()
  report('Registration to enabled', { developer: byDeveloper, reviewer: byReviewer })
  report('Reviewer’s decision', { reviewer: byReviewer })
})

const practiceName = 'Counted Family Practice'

/** Everything a signature asks for, on the page of the document. */
async function signDocument(page: Page, { name }: Person): Promise<void> {
  await page.getByLabel(/^Your legal name/).fill(name)
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Sign agreement' }).click()
}

test('a production key by four people, and the practice that stops it', async ({
  page,
  openBrowser,
  developer,
  stack,
  mails,
}) => {
  const wide = { viewport: { width: 1_440, height: 900 } }
  const robin = await developer('Robin Testwell')
  const theo = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  const ines = await addPerson(stack.owner, { realm: 'practice', name: 'Ines Placeholder' })
  const rae = await addPerson(stack.owner, { realm: 'staff', name: 'Rae Placeholder', staffRole: 'reviewer' })
  await addProductionPractice(stack.owner, { slug: 'counted-family', name: practiceName }, [
    [theo, 'admin'],
    [ines, 'signatory'],
  ])
  const home = await enterAsDeveloper(page, robin, 'Counted Keys')
  await addDomain(stack.owner, home, 'counted.example')
  const [admin, signatory, reviewer] = [
    await openBrowser(wide),
    await openBrowser(wide),
    await openBrowser(wide),
  ]
  await enterAsPractice(admin, theo)
  await enterAsPractice(signatory, ines)
  await enterAsStaff(reviewer, rae)

  // Once per organization.
  const byDeveloper = await begin(page)
  await page.goto(`${home}/security-profile`)
  await fillSecurityProfile(page, 'Counted Health Apps LLC')
  await expect(done(page, 'Security profile saved. New requests will include it.')).toBeVisible()
  report('Security profile, once per organization', { developer: soFar(byDeveloper) })
  const profile = soFar(byDeveloper)

  await page.goto(home)
  await page
    .getByRole('navigation', { name: 'Developer' })
    .getByRole('link', { name: 'Production keys' })
    .click()
  await page.getByRole('link', { name: 'Request a production key' }).click()
  await page.getByRole('searchbox').fill('counted')
  await page.getByRole('button', { name: practiceName }).click()
  await page.getByLabel('Key name').fill('Counted import')
  await page
    .getByLabel('What do you need the key for, and why at this level?')
    .fill('Reads visits every night so that the reminder calls of the practice are right.')
  await page.getByLabel(/^operations/).check()
  await page.getByLabel('Visits and appointments').check()
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await page.getByLabel('Their title').fill('Chief Executive')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(done(page, 'Sent. The practice’s admins get an email.')).toBeVisible()
  const request = new URL(page.url()).pathname

  const byAdmin = await begin(admin)
  const invitation = await mails.waitFor({ to: theo.email, subject: /^Sponsorship request from/ })
  await admin.goto(invitation.links.find((link) => link.includes('/practice/sponsorships/')) ?? '')
  const confirm = admin.getByRole('form', { name: 'Confirm, and name who signs for the practice' })
  await confirm.getByLabel('Signatory of the BAA for the practice').selectOption({ label: ines.name })
  await confirm.getByLabel('Their title').fill('Practice Manager')
  await confirm.getByLabel('Practice’s legal name').fill('Counted Family Practice PLLC')
  await confirm.getByLabel('Practice’s address').fill('2 Sample Street, Springfield, IL 62701')
  // The signatory's name and the contact are filled in.
  await expect(confirm.getByLabel('Their legal name')).toHaveValue(ines.name)
  await expect(confirm.getByLabel('Agreement contact')).toHaveValue(theo.name)
  await confirm.getByRole('button', { name: 'Confirm request' }).click()
  await expect(done(admin, 'Confirmed. The agreements come next.')).toBeVisible()

  // The link of the email leads to the page of the request.
  await page.goto(request)
  await page.getByRole('link', { name: 'Read and sign' }).click()
  await signDocument(page, robin)
  await expect(headingOf(page, 'Business associate agreement')).toBeVisible()
  await signDocument(page, robin)
  await expect(page.getByRole('heading', { name: 'Sign agreement' })).toHaveCount(0)

  const bySignatory = await begin(signatory)
  await signatory.goto(paths.practice)
  await signatory.getByRole('link', { name: 'Sign', exact: true }).click()
  await signDocument(signatory, ines)
  await expect(signatory.getByRole('heading', { name: 'Sign agreement' })).toHaveCount(0)

  const byReviewer = await begin(reviewer)
  await reviewer.goto(paths.productionQueue)
  await reviewer.getByRole('link', { name: 'Counted import' }).click()
  await reviewer.getByRole('button', { name: 'Claim request', exact: true }).click()
  await reviewer.getByRole('button', { name: 'Approve key' }).click()
  await expect(done(reviewer, 'Done. The history has the details.')).toBeVisible()

  const claim = await mails.waitFor({
    to: robin.email,
    subject: 'Claim your production key: “Counted import”',
  })
  await page.goto(linkIn(claim.links, '/developers/production-keys/claim'))
  expect(await revealKey(page)).toMatch(/^svc_l/)
  report('Production key', {
    developer: since(byDeveloper, profile),
    'practice admin': soFar(byAdmin),
    'practice signatory': bySignatory,
    reviewer: byReviewer,
  })

  const before = soFar(byAdmin)
  await admin.goto(paths.practice)
  await admin.getByRole('button', { name: 'Suspend Counted import' }).click()
  await expect(done(admin, 'Suspended. Its next request is refused.')).toBeVisible()
  report('Practice stops a key', { 'practice admin': since(byAdmin, before) })
})

test('a patient consents with two categories removed', async ({ page, stack, app, watch }) => {
  watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
  const counted = {
    clientId: 'counted-app',
    name: 'Counted Goals',
    audience: 'patient',
    scope:
      'openid fhirUser launch/patient patient/Patient.rs patient/Observation.rs patient/Condition.rs patient/Goal.rs',
    redirectUri: app.redirectUri,
  } as const
  await addApp(stack.owner, counted)
  const person = await addPatient(stack.owner)
  const byPatient = await begin(page)
  await openRequest(page, stack.origin, counted)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await groupBox(page, 'Vital signs').uncheck()
  await groupBox(page, 'Conditions and care plans').uncheck()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(`${app.origin}/**`)
  report('Patient consents with two categories removed', { patient: byPatient })
})
