/** The pages on which people decide about apps, and look after what they decided, in both themes and two widths. */
import type { Page } from '@playwright/test'
import type pg from 'pg'
import { datasetLockClass } from '../../server/store/locks.ts'
import { expect, test } from '../support/journey.ts'
import {
  addApp,
  addEndedExports,
  addExportToken,
  addGrant,
  addSystemRequest,
  type JourneyApp,
  openRequest,
} from '../support/journey-app.ts'
import { addPatient, addPracticePerson, type Person, shownPractice } from '../support/journey-people.ts'
import { done, groupBox, headingOf, openGroup, settleIn, setUpMfa } from '../support/journey-steps.ts'
import { sweep, sweepPaths } from '../support/sweep.ts'

const tidepath: JourneyApp = {
  clientId: 'tidepath-pages',
  name: 'Tidepath',
  audience: 'patient',
  scope: 'openid fhirUser launch/patient offline_access patient/*.rs',
  redirectUri: 'https://app.tidepath.example/callback',
}
const rounds: JourneyApp = {
  ...tidepath,
  clientId: 'rounds-pages',
  name: 'Rounds',
  audience: 'clinician',
  scope: 'openid launch/patient user/*.rs',
}

async function signInAs(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('the steps of a parent’s decision are in order, and so is a question that is over', async ({
  page,
  stack,
  watch,
}) => {
  await addApp(stack.owner, tidepath)
  const parent = await addPatient(stack.owner, ['pt-marlo-testwell', 'pt-juno-testwell'])
  const question = await openRequest(page, stack.origin, tidepath)
  await page.goto(question)
  await sweep(page, 'signing in for an app')
  await signInAs(page, await addPatient(stack.owner, []))
  await expect(headingOf(page, 'You can’t decide with this sign-in')).toBeVisible()
  await sweep(page, 'a sign-in that cannot decide')
  await page.getByRole('button', { name: 'Not you?' }).click()
  await signInAs(page, parent)
  await expect(headingOf(page, 'Whose record?')).toBeVisible()
  await sweep(page, 'choosing a person')
  await page.getByRole('link', { name: /Juno Testwell/ }).click()
  await expect(headingOf(page, /wants to read/)).toBeVisible()
  await groupBox(page, 'Vital signs').uncheck()
  await fitsTwoScreens(page)
  await openGroup(page, 'Test results and reports')
  await sweep(page, 'consent')

  watch.allow(/404 \(Not Found\)/)
  await page.context().clearCookies({ name: 'sandpiper-authorize' })
  await page.goto(question)
  await expect(headingOf(page, 'This request is no longer open')).toBeVisible()
  await sweep(page, 'a question that is over')
  await sweepPaths(page, ['/patient/apps', '/patient/access', '/patient/sessions'])
  await addGrant(stack.owner, tidepath, { ...parent, patientId: 'pt-juno-testwell' })
  await page.goto('/patient/apps')
  await expect(page.getByRole('region', { name: 'Tidepath' })).toContainText('Juno Testwell')
  await sweep(page, 'an app that a parent allowed')
})

/** Of a small phone; and what is reached by keyboard is never below the decision. */
async function fitsTwoScreens(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_280)
  const dock = page.getByRole('group', { name: 'Your decision' })
  await expect(dock).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Not you?' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Select none' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Select all' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('You share 8 of 9 groups for 1 hour.')
  const hidden: string[] = []
  for (let at = 0; at < 21; at++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const focused = document.activeElement
      const top = document.querySelector('.dock')?.getBoundingClientRect().top ?? 0
      const isBelow = !focused?.closest('.dock') && (focused?.getBoundingClientRect().bottom ?? 0) > top
      return isBelow ? focused?.outerHTML.slice(0, 80) : undefined
    })
    if (found) hidden.push(found)
  }
  expect(hidden).toEqual([])
  await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeFocused()
}

test('the steps of a clinician’s decision are in order @long', async ({ page, stack }) => {
  await addApp(stack.owner, rounds)
  await page.goto(await openRequest(page, stack.origin, rounds))
  const clinician = await addPracticePerson(stack.owner, 'clinician')
  await signInAs(page, clinician)
  await page.getByLabel('Name or medical record number').fill('testwell')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('link', { name: /born/ }).first()).toBeVisible()
  await sweep(page, 'patients found')
  await page.getByRole('link', { name: /Wren/ }).click()
  await expect(headingOf(page, /wants to read/)).toBeVisible()
  await sweep(page, 'consent of a clinician')
  await sweepPaths(page, ['/practice/systems', '/practice/inbox'])
  await addGrant(stack.owner, rounds, { ...clinician, patientId: null })
  await page.goto('/practice/apps')
  await expect(page.getByRole('region', { name: 'Rounds' })).toContainText('What you can read')
  await sweep(page, 'an app that a clinician allowed')
  await page.goto('/docs')
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toHaveAttribute('href', '/practice')
})

test('a practice grants a backend system what it leaves ticked, revokes it, and declines another', async ({
  page,
  stack,
}) => {
  const system: JourneyApp = {
    clientId: 'night-count',
    name: 'Night Count',
    audience: 'backend',
    authentication: 'private_key_jwt',
    scope: 'system/*.rs',
    redirectUri: '',
  }
  for (const [clientId, name] of [
    ['night-count', 'Night Count'],
    ['copy-all', 'Copy All'],
  ] as const) {
    await addApp(stack.owner, { ...system, clientId, name })
    await addSystemRequest(stack.owner, { clientId, scope: 'system/Patient.rs system/Immunization.rs' })
  }
  await page.goto('/practice/systems')
  await signInAs(page, await addPracticePerson(stack.owner, 'signatory'))
  await setUpMfa(page)
  // Of other journeys there may be more.
  await expect(page.getByText(/^\d+ systems request access\.$/)).toBeVisible()
  await sweep(page, 'systems that ask')

  const card = page.getByRole('article', { name: 'Night Count' })
  await card.getByLabel('Who they are').uncheck()
  await card.getByRole('button', { name: 'Grant selected access to Night Count' }).click()
  await expect(done(page, 'Granted. The system can request tokens now.')).toBeVisible()
  await expect(card).toContainText('Vaccinations, of every patient')
  await sweep(page, 'a system that was granted')

  await exportsAreInOrder(page, stack.owner, stack.origin)
  await page.goto('/practice/systems')

  const other = page.getByRole('article', { name: 'Copy All' })
  await other.getByText('Decline', { exact: false }).first().click()
  await other.getByLabel('Reason').fill('We know of no such project.')
  await other.getByRole('button', { name: 'Decline Copy All' }).click()
  await expect(other).toContainText('We know of no such project.')

  await card.getByText('Revoke', { exact: false }).first().click()
  await card.getByLabel('Reason').fill('The project is over.')
  await card.getByRole('button', { name: 'Revoke Night Count' }).click()
  await expect(card).toContainText('The project is over.')
  const { rows } = await stack.owner.query(
    `SELECT g.scope, g.revoked_at IS NOT NULL AS ended FROM portal.grant g WHERE client_id = 'night-count'`,
  )
  expect(rows).toEqual([{ scope: 'system/Immunization.rs', ended: true }])
})

/** Seen while it runs and afterwards, and ended by a press. */
async function exportsAreInOrder(page: Page, owner: pg.Pool, origin: string): Promise<void> {
  const { token, datasetId } = await addExportToken(owner, 'night-count')
  const kickOff = () =>
    fetch(`${origin}/r4/${shownPractice}/Group/gr-all-patients/$export`, {
      headers: {
        accept: 'application/fhir+json',
        prefer: 'respond-async',
        authorization: `Bearer ${token}`,
      },
    })
  expect((await kickOff()).status).toBe(202)
  await page.getByRole('link', { name: 'Who has access' }).click()
  await page.getByRole('link', { name: 'Exports' }).click()
  const row = page.getByRole('row', { name: /Night Count/ })
  await expect(row).toContainText('Complete')
  await expect(row).toContainText('Immunization')

  const writer = await owner.connect()
  try {
    // No export gets past its beginning while somebody writes.
    await writer.query('SELECT pg_advisory_lock_shared($1::int, $2::int)', [datasetLockClass, datasetId])
    const { status, headers } = await kickOff()
    expect(status).toBe(202)
    await page.reload()
    await expect(page.getByRole('progressbar', { name: 'Export of Night Count' })).toBeVisible()
    await sweep(page, 'exports of a practice')
    await page.getByRole('button', { name: 'Cancel the export of Night Count' }).click()
    await expect(page.getByRole('row', { name: /Canceled/ })).toBeVisible()
    const gone = await fetch(headers.get('content-location') ?? '', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(gone.status).toBe(404)
  } finally {
    await writer.query('SELECT pg_advisory_unlock_all()')
    writer.release()
  }
}

test('a developer asks a practice, and has an assertion examined', async ({
  page,
  stack,
  developer,
  watch,
}) => {
  watch.allow(/400 \(Bad Request\)/)
  const organization = await settleIn(page, await developer(), 'Larkfield Placeholder')
  const slug = organization.split('/').at(-1) ?? ''
  const { rows } = await stack.owner.query('SELECT id FROM portal.organization WHERE slug = $1', [slug])
  await addApp(stack.owner, {
    clientId: 'doctor-pages',
    name: 'Tide Table',
    audience: 'backend',
    authentication: 'private_key_jwt',
    scope: 'system/*.rs',
    redirectUri: '',
    organizationId: rows[0].id,
  })
  await page.goto(`${organization}/apps/doctor-pages/exports`)
  await sweep(page, 'no exports of an app')
  await addEndedExports(stack.owner, 'doctor-pages')
  await page.reload()
  await expect(page.getByRole('row', { name: /no space for this export/ })).toBeVisible()
  await sweep(page, 'exports of an app')
  await page.getByRole('button', { name: 'Withdraw the files of Sandpiper Demonstration' }).click()
  await expect(page.getByRole('row', { name: /Canceled/ })).toBeVisible()

  await page.goto(`${organization}/apps`)
  await sweep(page, 'apps')
  await page.getByRole('link', { name: 'Tide Table', exact: true }).click()
  await expect(headingOf(page, 'Tide Table')).toBeVisible()

  const request = page.getByRole('region', { name: 'Practices' })
  await request.getByLabel('Practice').fill('no-such-practice')
  await request.getByLabel('Purpose').fill('Counts vaccinations for the yearly report.')
  await request.getByRole('button', { name: 'Send request' }).click()
  await expect(request.getByRole('alert')).toContainText(
    'No practice with this name exists in the app’s environment',
  )
  await request.getByLabel('Practice').fill('sandpiper-demonstration')
  await request.getByRole('button', { name: 'Send request' }).click()
  await expect(done(page, 'Requested. The practice decides.')).toBeVisible()
  await expect(request.getByRole('row', { name: /Sent to the practice/ })).toBeVisible()

  const doctor = page.getByRole('region', { name: 'Assertion Doctor' })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  await doctor.getByLabel('Practice').fill('sandpiper-demonstration')
  await doctor
    .getByLabel('Assertion', { exact: true })
    .fill(`${part({ alg: 'none' })}.${part({ iss: 'doctor-pages', exp: 1 })}.`)
  await doctor.getByRole('button', { name: 'Check assertion' }).click()
  await expect(doctor.getByText('The token endpoint would refuse it.')).toBeVisible()
  await expect(doctor.getByRole('row', { name: /Fails/ }).first()).toBeVisible()
  await sweep(page, 'an assertion that was examined')

  const sent = await page.request.post('/r4/sandpiper-demonstration/token', {
    form: {
      grant_type: 'client_credentials',
      scope: 'system/*.rs',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part({ alg: 'RS384', kid: 'of-last-year' })}.${part({ iss: 'doctor-pages' })}.c2ln`,
    },
  })
  expect(sent.status()).toBe(401)
  await page.goto(`${organization}/apps/doctor-pages`)
  await doctor.getByRole('link', { name: /: iss and sub are the client_id/ }).click()
  await expect(headingOf(page, 'Logs')).toBeVisible()
  await expect(page.getByText('kid: of-last-year')).toBeVisible()
  const checks = page.getByRole('table', { name: 'Checks when it was sent' })
  await expect(checks.getByRole('row', { name: /Fails/ }).first()).toBeVisible()
  await sweep(page, 'a refused assertion')
})
