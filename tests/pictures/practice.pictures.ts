/** Every page of a practice's console: empty, filled, asked for proof, suspended, for a signatory and a clinician. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import { paths } from '../../server/contract/portal/paths.ts'
import { type Person, productionKeySupport } from '../support/production-keys.ts'
import type { TestServices } from '../support/services.ts'
import { openStudio, type Studio } from './studio.ts'

let studio: Studio
let page: Page
const support = productionKeySupport(() => studio.services)

beforeAll(async () => {
  studio = await openStudio({ template: 'schema' })
  page = await studio.open()
})

const enter = ({ accountId }: Person, options: { stale?: boolean } = {}) =>
  studio.enter(page, accountId, { realm: 'practice', ...options })

async function look(name: string, path: string): Promise<void> {
  // The clock stands still, and one address may ask for so many pages a minute.
  studio.services.advance(5_000)
  await page.goto(path, { waitUntil: 'networkidle' })
  await studio.shoot(page, `practice-${name}`)
}

/** A backend system that was granted or asks, or an app that a patient allowed. */
async function addApp(
  { prisma, clock }: TestServices,
  practiceId: string,
  app: { name: string; state?: 'granted' | 'requested' },
): Promise<void> {
  const now = clock()
  const audience = app.state ? 'backend' : 'patient'
  const { id: clientId } = await prisma.client.create({
    data: {
      id: randomUUID(),
      appId: randomUUID(),
      environment: 'production',
      audience,
      authentication: app.state ? 'private_key_jwt' : 'none',
      name: app.name,
      redirectUris: [],
      scope: app.state ? 'system/Patient.rs system/Immunization.rs' : 'patient/*.rs',
      createdAt: now,
    },
  })
  if (app.state) {
    const decided = app.state === 'granted' ? { decidedAt: now } : {}
    const scope = 'system/Patient.rs system/Immunization.rs'
    const purpose = 'Sends vaccinations to the county’s registry every night.'
    await prisma.practiceSystemAuthorization.create({
      data: { practiceId, clientId, state: app.state, scope, purpose, requestedAt: now, ...decided },
    })
    return
  }
  const { accountId } = await support.person('practice', 'Wren Testwell')
  const token = { tokenHash: Buffer.from(clientId), scope: '', createdAt: now }
  await prisma.grant.create({
    data: {
      ...{
        clientId,
        practiceId,
        audience,
        accountId,
        scope: 'patient/*.rs',
        createdAt: now,
        activatedAt: now,
      },
      accessTokens: { create: { ...token, expiresAt: new Date(now.getTime() + 3_600_000) } },
    },
  })
}

const pages = {
  access: paths.practice,
  inbox: paths.practiceInbox,
  requests: paths.practiceRequests,
  systems: paths.practiceSystems,
  agreements: paths.practiceAgreements,
  exports: paths.practiceExports,
  withheld: paths.practiceWithheld,
  review: paths.practiceRecertification,
  audit: paths.practiceAudit,
  changes: `${paths.practiceAudit}?view=changes`,
  staff: paths.practiceStaff,
  mfa: paths.practiceMfaList,
  settings: paths.practiceSettings,
  apps: paths.practiceApps,
  sessions: paths.practiceSessions,
}

test('with nothing on them', async () => {
  const { admin } = await support.office()
  await enter(admin)
  for (const [name, path] of Object.entries(pages)) await look(`${name}-empty`, path)
})

test('with keys, requests, systems and apps', async () => {
  const { services } = studio
  const scene = await support.working()
  const { office } = scene
  const full = await support.working({ name: 'Check-in desk', level: 'full' }, scene)
  const asked = await support.submitted({ name: 'Lab follow-up calls' }, scene)
  await addApp(services, office.practiceId, { name: 'County registry export', state: 'granted' })
  await addApp(services, office.practiceId, { name: 'Vaccination count', state: 'requested' })
  await addApp(services, office.practiceId, { name: 'Fennmoor Diary' })
  await enter(office.admin)
  for (const [name, path] of Object.entries(pages)) await look(name, path)
  await look('access-systems', `${paths.practice}?show=systems`)
  await look('access-nothing-found', `${paths.practice}?q=nothing`)
  await look('request', paths.practiceSponsorship(asked.requestId))
  await look('key', paths.practiceSponsorship(scene.requestId))
  const { baaId } = await support.rowOf(scene.requestId)
  await look('agreement', paths.practiceAgreement(baaId ?? ''))

  await page.goto(paths.practice)
  await page.getByRole('button', { name: 'Suspend Nightly import' }).click()
  await page.getByRole('button', { name: 'Resume Nightly import' }).waitFor()
  await studio.shoot(page, 'practice-access-suspended')
  await look('access-confirm', `${paths.practice}?confirm=${full.requestId}`)

  await enter(office.admin, { stale: true })
  for (const name of ['review', 'staff'] as const) await look(`${name}-unproven`, pages[name])
  await look('request-unproven', paths.practiceSponsorship(asked.requestId))
})

test('for a signatory with a document to sign, and for a clinician', async () => {
  const scene = await support.submitted()
  await support.confirm(scene)
  const { usageAgreementId } = await support.rowOf(scene.requestId)
  await support.sign(usageAgreementId ?? '', scene.owner, 'Chief Executive')
  await enter(scene.office.signatory)
  await look('access-signatory', paths.practice)
  await look('agreements-signatory', paths.practiceAgreements)
  const { baaId } = await support.rowOf(scene.requestId)
  await look('agreement-signatory', paths.practiceAgreement(baaId ?? ''))
  await enter(await support.practicePerson(scene.office.practiceId, 'clinician', 'Cleo Placeholder'))
  await look('access-clinician', paths.practice)
})
