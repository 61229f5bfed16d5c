/**
 * Four people in four browsers: a developer asks for three classes of data, an admin of the practice vouches, its
 * signatory signs, a reviewer approves. What the BAA says, what the practice’s console and the developer’s page show,
 * `/context`, and what each operation returns are compared, again after the practice narrows the key and caps it. Once
 * the practice has ended the BAA, the key reads nothing any more.
 */
import type { Page } from '@playwright/test'
import { operationNeeds, patientFieldClass } from '../../server/contract/keys/class-coverage.ts'
import { type DataClass, dataClasses, dataClassNames } from '../../server/contract/keys/data-classes.ts'
import { missingClasses } from '../../server/contract/keys/key-access.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import {
  addDomain,
  addPerson,
  addProductionPractice,
  type Person,
  shownPractice,
} from '../support/journey-people.ts'
import {
  done,
  enterWithMfa,
  fillSecurityProfile,
  fillSignIn,
  giveMfa,
  headingOf,
  linkIn,
  revealKey,
  settleIn,
  setUpMfa,
} from '../support/journey-steps.ts'
import { masked } from '../support/masked.ts'
import { sweep, sweepPaths } from '../support/sweep.ts'

const slug = 'fennmoor-family'
const practiceName = 'Fennmoor Family Practice'
const patientId = 'pt-otis-samplewood'
const agreed: readonly DataClass[] = ['demographics', 'allergies', 'documents']

async function call(origin: string, base: string, key: string, path: string) {
  const response = await fetch(`${origin}${base}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return { status: response.status, body: await response.text() }
}

/** The classes whose labels a text has. */
const classesIn = (text: string) => dataClassNames.filter((each) => text.includes(dataClasses[each]))

async function signDocument(page: Page, { name }: Person): Promise<void> {
  await page.getByLabel(/^Your legal name/).fill(name)
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Sign agreement' }).click()
}

test('a production key is asked for, vouched for, signed, reviewed, narrowed, capped, and stops the moment the BAA ends', async ({
  page,
  openBrowser,
  developer,
  stack,
  mails,
  watch,
}) => {
  test.setTimeout(300_000)
  page.setDefaultTimeout(30_000)
  watch.allow(/status of 4\d\d/)
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  const robin = await developer('Robin Testwell')
  const theo = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  const ines = await addPerson(stack.owner, { realm: 'practice', name: 'Ines Placeholder' })
  const rae = await addPerson(stack.owner, { realm: 'staff', name: 'Rae Placeholder', staffRole: 'reviewer' })
  await addProductionPractice(stack.owner, { slug, name: practiceName }, [
    [theo, 'admin'],
    [ines, 'signatory'],
  ])
  const home = await settleIn(page, robin, 'Samplewood Health Apps')
  await addDomain(stack.owner, home, 'samplewood.example')

  // The developer sets up the second step, writes the security profile once, then the request.
  await giveMfa(page)
  await page.goto(`${home}/security-profile`)
  await fillSecurityProfile(page, 'Samplewood Health Apps LLC')
  await expect(done(page, 'Security profile saved. New requests will include it.')).toBeVisible()
  await sweep(page, 'the security profile')
  await stack.owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, organization_id,
                                 created_by_id, created_at, expires_at, revoked_at, leaked_at)
     SELECT gen_random_uuid(), 'sp_leaked', '\\x01', 'Leaked', 'read_only', 'sandbox', practice.id, organization.id,
            $3, now(), now() + interval '1 day', now(), now()
       FROM portal.practice, portal.organization WHERE practice.slug = $1 AND organization.slug = $2`,
    [shownPractice, home.split('/').at(-1), robin.accountId],
  )

  await page.goto(`${home}/keys`)
  await page.getByText('New key', { exact: true }).click()
  await page.getByRole('link', { name: /^Production key/ }).click()
  await page.getByLabel('Practice ID').fill('nobody-at-all')
  await page.getByRole('button', { name: 'Choose practice' }).click()
  await expect(page.getByText('No practice has this login slug.').first()).toBeVisible()
  await sweep(page, 'the choice of a practice')
  await page.getByRole('searchbox').fill('fennmoor')
  const found = page.getByRole('button', { name: practiceName })
  // The directory may be a minute old, when another journey has looked at it.
  await expect(async () => {
    await expect(page).toHaveURL(/q=fennmoor/)
    if (!(await found.isVisible())) await page.reload()
    await expect(found).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 70_000 })
  await found.click()
  await expect(headingOf(page, `A key for ${practiceName}: Key and use`)).toBeVisible()
  await page.getByLabel('Key name').fill('Nightly import')
  await page.getByLabel('What do you need the key for, and why at this level?').fill('Reads visits')
  await expect(page.getByText('Saved automatically.')).toBeVisible()
  await expect(page.getByText(/in at least 40 characters/)).toBeVisible()
  const draft = page.url()

  // Somebody else of the organization goes on with it by its link, and this window is told before it overwrites.
  const kim = await developer('Kim Testwell')
  await stack.owner.query(
    `INSERT INTO portal.membership (organization_id, account_id, role, created_at)
     SELECT id, $2, 'admin', now() FROM portal.organization WHERE slug = $1`,
    [home.split('/').at(-1), kim.accountId],
  )
  const colleague = await openBrowser()
  await colleague.goto(draft)
  await fillSignIn(colleague, kim)
  await expect(colleague.getByLabel('Key name')).toHaveValue('Nightly import')
  await colleague
    .getByLabel('What do you need the key for, and why at this level?')
    .fill('Reads visits every night so that the reminder calls of the practice are right.')
  await expect(colleague.getByText('Saved automatically.')).toBeVisible()
  await colleague.close()
  await page.getByLabel(/^operations/).check()
  await expect(page.getByText('Someone else saved this draft in the meantime.')).toBeVisible()
  await page.getByRole('link', { name: 'show the saved draft' }).click()
  await expect(page.getByText('Someone else saved this draft in the meantime.')).toHaveCount(0)
  // The page was loaded again, and saves nothing before its scripts are there.
  await expect(async () => {
    await page.getByLabel(/^operations/).uncheck()
    await page.getByLabel(/^operations/).check()
    await expect(page.getByText('Saved automatically.')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })

  // Without a connection nothing is lost; with one again it is saved by itself.
  await page.context().setOffline(true)
  for (const each of agreed) await page.getByLabel(dataClasses[each], { exact: true }).check()
  await expect(page.getByText('No connection. Nothing is lost.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('No connection. Nothing is lost.')).toHaveCount(0)
  await expect(page.getByText('Saved automatically.')).toBeVisible()
  await sweep(page, 'a step of a production key')
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await expect(page.getByLabel('Their legal name')).toHaveValue(robin.name)
  await page.getByLabel('Their title').fill('Chief Executive')
  await sweep(page, 'the last step of a production key')
  const request = new URL(page.url()).pathname.replace(/\/form$/, '')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(done(page, 'Sent. The practice’s admins get an email.')).toBeVisible()
  await expect(headingOf(page, `A key for ${practiceName}`)).toBeVisible()
  await sweep(page, 'the page of a production key')

  // The admin on file reads who asks, vouches, and names the signatory.
  const invitation = await mails.waitFor({ to: theo.email, subject: /^Sponsorship request from/ })
  const admin = await openBrowser()
  admin.setDefaultTimeout(30_000)
  const sponsorship = invitation.links.find((link) => link.includes('/practice/sponsorships/')) ?? ''
  await admin.goto(sponsorship)
  await fillSignIn(admin, theo)
  await setUpMfa(admin)
  await expect(headingOf(admin, 'Samplewood Health Apps: Nightly import')).toBeVisible()
  await sweep(admin, 'a request to sponsor a key')
  const leak = '1 key of Samplewood Health Apps leaked.'
  await expect(admin.getByRole('alert').filter({ hasText: leak })).toBeVisible()
  const check = admin.getByRole('listitem').filter({ hasText: 'Is this the access you agreed to?' })
  await expect(check).toContainText(
    `agreed to?${agreed.map((each) => dataClasses[each]).join('; ')}, for all your patients.`,
  )
  await admin.getByText('The whole request').click()
  await expect(
    admin
      .getByRole('region', { name: 'Requested access' })
      .locator('dt')
      .filter({ hasText: /Data|Level/ }),
  ).toHaveText(['Data and purposes', 'Level'])
  const confirm = admin.getByRole('form', { name: 'Confirm, and name who signs for the practice' })
  await confirm.getByLabel('Signatory of the BAA').selectOption({ label: ines.name })
  await confirm.getByLabel('Their legal name').fill(ines.name)
  await confirm.getByLabel('Their title').fill('Practice Manager')
  await confirm.getByLabel('Practice’s legal name').fill('Fennmoor Family Practice PLLC')
  await confirm.getByLabel('Practice’s address').fill('2 Sample Street, Springfield, IL 62701')
  await confirm.getByLabel('Agreement contact').fill(theo.name)
  await confirm.getByLabel('Contact’s email address').fill(theo.email)
  await confirm.getByRole('button', { name: 'Confirm request' }).click()
  await expect(done(admin, 'Confirmed. The agreements come next.')).toBeVisible()

  // The developer signs the usage agreement, then the BAA; the signatory of the practice signs it, too.
  await page.goto(request)
  await page.getByRole('link', { name: 'Read and sign' }).click()
  await signDocument(page, robin)
  await expect(done(page, 'Signed. Next, read and sign this document.')).toBeVisible()
  await expect(headingOf(page, 'Business associate agreement')).toBeVisible()
  const baa = page.url()
  await signDocument(page, robin)
  await expect(page.getByRole('heading', { name: 'Sign agreement' })).toHaveCount(0)
  await page.goto(request)
  await expect(page.getByText(`${ines.name} signs the BAA next.`)).toBeVisible()

  const signatory = await openBrowser()
  signatory.setDefaultTimeout(30_000)
  await enterWithMfa(signatory, ines, 'practice')
  await signatory.goto(paths.practice)
  await signatory.getByRole('link', { name: 'Sign', exact: true }).click()
  await signDocument(signatory, ines)
  await expect(signatory.getByRole('heading', { name: 'Sign agreement' })).toHaveCount(0)
  await page.goto(request)
  await expect(page.getByText('Nothing for you to do now. We are reviewing the request.')).toBeVisible()

  // The reviewer looks at all of it, and approves.
  const reviewer = await openBrowser()
  reviewer.setDefaultTimeout(30_000)
  await enterWithMfa(reviewer, rae)
  await reviewer.goto(paths.staffSignIn)
  await reviewer.goto(`${paths.reviewQueue}?kind=production_key`)
  await reviewer.getByRole('link', { name: 'Nightly import' }).click()
  await expect(reviewer.getByRole('alert').filter({ hasText: leak })).toBeVisible()
  await reviewer.getByRole('button', { name: 'Claim request', exact: true }).click()
  await sweep(reviewer, 'the review of a production key')
  await reviewer.getByRole('button', { name: 'Approve key' }).click()
  await expect(done(reviewer, 'Done. The history has the details.')).toBeVisible()

  // The key is shown once, reads the practice's patient, and is unknown at the sandbox.
  const claim = await mails.waitFor({
    to: robin.email,
    subject: 'Claim your production key: “Nightly import”',
  })
  await page.goto(linkIn(claim.links, '/developers/production-keys/claim'))
  await sweep(page, 'the claim of a production key')
  const key = await revealKey(page)
  expect(key).toMatch(/^svc_l[0-9A-Za-z]{46}$/)
  const { origin } = stack
  const served = await call(origin, '', key, `/patients/${patientId}`)
  expect(served.status).toBe(200)
  expect(served.body).toContain(patientId)
  const sandbox = await call(origin, '/sandbox', key, `/patients/${patientId}`)
  const unknown = await call(
    origin,
    '/sandbox',
    `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
    `/patients/${patientId}`,
  )
  expect(sandbox.status).toBe(401)
  expect(masked(sandbox.body)).toBe(masked(unknown.body))

  const read = async (path: string) => {
    const { status, body: text } = await call(origin, '', key, path)
    return { status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  const compare = async (classes: readonly DataClass[]) => {
    const { body } = await read('/context')
    expect([...body.principal.dataClasses].sort()).toEqual([...classes].sort())
    expect(body.principal.purposes).toEqual(['operations'])
    for (const [operationId, path] of [
      ['listPatients', '/patients?limit=1'],
      ['getPatient', `/patients/${patientId}`],
      ['getCcda', `/patients/${patientId}/ccda`],
    ] as const) {
      const missing = missingClasses({ classes, purposes: ['operations'] }, operationNeeds[operationId])
      expect([operationId, (await read(path)).status]).toEqual([
        operationId,
        missing.length === 0 ? 200 : 403,
      ])
    }
    const patient = await read(`/patients/${patientId}`)
    for (const [field, dataClass] of Object.entries(patientFieldClass))
      if (field in patient.body) expect(classes).toContain(dataClass)
    expect('name' in patient.body).toBe(classes.includes('demographics'))
    await page.goto(request)
    const shown = page.getByRole('region', { name: 'Requested access' })
    const canRead = shown.locator('dt', { hasText: 'Can read now' }).locator('xpath=following-sibling::dd[1]')
    expect(classesIn((await canRead.textContent()) ?? '').sort()).toEqual([...classes].sort())
  }

  // The BAA, the console, the page, /context and the responses say the same.
  await page.goto(baa)
  const row = page.getByRole('row').filter({ hasText: 'Classes of data' })
  expect(classesIn((await row.textContent()) ?? '').sort()).toEqual([...agreed].sort())
  await compare(agreed)
  const document = await read(`/patients/${patientId}/ccda`)
  expect(document.text).toContain('Samplewood')
  expect(document.text).toContain('<section nullFlavor="MSK"')

  // The console shows it; a suspended key is refused, a resumed one served.
  await admin.goto(paths.practice)
  await expect(admin.getByRole('link', { name: 'Nightly import', exact: true })).toBeVisible()
  await sweep(admin, 'the console of a practice')
  const statusNow = async () => (await call(origin, '', key, `/patients/${patientId}`)).status
  await admin.getByRole('button', { name: 'Stop Nightly import' }).click()
  await expect(done(admin, 'Stopped. Its next request is refused.')).toBeVisible()
  expect(await statusNow()).toBe(401)
  await admin.getByRole('button', { name: 'Resume Nightly import' }).click()
  await expect(admin.getByRole('button', { name: 'Stop Nightly import' })).toBeVisible()
  expect(await statusNow()).toBe(200)

  await admin.goto(paths.practice)
  await admin.getByRole('link', { name: /^What it can read\s*: Nightly import$/ }).click()
  await expect(headingOf(admin, 'What Nightly import can read')).toBeVisible()
  const narrow = admin.getByRole('form', { name: 'Allow only' })
  const boxes = narrow.getByRole('group', { name: 'Data classes' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(agreed.length)
  for (const box of await boxes.all()) await expect(box).toBeChecked()

  // The practice takes one class back.
  await narrow.getByLabel(dataClasses.documents).uncheck()
  await narrow.getByLabel('Reason').fill('The check needs names and allergies only.')
  await narrow.getByRole('button', { name: 'Change access' }).click()
  await expect(
    done(admin, 'Changed. It holds on the next request, and both sides get an email.'),
  ).toBeVisible()
  await compare(['demographics', 'allergies'])

  // And caps the key.
  const caps = admin.getByRole('form', { name: 'Caps' })
  await caps.getByLabel('Allowed from').fill('08:00')
  await caps.getByLabel('Reason').fill('The check runs while we are open.')
  await caps.getByRole('button', { name: 'Change caps' }).click()
  await expect(admin.getByText('Enter both times, or neither.').first()).toBeVisible()
  await sweep(admin, 'a refused form of caps')
  await caps.getByLabel('Allowed from').fill('')
  await caps.getByLabel('Calls a day').fill('2')
  await caps.getByLabel('Time zone').selectOption('UTC')
  await caps.getByRole('button', { name: 'Change caps' }).click()
  await expect(caps.getByText('2 calls a day (UTC)')).toBeVisible()
  await sweep(admin, 'the access and caps of a key')
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push(await statusNow())
  expect(statuses).toEqual([200, 200, 429])
  const over = await read(`/patients/${patientId}`)
  expect(over.body.error.message).toBe('The practice caps this key. 2 calls a day (UTC).')
  expect((await read('/context')).body.limits.caps.today.calls).toBe(2)
  await page.goto(request)
  await expect(page.getByText('2 calls a day (UTC)')).toBeVisible()
  await expect(page.getByText(/^Used today: 2 calls/)).toBeVisible()
  await sweep(page, 'a production key with caps')
  for (const { email } of [robin, theo])
    await mails.waitFor({
      to: email,
      subject: `${practiceName} capped how much “Nightly import” can be used`,
    })

  // The practice ends the BAA, and the next request is refused.
  await admin.goto(`${paths.practiceAudit}`)
  await expect(admin.getByText(patientId).first()).toBeVisible()
  await sweep(admin, 'the audit of a practice')
  await sweepPaths(admin, [paths.practiceStaff, paths.practiceSettings])
  await sweepPaths(page, [`${home}/keys?show=production`])
  await signatory.goto(paths.practiceAgreements)
  await signatory.getByRole('link', { name: 'Business associate agreement' }).first().click()
  await signatory.getByText('End agreement', { exact: true }).first().click()
  await signatory.getByLabel('Reason').fill('We go on with another product from today.')
  await signatory.getByRole('button', { name: 'End agreement' }).click()
  await expect(done(signatory, 'Terminated. Keys that depend on it have stopped.')).toBeVisible()
  const refused = await call(origin, '', key, `/patients/${patientId}`)
  expect(refused.status).toBe(401)
  expect(masked(refused.body)).toBe(masked(unknown.body))
  for (const { email } of [robin, theo])
    await mails.waitFor({ to: email, subject: 'Stopped: “Nightly import”' })
  await page.goto(request)
  await expect(page.getByText(/The BAA is not in force/).first()).toBeVisible()
})
