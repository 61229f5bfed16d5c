/** Every page of operations: empty, filled, very full, refused, asked for proof, stale, done, filtered, not let in. */
import type { Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { type OpsAction, opsActions } from '../../server/contract/portal/ops-actions.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { operationsSupport } from '../support/operations.ts'
import { statusStates } from './status-states.ts'
import { openStudio, type Studio } from './studio.ts'

let studio: Studio
let support: Awaited<ReturnType<typeof operationsSupport>>
let states: ReturnType<typeof statusStates>
let page: Page

beforeAll(async () => {
  studio = await openStudio({ template: 'schema' })
  page = await studio.open()
  const { services } = studio
  const staff = { realm: 'staff', staffRole: 'ops', name: 'Oakley Sample', passwordHash: 'none' } as const
  const { id } = await services.prisma.account.create({
    data: { ...staff, email: 'oakley@staff.example', createdAt: services.clock() },
  })
  states = statusStates(services, id)
  await enter()
})

/** Signed in with both proofs given, or an hour ago. */
const enter = (options?: { stale?: boolean }) => studio.enter(page, states.actor().accountId, options)

async function look(name: string, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await studio.shoot(page, name)
}

const lists = {
  console: paths.staff,
  components: paths.statusOverrides,
  incidents: paths.staffIncidents,
  jobs: paths.staffJobs,
  mail: paths.staffMail,
  sessions: paths.staffSessions,
  practices: `${paths.staffPractices}?search=nowhere`,
  credentials: paths.staffCredentials,
  'key-limits': paths.keyLimits,
  audit: `${paths.staffAudit}?action=nothing`,
  agreements: paths.staffAgreements,
  constants: paths.staffConstants,
}

test('with nothing on them', async () => {
  for (const [name, path] of Object.entries(lists)) await look(`ops-${name}-empty`, path)
})

test('before the proofs were given anew', async () => {
  support = await operationsSupport(studio.services)
  await enter({ stale: true })
  const { id, version } = await support.scenes.retry_job()
  const incident = await states.tell({
    title: 'Charts open slowly',
    text: 'Reads take two to four seconds.',
    components: { fhir: 'degraded' },
  })
  await look('ops-components-locked', paths.statusOverrides)
  await look('ops-incidents-locked', paths.staffIncidents)
  await look('ops-incident-locked', paths.staffIncident(incident.id))
  await look('ops-key-limits-locked', paths.keyLimits)
  await look('ops-act-locked', `${paths.staffJobs}?act=retry_job&id=${id}&version=${version}`)
  await page.getByRole('link', { name: 'Confirm your password' }).click()
  await page.waitForLoadState('networkidle')
  await studio.shoot(page, 'ops-proof-asked')
  await enter()
})

test('with something on them, and every act', async () => {
  await states.check({ fhir: 'down', ai: 'not_available' })
  await states.set('fhir', 'partial_outage', 'Searches by date fail. Reads answer.')
  await states.set('api', 'operational', 'It answers; the check itself is at fault.')
  await look('ops-components', paths.statusOverrides)
  const pageOf: Partial<Record<OpsAction, string>> = {
    retry_job: paths.staffJobs,
    give_up_job: paths.staffJobs,
    resend_mail: paths.staffMail,
    end_session: paths.staffSessions,
    end_sessions: paths.staffSessions,
    end_key_limits: paths.keyLimits,
    check_chain: paths.staffAudit,
  }
  for (const [act, path] of Object.entries(pageOf) as [OpsAction, string][]) {
    const { id, version } = await support.scenes[act]()
    await look(`ops-act-${act}`, `${path}?${new URLSearchParams({ act, id, version: `${version}` })}`)
  }
  const { id, version } = await support.scenes.suspend_key()
  const { prefix } = await studio.services.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  await look('ops-credentials-key', `${paths.staffCredentials}?find=${prefix}`)
  await look(
    'ops-act-suspend_key',
    `${paths.staffCredentials}?${new URLSearchParams({ find: prefix, act: 'suspend_key', id, version: `${version}` })}`,
  )
  const app = await support.scenes.suspend_client()
  await look('ops-credentials-app', `${paths.staffCredentials}?find=${app.id}`)
  await look('ops-credentials-none', `${paths.staffCredentials}?find=nothing`)
  const practice = await studio.services.prisma.practice.findFirstOrThrow({ orderBy: { createdAt: 'asc' } })
  await look('ops-practice', paths.staffPractice(practice.slug))
  await look('ops-practices', paths.staffPractices)
  await look('ops-practice-none', paths.staffPractice('nothing'))
})

test('an act with a fault, a stale one and one that is done', async () => {
  const job = await support.scenes.retry_job()
  const form = `${paths.staffJobs}?${new URLSearchParams({ act: 'retry_job', id: job.id, version: `${job.version}` })}`
  const send = async (reason: string) => {
    await page.getByLabel('Reason').fill(reason)
    await page.getByRole('button', { name: opsActions.retry_job.title }).click()
    await page.waitForLoadState('networkidle')
  }
  await page.goto(form, { waitUntil: 'networkidle' })
  await send('short')
  await studio.shoot(page, 'ops-act-fault')
  await send('The mail server answers again.')
  await page.getByText('The audit log has your reason').first().waitFor()
  await studio.shoot(page, 'ops-act-done')
  await page.goto(form, { waitUntil: 'networkidle' })
  await send('The mail server answers again.')
  await page.getByRole('alert').waitFor()
  await studio.shoot(page, 'ops-act-stale')
  await page.goto(paths.statusOverrides, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Set state' }).click()
  await page.getByRole('alert').waitFor()
  await studio.shoot(page, 'ops-components-fault')
  await page.goto(paths.staffIncidents, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alert').waitFor()
  await studio.shoot(page, 'ops-incidents-fault')
})

test('an incident from its beginning to its end', async () => {
  const incident = await states.tell({
    title: 'Sign-in fails for some',
    text: 'One of two servers refuses.',
    components: { smart: 'major_outage', api: 'as_checked' },
  })
  await enter()
  await look('ops-incident-open', paths.staffIncident(incident.id))
  await incident.say('identified', 'A certificate has run out.')
  await incident.edit('A certificate ran out at noon.')
  await enter()
  await look('ops-incident-edited', paths.staffIncident(incident.id))
  await incident.say('resolved', 'Everybody can sign in.')
  await enter()
  await look('ops-incident-ended', paths.staffIncident(incident.id))
  await incident.explain('## Why\n\nNobody was told that it runs out.')
  await enter()
  await look('ops-incident-explained', paths.staffIncident(incident.id))
  await look('ops-incident-none', paths.staffIncident('nothing'))
})

test('very full', async () => {
  const { services } = studio
  const { clock, prisma } = services
  for (let count = 0; count < 12; count++) {
    await support.scenes.retry_job()
    await support.scenes.end_session()
    await support.scenes.end_key_limits()
  }
  const minutes = (count: number) => new Date(clock().getTime() - count * 60_000)
  await prisma.outboxMail.createMany({
    data: Array.from({ length: 60 }, (_, count) => ({
      template: ['welcome', 'key-claim', 'status-confirm'][count % 3] ?? 'welcome',
      toAddress: `wren.testwell-${count}@a-rather-long-name-of-a-company.samplewood.example`,
      props: {},
      messageId: `full-${count}@portal.example`,
      state: (['failed', 'waiting', 'sent', 'sending'] as const)[count % 4] ?? 'failed',
      attempts: count % 7,
      lastError: '550 5.1.1 no such user here, and a long line of what the mail server had to say of it',
      nextAttemptAt: minutes(-count),
      createdAt: minutes(count),
      sentAt: count % 4 === 2 ? minutes(count) : null,
    })),
  })
  await prisma.practice.createMany({
    data: Array.from({ length: 40 }, (_, count) => ({
      slug: `practice-number-${count}`,
      name:
        count % 9 === 0
          ? `Ärztehaus am Überseeufer, Gemeinschaftspraxis für Kinder ${count}`
          : `Practice ${count}`,
      ...{ environment: 'production' as const, purpose: 'office' as const, datasetId: 1, inDirectory: true },
      state: count % 11 === 0 ? ('suspended' as const) : ('active' as const),
      fhirEnabled: count % 3 > 0,
      createdAt: clock(),
    })),
  })
  await states.check()
  await enter()
  for (const name of [
    'console',
    'incidents',
    'jobs',
    'sessions',
    'practices',
    'key-limits',
    'audit',
  ] as const)
    await look(`ops-${name}-full`, lists[name].split('?')[0] ?? '')
  for (const state of ['failed', 'waiting', 'sending', 'sent'])
    await look(`ops-mail-${state}`, `${paths.staffMail}?state=${state}`)
  await look('ops-audit-filtered', `${paths.staffAudit}?action=incident`)
  await look('ops-sessions-filtered', `${paths.staffSessions}?realm=developer`)
})

test('for somebody who is not of operations', async () => {
  const reviewer = await studio.services.prisma.account.create({
    data: {
      ...{ realm: 'staff', staffRole: 'reviewer', name: 'Reese Sample', passwordHash: 'none' },
      ...{ email: 'reese@staff.example', createdAt: studio.services.clock() },
    },
  })
  await studio.enter(page, reviewer.id)
  for (const path of [...Object.values(lists).slice(1), paths.staffPractice('practice-number-1')]) {
    const answer = await page.goto(path)
    expect([403, 404], path).toContain(answer?.status())
  }
  await studio.shoot(page, 'ops-not-allowed')
})
