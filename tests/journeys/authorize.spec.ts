/** People deciding on apps that are built as apps are: with the library of the SMART team, on an origin of their own. */
import type { Page } from '@playwright/test'
import { parseScopes } from '../../server/contract/smart/scopes.ts'
import { test as base, expect } from '../support/journey.ts'
import { addApp, askFor, type JourneyApp } from '../support/journey-app.ts'
import { addPatient, addPracticePerson, shownPractice } from '../support/journey-people.ts'
import { clickAtOnce, groupBox, headingOf, openGroup, signInHere } from '../support/journey-steps.ts'
import type { SampleApp } from '../support/sample-app.ts'

const everything =
  'openid fhirUser launch/patient offline_access patient/Patient.rs patient/Observation.rs patient/Condition.rs patient/Goal.rs'

type Fixtures = {
  /** The FHIR base of the shown practice. */
  iss: string
  tidepath: JourneyApp
  rounds: JourneyApp
}

const test = base.extend<Fixtures>({
  iss: async ({ stack }, use) => use(`${stack.origin}/r4/${shownPractice}`),
  tidepath: async ({ stack, app, watch }, use) => {
    watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
    const tidepath: JourneyApp = {
      clientId: `tidepath-${new URL(app.origin).port}`,
      name: 'Tidepath',
      audience: 'patient',
      scope: everything,
      redirectUri: app.redirectUri,
    }
    await addApp(stack.owner, tidepath)
    await use(tidepath)
  },
  rounds: async ({ stack, app, watch }, use) => {
    watch.allow(new RegExp(`asked another origin: ${app.origin}$`))
    const rounds: JourneyApp = {
      clientId: `rounds-${new URL(app.origin).port}`,
      name: 'Rounds',
      audience: 'clinician',
      scope: 'openid fhirUser launch/patient patient/*.rs',
      redirectUri: app.redirectUri,
    }
    await addApp(stack.owner, rounds)
    await use(rounds)
  },
})

type Shown = {
  token?: { access_token: string; refresh_token?: string; scope: string }
  patient?: string
  user?: string
  error?: string
}

/** What the app has, once it has it. */
async function shownBy(page: Page, app: SampleApp): Promise<Shown> {
  await page.waitForURL(`${app.origin}/index.html**`)
  const result = page.locator('#result')
  await expect(result).not.toHaveText('waiting')
  return JSON.parse((await result.textContent()) ?? '{}')
}

/** What the app's token gets at the FHIR base: the status, and of a search the resources. */
async function read(page: Page, url: string, shown: Shown) {
  const headers = { authorization: `Bearer ${shown.token?.access_token}` }
  const answer = await page.request.get(url, { headers })
  const body = await answer.json()
  const resources: { category?: { coding: { code: string }[] }[] }[] = (body.entry ?? []).map(
    ({ resource }: { resource: object }) => resource,
  )
  return { status: answer.status(), id: body.id, resources }
}

const asSet = (scope = '') => new Set(scope.split(' '))

test('a patient opens an app by itself, allows all of it, is read by it, sees it listed, and stops it', async ({
  page,
  stack,
  app,
  iss,
  tidepath,
}) => {
  const person = await addPatient(stack.owner)
  await page.goto(app.standalone({ clientId: tidepath.clientId, scope: everything, iss }))
  await signInHere(page, person)
  await expect(headingOf(page, '“Tidepath” wants to read your health record')).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('You share 4 of 5 groups for 1 hour.')
  await groupBox(page, 'Habits, mood and living situation').check()
  await page.getByLabel('Until I stop it').check()
  await expect(page.getByRole('status')).toHaveText('You share 5 of 5 groups until you stop it.')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()

  const shown = await shownBy(page, app)
  const { token, patient, user } = shown
  expect(asSet(token?.scope)).toEqual(asSet(everything))
  expect(token).toMatchObject({
    access_token: expect.stringMatching(/^spa_/),
    refresh_token: expect.any(String),
  })
  expect({ patient, user }).toEqual({
    patient: 'pt-wren-testwell',
    user: expect.stringMatching(/Patient\/pt-wren-testwell$/),
  })
  const ownRecord = `${iss}/Patient/${patient}`
  expect(await read(page, ownRecord, shown)).toMatchObject({ status: 200, id: patient })

  // Opened again, the app extends what it has, and the page says so.
  await page.goto(app.standalone({ clientId: tidepath.clientId, scope: everything, iss }))
  const before = page.getByRole('region', { name: 'What you allowed before' })
  await expect(before).toContainText('You allowed Tidepath on')
  await expect(before).toContainText('Health goals')
  await openGroup(page, 'Conditions and care plans')
  await page.getByLabel('Your health goals', { exact: true }).uncheck()
  await openGroup(page, 'Habits, mood and living situation')
  await page.getByRole('checkbox', { name: /^Your test results and measurements that no other/ }).uncheck()
  await expect(page.getByText('4 of 5 parts')).toBeVisible()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  const again = await shownBy(page, app)
  expect(again.token?.scope).toContain('patient/Condition.rs')
  expect(again.token?.scope).not.toMatch(/patient\/Observation\.rs( |$)/)
  expect((await read(page, ownRecord, again)).status).toBe(200)
  // The third time it starts with what was left out the second time.
  await page.goto(app.standalone({ clientId: tidepath.clientId, scope: everything, iss }))
  await expect(page.getByText('Your last choices')).toBeVisible()
  await expect(page.getByLabel('Your health goals', { exact: true })).not.toBeChecked()
  await expect(
    page.getByRole('checkbox', { name: /^Your conditions that no other part covers/ }),
  ).toBeChecked()
  await expect(page.getByLabel('1 hour')).toBeChecked()
  await page.goto(`${stack.origin}/patient/apps`)
  const card = page.getByRole('region', { name: 'Tidepath' })
  await expect(card).toHaveCount(1)
  await expect(card).toContainText('Wren Testwell')
  await expect(card).toContainText('Conditions')
  await card.getByRole('button', { name: 'Stop Tidepath for Wren Testwell' }).click()
  await expect(headingOf(page, 'Apps you allowed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No app has access' })).toBeVisible()
  expect((await read(page, ownRecord, shown)).status).toBe(401)
  expect((await read(page, ownRecord, again)).status).toBe(401)

  const form = {
    grant_type: 'refresh_token',
    refresh_token: token?.refresh_token ?? '',
    client_id: tidepath.clientId,
  }
  expect((await page.request.post(`${iss}/token`, { form })).status()).toBe(400)
})

test('a parent chooses a child, takes types, parts and lasting access away, and the app reads no more @long', async ({
  page,
  stack,
  app,
  iss,
  tidepath,
}) => {
  const parent = await addPatient(stack.owner, ['pt-marlo-testwell', 'pt-juno-testwell', 'pt-pip-testwell'])
  await page.goto(app.standalone({ clientId: tidepath.clientId, scope: everything, iss }))
  await signInHere(page, parent)
  await page.getByRole('link', { name: /Juno Testwell/ }).click()
  await expect(headingOf(page, '“Tidepath” wants to read the health record of Juno Testwell')).toBeVisible()

  await openGroup(page, 'Conditions and care plans')
  await page.getByLabel('Health goals', { exact: true }).uncheck()
  await openGroup(page, 'Test results and reports')
  await groupBox(page, 'Test results and reports').uncheck()
  await groupBox(page, 'Vital signs').uncheck()
  await expect(page.getByLabel('Imaging findings', { exact: true })).not.toBeChecked()
  await page.getByRole('checkbox', { name: /^Lab results/ }).check()
  await expect(groupBox(page, 'Test results and reports')).toBeChecked()
  await page.getByRole('checkbox', { name: /^Ongoing problems/ }).uncheck()
  await expect(groupBox(page, 'Habits, mood and living situation')).not.toBeChecked()
  await expect(page.getByRole('status')).toHaveText('You share 3 of 5 groups for 1 hour.')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()

  const shown = await shownBy(page, app)
  const { token, patient } = shown
  expect(patient).toBe('pt-juno-testwell')
  expect(token?.refresh_token).toBeUndefined()
  expect(asSet(token?.scope)).toEqual(
    asSet(
      'openid fhirUser launch/patient patient/Patient.rs ' +
        'patient/Condition.rs?category=http://terminology.hl7.org/CodeSystem/condition-category|encounter-diagnosis ' +
        'patient/Condition.rs?category=http://hl7.org/fhir/us/core/CodeSystem/condition-category|health-concern ' +
        'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
    ),
  )
  expect(parseScopes(token?.scope ?? '').refused).toEqual([])
  expect((await read(page, `${iss}/Patient/${patient}`, shown)).status).toBe(200)
  expect((await read(page, `${iss}/Patient/pt-pip-testwell`, shown)).status).toBe(404)
  // The parent's own, as fhirUser names it: who agreed, and nothing of their chart.
  expect((await read(page, `${iss}/Patient/pt-marlo-testwell`, shown)).status).toBe(200)
  const { resources: own } = await read(page, `${iss}/Condition?patient=pt-marlo-testwell`, shown)
  expect(own).toEqual([])
  for (const type of ['Goal', 'Immunization', 'Encounter'])
    expect((await read(page, `${iss}/${type}?patient=${patient}`, shown)).status, type).toBe(403)
  const { resources } = await read(page, `${iss}/Observation?patient=${patient}&_count=500`, shown)
  expect(resources.length).toBeGreaterThan(0)
  for (const { category = [] } of resources)
    expect(category.flatMap(({ coding }) => coding.map(({ code }) => code))).toContain('laboratory')
})

test('an app that is told no hears no, and the same question cannot be answered again', async ({
  page,
  stack,
  app,
  iss,
  tidepath,
  watch,
}) => {
  await page.goto(app.standalone({ clientId: tidepath.clientId, scope: everything, iss }))
  await signInHere(page, await addPatient(stack.owner))
  const question = page.url()
  await expect(page.getByRole('button', { name: /^Allow/ })).toBeVisible()
  // A button that the page does not have is no consent.
  for (const intent of ['approved', ''])
    expect(
      (
        await page.request.post(question, {
          form: { intent, group: 'personal', box: 'Patient', patient: 'pt-wren-testwell' },
          headers: { origin: stack.origin },
          maxRedirects: 0,
        })
      ).status(),
    ).toBe(400)
  await page.getByRole('button', { name: 'Don’t allow', exact: true }).click()

  const { error, token } = await shownBy(page, app)
  expect(error).toContain('did not agree')
  expect(token).toBeUndefined()
  watch.allow(/404 \(Not Found\)/)
  await page.goto(question)
  await expect(headingOf(page, 'This request is no longer open')).toBeVisible()
})

test('without signing in one can say no, and a wrong password says nothing about who exists @long', async ({
  page,
  app,
  iss,
  tidepath,
  watch,
}) => {
  watch.allow(/401 \(Unauthorized\)/)
  // Whoever clicks before a page has come to life sees no error for it.
  await clickAtOnce(page)
  await page.goto(app.standalone({ clientId: tidepath.clientId, scope: everything, iss }))
  await signInHere(page, {
    accountId: '',
    name: '',
    email: 'nobody@samplewood.example',
    password: 'grey plover tide',
  })
  await expect(page.getByRole('alert')).toContainText('The email address or password is not correct.')

  await page.getByRole('button', { name: 'Don’t allow, go back to Tidepath' }).click()
  expect((await shownBy(page, app)).error).toContain('did not agree')
})

test('a clinician opens an app by itself and looks the patient up', async ({
  page,
  stack,
  app,
  iss,
  rounds,
}) => {
  const doctor = await addPracticePerson(stack.owner, 'clinician')
  const scope = 'openid fhirUser launch/patient patient/*.rs'
  await page.goto(app.standalone({ clientId: rounds.clientId, scope, iss }))
  await signInHere(page, doctor)
  await page.getByLabel('Name or medical record number').fill('nobody-of-this-name')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText('No one at this practice matches.')).toBeVisible()
  await page.getByLabel('Name or medical record number').fill('juno')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: /Juno Testwell/ }).click()
  await page.getByRole('button', { name: /^Allow/ }).click()

  const { token, patient, user } = await shownBy(page, app)
  expect(asSet(token?.scope)).toEqual(asSet(scope))
  expect(patient).toBe('pt-juno-testwell')
  expect(user).toMatch(/Practitioner\/pr-ines-placeholder$/)
})

test('the whole question can be answered without a script in the page', async ({
  openBrowser,
  stack,
  app,
  iss,
  tidepath,
  watch,
}) => {
  // The page of a refused form carries its status.
  watch.allow(/status of 400/)
  const page = await openBrowser({ javaScriptEnabled: false })
  const parent = await addPatient(stack.owner, ['pt-marlo-testwell', 'pt-juno-testwell'])
  await page.goto(
    `${iss}/authorize?${askFor(tidepath.clientId, app.redirectUri, iss, 'launch/patient patient/Patient.rs patient/Goal.rs')}`,
  )
  await signInHere(page, parent)
  await page.getByRole('link', { name: /Marlo Testwell/ }).click()
  await page.getByRole('button', { name: 'Select none' }).click()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Select at least one item')
  await page.getByLabel('Your health goals').check()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()

  await page.waitForURL(`${app.redirectUri}**`)
  const answer = new URL(page.url()).searchParams
  expect(answer.get('state')).toBe('as it was')
  expect(answer.get('code')).toMatch(/^spc_/)
  expect(answer.get('iss')).toBe(iss)
})
