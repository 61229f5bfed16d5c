/**
 * Four people in four browsers make a production key of narrowed classes. What the BAA says, what the practice’s console
 * and the developer’s page show, `/context`, and what each operation returns are compared; the practice then narrows and
 * caps the key, and they are compared again.
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
  fillSecurityProfile,
  fillSignIn,
  headingOf,
  linkIn,
  revealKey,
  settleIn,
  setUpMfa,
} from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

const practiceName = 'Alder Street Clinic'
const patientId = 'pt-otis-samplewood'
const agreed: readonly DataClass[] = ['demographics', 'allergies', 'documents']

async function signDocument(page: Page, { name }: Person): Promise<void> {
  await page.getByLabel(/^Your legal name/).fill(name)
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Sign agreement' }).click()
}

/** The classes whose labels a text has. */
const classesIn = (text: string) => dataClassNames.filter((each) => text.includes(dataClasses[each]))

test('a key of narrowed classes reads what its BAA names, as console, page and /context say', async ({
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
  const robin = await developer('Robin Testwell')
  const theo = await addPerson(stack.owner, { realm: 'practice', name: 'Theo Placeholder' })
  const ines = await addPerson(stack.owner, { realm: 'practice', name: 'Ines Placeholder' })
  const rae = await addPerson(stack.owner, { realm: 'staff', name: 'Rae Placeholder', staffRole: 'reviewer' })
  await addProductionPractice(stack.owner, { slug: 'alder-street', name: practiceName }, [
    [theo, 'admin'],
    [ines, 'signatory'],
  ])
  const home = await settleIn(page, robin, 'Placeholder Allergy Apps')
  await addDomain(stack.owner, home, 'placeholder-allergy.example')

  // The developer asks for three classes and one purpose.
  await page.goto(paths.mfa)
  await setUpMfa(page)
  await page.goto(`${home}/security-profile`)
  await fillSecurityProfile(page, 'Placeholder Allergy Apps LLC')
  await expect(done(page, 'Security profile saved. New requests will include it.')).toBeVisible()
  await stack.owner.query(
    `INSERT INTO portal.api_key (id, prefix, secret_hash, name, level, environment, practice_id, organization_id,
                                 created_by_id, created_at, expires_at, revoked_at, leaked_at)
     SELECT gen_random_uuid(), 'sp_leaked', '\\x01', 'Leaked', 'read_only', 'sandbox', practice.id, organization.id,
            $3, now(), now() + interval '1 day', now(), now()
       FROM portal.practice, portal.organization WHERE practice.slug = $1 AND organization.slug = $2`,
    [shownPractice, home.split('/').at(-1), robin.accountId],
  )
  await page.goto(`${home}/production-keys`)
  await page.getByRole('link', { name: 'Request a production key' }).click()
  await page.getByLabel('Practice ID').fill('alder-street')
  await page.getByRole('button', { name: 'Choose practice' }).click()
  await expect(headingOf(page, `A key for ${practiceName}: Key and use`)).toBeVisible()
  await page.getByLabel('Key name').fill('Allergy check')
  await page
    .getByLabel('What do you need the key for, and why at this level?')
    .fill('Compares the allergies of today’s patients with the orders that are to be signed.')
  await page.getByLabel(/^operations/).check()
  for (const each of agreed) await page.getByLabel(dataClasses[each], { exact: true }).check()
  await page.getByRole('button', { name: 'Continue to sign and send' }).click()
  await page.getByLabel('Their title').fill('Chief Executive')
  const request = new URL(page.url()).pathname.replace(/\/form$/, '')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(done(page, 'Sent. The practice’s admins get an email.')).toBeVisible()

  const invitation = await mails.waitFor({ to: theo.email, subject: /^Sponsorship request from/ })
  const admin = await openBrowser()
  admin.setDefaultTimeout(30_000)
  await admin.goto(invitation.links.find((link) => link.includes('/practice/sponsorships/')) ?? '')
  await fillSignIn(admin, theo)
  await setUpMfa(admin)
  const leak = '1 key of Placeholder Allergy Apps leaked.'
  await expect(admin.getByRole('alert').filter({ hasText: leak })).toBeVisible()
  const check = admin.getByRole('listitem').filter({ hasText: 'Is this the access you agreed to?' })
  await expect(check).toContainText(
    `agreed to?${agreed.map((each) => dataClasses[each]).join('; ')}, for all your patients.`,
  )
  await expect(
    admin
      .getByRole('region', { name: 'Requested access' })
      .locator('dt')
      .filter({ hasText: /Data|Level/ }),
  ).toHaveText(['Data and purposes', 'Level'])
  const confirm = admin.getByRole('form', { name: 'Confirm, and name who signs for the practice' })
  await confirm.getByLabel('Signatory of the BAA for the practice').selectOption({ label: ines.name })
  await confirm.getByLabel('Their legal name').fill(ines.name)
  await confirm.getByLabel('Their title').fill('Practice Manager')
  await confirm.getByLabel('Practice’s legal name').fill('Alder Street Clinic PLLC')
  await confirm.getByLabel('Practice’s address').fill('3 Sample Street, Springfield, IL 62701')
  await confirm.getByLabel('Agreement contact').fill(theo.name)
  await confirm.getByLabel('Contact’s email address').fill(theo.email)
  await confirm.getByRole('button', { name: 'Confirm request' }).click()
  await expect(done(admin, 'Confirmed. The agreements come next.')).toBeVisible()

  await page.goto(request)
  await page.getByRole('link', { name: 'Read and sign' }).click()
  await signDocument(page, robin)
  await expect(headingOf(page, 'Business associate agreement')).toBeVisible()
  const baa = page.url()
  await signDocument(page, robin)
  await expect(page.getByRole('heading', { name: 'Sign agreement' })).toHaveCount(0)
  const signatory = await openBrowser()
  signatory.setDefaultTimeout(30_000)
  await signatory.goto(paths.practice)
  await fillSignIn(signatory, ines)
  await setUpMfa(signatory)
  await signatory.getByRole('link', { name: 'Sign', exact: true }).click()
  await signDocument(signatory, ines)
  await expect(signatory.getByRole('heading', { name: 'Sign agreement' })).toHaveCount(0)

  const reviewer = await openBrowser()
  reviewer.setDefaultTimeout(30_000)
  await reviewer.goto(paths.staffSignIn)
  await fillSignIn(reviewer, rae)
  await setUpMfa(reviewer)
  await reviewer.goto(paths.productionQueue)
  await reviewer.getByRole('link', { name: 'Allergy check' }).click()
  await expect(reviewer.getByRole('alert').filter({ hasText: leak })).toBeVisible()
  await reviewer.getByRole('button', { name: 'Claim request', exact: true }).click()
  await reviewer.getByRole('button', { name: 'Approve key' }).click()
  await expect(done(reviewer, 'Done. The history has the details.')).toBeVisible()
  const claim = await mails.waitFor({
    to: robin.email,
    subject: 'Claim your production key: “Allergy check”',
  })
  await page.goto(linkIn(claim.links, '/developers/production-keys/claim'))
  const key = await revealKey(page)

  const call = async (path: string) => {
    const response = await fetch(`${stack.origin}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const text = await response.text()
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  const compare = async (classes: readonly DataClass[]) => {
    const { body } = await call('/context')
    expect([...body.principal.dataClasses].sort()).toEqual([...classes].sort())
    expect(body.principal.purposes).toEqual(['operations'])
    for (const [operationId, path] of [
      ['listPatients', '/patients?limit=1'],
      ['getPatient', `/patients/${patientId}`],
      ['getCcda', `/patients/${patientId}/ccda`],
    ] as const) {
      const missing = missingClasses({ classes, purposes: ['operations'] }, operationNeeds[operationId])
      expect([operationId, (await call(path)).status]).toEqual([
        operationId,
        missing.length === 0 ? 200 : 403,
      ])
    }
    const patient = await call(`/patients/${patientId}`)
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
  const document = await call(`/patients/${patientId}/ccda`)
  expect(document.text).toContain('Samplewood')
  expect(document.text).toContain('<section nullFlavor="MSK"')

  await admin.goto(paths.practice)
  await admin.getByRole('link', { name: /^What it can read\s*: Allergy check$/ }).click()
  await expect(headingOf(admin, 'What Allergy check can read')).toBeVisible()
  const narrow = admin.getByRole('form', { name: 'Allow only' })
  const boxes = narrow.getByRole('group', { name: 'Data classes' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(agreed.length)
  for (const box of await boxes.all()) await expect(box).toBeChecked()

  // The practice takes one class back, and caps the key.
  await narrow.getByLabel(dataClasses.documents).uncheck()
  await narrow.getByLabel('Reason').fill('The check needs names and allergies only.')
  await narrow.getByRole('button', { name: 'Change access' }).click()
  await expect(
    done(admin, 'Changed. It holds on the next request, and both sides get an email.'),
  ).toBeVisible()
  await compare(['demographics', 'allergies'])

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
  for (let i = 0; i < 3; i++) statuses.push((await call(`/patients/${patientId}`)).status)
  expect(statuses).toEqual([200, 200, 429])
  const over = await call(`/patients/${patientId}`)
  expect(over.body.error.message).toBe('The practice caps this key. 2 calls a day (UTC).')
  expect((await call('/context')).body.limits.caps.today.calls).toBe(2)
  await page.goto(request)
  await expect(page.getByText('2 calls a day (UTC)')).toBeVisible()
  await expect(page.getByText(/^Used today: 2 calls/)).toBeVisible()
  await sweep(page, 'a production key with caps')
  for (const { email } of [robin, theo])
    await mails.waitFor({ to: email, subject: `${practiceName} capped how much “Allergy check” can be used` })
})
