/** Every state of the status page and of what belongs to it. */
import type { Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { paths } from '../../server/contract/portal/paths.ts'
import type { CheckedState } from '../../server/contract/status/components.ts'
import { createServices } from '../../server/services.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { tokenMailedTo } from '../support/mailed.ts'
import { statusStates } from './status-states.ts'
import { openStudio, type Studio } from './studio.ts'

let studio: Studio
let page: Page
let states: ReturnType<typeof statusStates>

beforeAll(async () => {
  studio = await openStudio()
  const { services } = studio
  const staff = { realm: 'staff', staffRole: 'ops', name: 'Oakley Sample', passwordHash: 'none' } as const
  const { id } = await services.prisma.account.create({
    data: { ...staff, email: 'ops@staff.example', createdAt: services.clock() },
  })
  states = statusStates(services, id)
  page = await studio.open()
})

/** Read anew: a reading is kept for half a minute. */
async function look(name: string, path: string = paths.status): Promise<void> {
  studio.services.advance(31_000)
  await page.goto(path)
  await studio.shoot(page, name)
}

test('before anything was checked, and on the first day', async () => {
  await look('status-started')
  studio.services.advance(300_000)
  await look('status-nobody-checks')
  await states.check()
  await look('status-first-day')
  await look('status-history-first-day', paths.statusHistory)
})

test('ninety days with gaps, a minute of outage and a whole day of it', async () => {
  await states.live(
    {
      3: { fhir: { operational: 1_439, down: 1 } },
      7: { api: { down: 1_440 } },
      12: { smart: { operational: 1_200, degraded: 240 }, fhir: { operational: 700 } },
      20: { mcp: { operational: 900, under_maintenance: 540 } },
      33: { chartvoyant_app: { operational: 1_000, partial_outage: 300, major_outage: 140 } },
      45: { fhir: { down: 30, operational: 60 } },
      ...Object.fromEntries(
        Array.from({ length: 89 }, (_, place) => [
          place + 1,
          { demo: { disabled: 1_440 }, ...(place === 44 && { fhir: { down: 30, operational: 60 } }) },
        ]).filter(([back]) => ![3, 7, 12, 20, 33].includes(back as number)),
      ),
    },
    { gap: [50, 51, 52, 53] },
  )
  await states.check({ demo: 'disabled' })
  await look('status-well')
  await look('status-history', paths.statusHistory)
})

test('each state of a component, alone and with others', async () => {
  for (const state of ['degraded', 'down', 'not_available', 'disabled'] satisfies CheckedState[]) {
    await states.check({}, state)
    await look(`status-all-${state}`)
  }
  await states.check({ ai: 'degraded' })
  await look('status-one-degraded')
  await states.check({ fhir: 'down' })
  await look('status-core-down')
  await states.check({
    fhir: 'down',
    api: 'degraded',
    ai: 'not_available',
    demo: 'disabled',
    academy: 'down',
  })
  await look('status-several')
})

test('states set by hand, with what the checks find beside them', async () => {
  await states.check({ fhir: 'down', ai: 'not_available' })
  await states.set('fhir', 'partial_outage', 'Searches by date fail. Reads answer.')
  await states.set('ai', 'under_maintenance', 'New models are put in. Back at noon, Eastern.')
  await states.set('api', 'operational', 'It answers; the check itself is at fault.')
  await states.set('smart', 'major_outage', 'Nobody can sign in.')
  await states.set('academy', 'degraded', 'Videos load slowly.')
  await look('status-set-by-hand')
  await states.unset()
})

test('an incident from its beginning to what was learnt of it', async () => {
  await states.check({ fhir: 'degraded' })
  const incident = await states.tell({
    title: 'Charts open slowly',
    text: 'Reads take two to four seconds. They succeed.',
    components: { fhir: 'degraded', api: 'as_checked' },
  })
  const path = paths.statusIncident(incident.id)
  await look('status-investigating')
  await look('incident-investigating', path)
  await incident.say('identified', 'An index is being rebuilt. It will take an hour.')
  await states.check()
  await look('status-identified')
  await incident.say('monitoring', 'The index is whole again. We watch.')
  await states.check()
  await look('status-monitoring')
  await incident.edit('The index is whole again since noon. We watch for an hour.')
  await look('incident-monitoring-edited', path)
  await incident.say('resolved', 'Reads are as quick as before.')
  await states.check()
  await look('status-resolved')
  await look('incident-resolved', path)
  await incident.explain(
    '## What happened\n\nAn index was rebuilt at noon, and reads waited for it.\n\n## What we do\n\n1. Indexes are built beside the old ones.\n2. The check reads by that index too.\n\n| Minute | What |\n|---|---|\n| 12:00 | Rebuild began |\n| 12:55 | Reads as before |\n\n> `REINDEX CONCURRENTLY` from now on.',
  )
  await states.check()
  await look('incident-post-mortem', path)
  await look('incident-not-found', paths.statusIncident('00000000-0000-4000-8000-000000000000'))
})

test('maintenance announced, going on and over', async () => {
  const work = await states.tell({
    kind: 'maintenance',
    title: 'A newer database',
    text: 'Reads answer throughout. Writes are refused for some minutes.',
    components: { api: 'under_maintenance', mcp: 'under_maintenance' },
    ...{ startsInHours: 26, hours: 2 },
  })
  await states.check()
  await look('status-maintenance-scheduled')
  await look('incident-maintenance-scheduled', paths.statusIncident(work.id))
  studio.services.advance(26 * 3_600_000)
  await studio.services.status.tick(studio.services.clock())
  await states.check()
  await look('status-maintenance-running')
  await look('incident-maintenance-running', paths.statusIncident(work.id))
  await work.say('completed', 'The newer database answers.')
  await states.check()
  await look('status-maintenance-over')
})

test('many incidents, long words and other alphabets', async () => {
  for (let count = 1; count <= 14; count++) {
    const past = await states.tell({
      title: `Exports are late, number ${count}`,
      text: 'Exports wait longer than usual.',
      components: { fhir: 'as_checked' },
    })
    await past.say('resolved', 'Exports finish as usual.')
  }
  await states.tell({
    title:
      'Überlast: 検索が遅い · البحث بطيء · Ärzte warten 🐌, and a title as long as one may be, one hundred and twenty letters',
    text: `${'Searches by family name wait for a lock that an import holds, and those that wait longest are refused. '.repeat(9)}A_word_without_a_space_${'x'.repeat(40)}`.slice(
      0,
      1_000,
    ),
    components: { fhir: 'partial_outage', smart: 'degraded', api: 'degraded', mcp: 'as_checked' },
  })
  const second = await states.tell({
    title: 'Sign-in fails for some',
    text: 'One of two servers refuses.',
    components: { smart: 'major_outage' },
  })
  await second.say('identified', 'A certificate has run out.')
  await states.check()
  await look('status-many')
  await look('status-history-many', paths.statusHistory)
})

test('a practice is looked up', async () => {
  const { services } = studio
  await services.prisma.practice.createMany({
    data: [
      { slug: 'samplewood', name: 'Samplewood Family Practice', state: 'active' as const },
      { slug: 'closed-office', name: 'Closed Office', state: 'suspended' as const },
    ].map((row) => ({
      ...row,
      ...{ purpose: 'office' as const, environment: 'production' as const, fhirEnabled: true },
      ...{ inDirectory: false, datasetId: 1, createdAt: services.clock() },
    })),
  })
  const ask = (id: string) => `${paths.status}?practice=${encodeURIComponent(id)}#look-up`
  await states.check()
  await look('look-up-found', ask('samplewood'))
  await look('look-up-suspended', ask('closed-office'))
  await look('look-up-not-found', ask('samplewod'))
  await look('look-up-invalid', ask('x'.repeat(200)))
  await states.check({}, 'degraded')
  await look('look-up-degraded', ask('samplewood'))
  await states.check({}, 'down')
  await look('look-up-down', ask('samplewood'))
  await states.check()
  services.advance(31_000)
  for (let count = 0; count < 8; count++) await page.goto(ask(`nobody-${count}`))
  await expect(page.getByText('Too many requests').count()).resolves.toBe(1)
  await studio.shoot(page, 'look-up-limited')
})

test('mails are asked for, confirmed, changed and ended', async () => {
  const { services } = studio
  const reader = 'reader@samplewood.example'
  await look('subscribe', paths.subscribeToStatus)
  await page.getByLabel('Email address').fill('nobody')
  await page.getByRole('button', { name: 'Send link' }).click()
  await studio.shoot(page, 'subscribe-fault')
  await page.getByLabel('Email address').fill(reader)
  await page.getByRole('button', { name: 'Send link' }).click()
  await studio.shoot(page, 'subscribe-sent')
  const confirm = `${paths.confirmSubscription(await tokenMailedTo(services, reader))}`
  await look('subscription-confirm', confirm)
  await page.getByRole('button', { name: 'Confirm subscription' }).click()
  await studio.shoot(page, 'subscription-managed')
  const managed = page.url()
  await page.getByRole('button', { name: 'Save' }).click()
  await studio.shoot(page, 'subscription-saved')
  await look('subscription-confirmed-twice', confirm)
  await page.goto(managed)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await studio.shoot(page, 'subscription-ended')
  await look('subscription-ended-twice', managed)
  await page.goto(paths.subscribeToStatus)
  await page.getByLabel('Email address').fill(reader)
  await page.getByRole('button', { name: 'Send link' }).click()
  const late = paths.confirmSubscription(await tokenMailedTo(services, reader))
  services.advance(7 * 86_400_000)
  await look('subscription-expired', late)
  await look('subscription-unknown', paths.confirmSubscription('nothing'))
  for (let count = 0; count < 12; count++) {
    await page.goto(paths.subscribeToStatus)
    await page.getByLabel('Email address').fill(reader)
    await page.getByRole('button', { name: 'Send link' }).click()
  }
  await studio.shoot(page, 'subscribe-limited')
})

test('our own database is away', async () => {
  const { services } = studio
  await states.check()
  const gate = await openDatabaseGate(services.database.appUrl)
  const server = createServices({
    env: services.env,
    log: services.log,
    appUrl: gate.url,
    clock: services.clock,
  })
  const origin = await studio.serveAlso(server)
  await page.goto(origin + paths.status)
  await gate.shut()
  await look('outage', origin + paths.status)
  await look('outage-look-up', `${origin}${paths.status}?practice=never-asked#look-up`)
  await look('outage-history', origin + paths.statusHistory)
  await look('outage-subscribe', origin + paths.subscribeToStatus)
  const late = createServices({
    env: services.env,
    log: services.log,
    appUrl: gate.url,
    clock: services.clock,
  })
  await look('outage-from-the-start', (await studio.serveAlso(late)) + paths.status)
  await late.close()
  await server.close()
  await gate.close()
})
