/** An app from its first draft to a real launch, with a developer, a reviewer, a patient, and nobody else's help. */
import { paths } from '../../server/contract/portal/paths.ts'
import { emptyRegistration } from '../../server/contract/workflows/registration-form.ts'
import { addressesOf, startGuide } from '../support/guide-run.ts'
import { expect, test } from '../support/journey.ts'
import { addPatient, addPerson, addProductionPractice } from '../support/journey-people.ts'
import {
  createApp,
  done,
  enterWithMfa,
  fillSignIn,
  headingOf,
  settleIn,
  setUpMfa,
} from '../support/journey-steps.ts'
import { addressIn, codeAfter } from '../support/own-app.ts'
import { startSampleApp } from '../support/sample-app.ts'
import { sweep } from '../support/sweep.ts'
import { tidepathOrigin } from '../support/tidepath-site.ts'

const productionPractice = 'tidewater-family'

const scope = 'launch/patient openid fhirUser patient/Patient.rs patient/Goal.rs'

test('a developer registers an app, answers a reviewer, and the approved app launches', async ({
  page,
  openBrowser,
  developer,
  stack,
  watch,
}) => {
  watch.allow(/status of 4\d\d/)
  const app = await startSampleApp()
  watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
  const home = await settleIn(page, await developer('Mara Placeholder'), 'Larkfield Labs')

  // The draft: a working sandbox client id at once.
  await page.goto(`${home}/apps`)
  await page.getByRole('link', { name: 'New app' }).click()
  await createApp(page, { name: 'Tidepath', redirectUri: app.redirectUri })
  await page.getByRole('link', { name: 'Edit form' }).click()
  await page.getByLabel('Description').fill('Shows a patient the goals they agreed on with their practice.')
  await page.getByLabel('Website').fill(`${tidepathOrigin}/`)
  await sweep(page, 'a step of a registration')
  await page.getByRole('button', { name: 'Continue to policies and contacts' }).click()
  await page.getByLabel('Privacy policy').fill(`${tidepathOrigin}/gone`)
  await page.getByLabel('Terms of use').fill(`${tidepathOrigin}/terms`)
  await page.getByLabel('Technical contact').fill('dev@tidepath.example')
  await page.getByLabel('Security contact').fill('security@tidepath.example')
  // Another step saves this one.
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Scopes' }).click()
  await page
    .getByRole('textbox', { name: 'Scopes' })
    .fill('openid fhirUser launch/patient offline_access patient/Patient.rs')
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await expect(done(page, 'Draft saved.')).toBeVisible()
  await expect(page.getByText(/^sbx-[0-9a-f]{24}$/)).toBeVisible()
  const registration = new URL(page.url()).pathname

  // The studio shows the question that people will be asked.
  await page.getByRole('link', { name: 'Scope studio' }).click()
  await expect(headingOf(page, 'Scope studio')).toBeVisible()
  await page.locator('input[name="type"][value="Goal"]').check()
  await expect(page.locator('.consent-preview')).toContainText('Your health goals')
  await sweep(page, 'the scope studio')
  await page.getByRole('button', { name: 'Save scopes' }).click()
  await expect(done(page, 'Scopes saved.')).toBeVisible()

  // A fault is told with its fix; put right, it goes through.
  await page.getByRole('link', { name: 'Edit form' }).click()
  await expect(page.getByRole('button', { name: 'Save and run all checks' })).toBeVisible()
  for (const box of await page.locator('input[name^="attest"]').all()) await box.check()
  await page.getByRole('button', { name: 'Save and run all checks' }).click()
  await expect(
    page.getByText(`Privacy policy: ${tidepathOrigin}/gone responded with 404.`).first(),
  ).toBeVisible()
  await sweep(page, 'the form of a registration')
  await page.getByRole('link', { name: `Privacy policy: ${tidepathOrigin}/gone responded with 404.` }).click()
  await page.getByLabel('Privacy policy').fill(`${tidepathOrigin}/privacy`)
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await expect(done(page, 'Draft saved.')).toBeVisible()
  // Handing in binds the organization: a second step, set up here and now.
  await page.getByRole('link', { name: 'Confirm your password' }).click()
  await setUpMfa(page)
  await page.getByLabel(/^I accept the registration terms/).check()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(done(page, 'Submitted. Both review clocks start today.')).toBeVisible()
  await expect(page.getByText('Our promise to you')).toBeVisible()

  // The reviewer asks for two things.
  const staff = await openBrowser()
  const reviewer = await addPerson(stack.owner, {
    realm: 'staff',
    name: 'Ruth Placeholder',
    staffRole: 'reviewer',
  })
  await enterWithMfa(staff, reviewer)
  await staff.goto(paths.reviewQueue)
  await staff.getByRole('link', { name: 'Tidepath' }).click()
  const step = (name: string) => staff.getByRole('form', { name })
  await step('Claim the request').getByRole('button').click()
  const ask = step('Ask for missing information')
  await staff.getByRole('heading', { name: 'Ask for missing information' }).click()
  await expect(ask).toBeVisible()
  for (const [code, words] of [
    ['description_unclear', 'Say whether it shows the goals of children too.'],
    ['redirect_unclear', 'Tell us whose address this is.'],
  ] as const) {
    const box = ask.locator(`input[value="${code}"]`)
    await box.check()
    await ask.locator(`[name="text-${code.replaceAll('_', '-')}"]`).fill(words)
  }
  await ask.getByRole('button', { name: 'Send questions' }).click()
  await expect(ask).toBeHidden()

  // The developer answers both; the dashboard says that there is something to answer.
  await page.goto(home)
  await expect(page.getByText('Answer the reviewer’s questions about “Tidepath”.')).toBeVisible()
  await page.goto(registration)
  await expect(page.getByText('Answer 2 questions about your app.')).toBeVisible()
  await sweep(page, 'a registration with questions')
  const answers = page.getByRole('region', { name: 'Questions' }).getByRole('textbox')
  await answers.nth(0).fill('Only of the person who signs in.')
  await answers.nth(1).fill('It is the address of our test installation.')
  await page.getByRole('button', { name: 'Send answers' }).click()
  await expect(done(page, 'Answers sent. The review clock is running again.')).toBeVisible()

  // Approved, and proven at the authorization server.
  await staff.reload()
  await step('Claim the request').getByRole('button').click()
  await step('Organization').getByLabel('Evidence, for colleagues').fill('Mailbox at the domain answered.')
  await step('Organization').getByRole('button').click()
  await expect(step('Organization')).toBeHidden()
  for (const box of await step('Configuration').getByRole('checkbox').all()) await box.check()
  await step('Configuration').getByRole('button').click()
  await expect(step('Configuration')).toBeHidden()
  await step('Approve').getByRole('button').click()
  await expect(step('Approve')).toBeHidden()
  await expect
    .poll(
      async () => {
        await page.goto(registration)
        return page.getByText('Enabled. The authorization server accepts the app.').isVisible()
      },
      { timeout: 40_000 },
    )
    .toBe(true)

  // And the very client that was approved does a whole launch.
  const clientId = (await page.getByText(/^app-[0-9a-f]{24}$/).textContent()) ?? ''
  const patient = await addPatient(stack.owner)
  await addProductionPractice(
    stack.owner,
    { slug: productionPractice, name: 'Tidewater Family Practice' },
    [],
  )
  await stack.owner.query(
    `UPDATE portal.patient_login SET practice_id = (SELECT id FROM portal.practice WHERE slug = $1) WHERE account_id = $2`,
    [productionPractice, patient.accountId],
  )
  const browser = await openBrowser()
  await browser.goto(app.standalone({ clientId, scope, iss: `${stack.origin}/r4/${productionPractice}` }))
  await fillSignIn(browser, patient)
  await browser.getByRole('button', { name: /^Allow/ }).click()
  await browser.waitForURL(`${app.origin}/index.html**`)
  const shown = browser.locator('#result')
  await expect(shown).toContainText('pt-wren-testwell')
  await expect(shown).toContainText('patient/Goal.rs')

  // The guide gets and refreshes a token with nothing changed but the base and the client ID.
  const guide = startGuide('production', addressesOf(stack.origin), {
    fhir: async () => `${stack.origin}/r4/${productionPractice}`,
    client_id: async () => clientId,
    redirect_uri: async () => app.redirectUri,
    code: (said) =>
      codeAfter(browser, app.redirectUri, async () => {
        await browser.route(`${app.redirectUri}?*`, (route) => route.fulfill({ body: 'The code is here.' }))
        await browser.goto(addressIn(said))
        await browser.getByLabel('Until I stop it').check()
        await browser.getByRole('button', { name: /^Allow/ }).click()
      }),
  })
  await guide.follow('3. Switch the base and the client ID')
  await guide.follow('4. A person or the practice allows it')
  await guide.close()
  await app.close()
})

test('what is checked and what it costs is public', async ({ page }) => {
  const pages = [
    [paths.registrationChecks, 'What we check', 'registration-checks'],
    [paths.registrationPolicy, /^Registration policy/, 'registration-policy'],
    [paths.registrationTerms, /^Registration terms/, 'registration-terms'],
  ] as const
  for (const [path, heading, name] of pages) {
    await page.goto(path)
    await expect(headingOf(page, heading)).toBeVisible()
    await sweep(page, name)
  }
})

test('an app with a secret is saved once, and its page shows client id and secret exactly once', async ({
  page,
  developer,
  stack,
}) => {
  const home = await settleIn(page, await developer('Mara Placeholder'), 'Larkfield Labs')
  const form = {
    ...emptyRegistration,
    name: 'Tidepath Server',
    clientType: 'client_secret_basic',
    redirectUris: ['https://app.tidepath.example/callback'],
    scope: 'openid fhirUser launch/patient patient/Patient.rs',
  }
  const draft = await stack.owner.query<{ id: string }>(
    `INSERT INTO portal.registration (id, kind, organization_id, created_by_id, name, state, form, created_at, updated_at)
     SELECT gen_random_uuid(), 'app', o.id, m.account_id, $2, 'draft', $3, now(), now()
       FROM portal.organization o JOIN portal.membership m ON m.organization_id = o.id WHERE o.slug = $1
     RETURNING id`,
    [home.split('/').at(-1), form.name, JSON.stringify(form)],
  )
  await page.goto(`${home}/registrations/${draft.rows[0]?.id}/form?step=app`)
  await page.getByRole('button', { name: 'Save and leave' }).dblclick()

  await expect(page).toHaveURL(/\/registrations\/[0-9a-f-]{36}$/)
  await expect(done(page, 'Draft saved.')).toBeVisible()
  const box = page.getByRole('region', { name: 'Client secret' })
  const { rows } = await stack.owner.query<{ id: string }>('SELECT id FROM portal.client WHERE name = $1', [
    'Tidepath Server',
  ])
  expect(rows).toHaveLength(1)
  await expect(box).toContainText(rows[0]?.id ?? '')
  const secret = /spsec_[a-z2-7]+|[\w-]{30,}/.exec(
    (await box.locator('code').last().textContent()) ?? '',
  )?.[0]
  expect(secret).toBeTruthy()
  expect(page.url()).not.toContain(secret)

  await page.reload()
  await expect(headingOf(page, 'Tidepath Server')).toBeVisible()
  await expect(box).toBeHidden()
  expect(await page.content()).not.toContain(secret)
})
