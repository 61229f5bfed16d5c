/** Alerts through the log: raised once, told to the admins, in their inbox until one of them checks it. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { alertForms, alertRuleIds, alertRules } from '../../contract/portal/access-alerts.ts'
import { firstPage } from '../../contract/portal/paging.ts'

const support = productionKeySupport(() => services)
type Scene = Awaited<ReturnType<typeof support.working>>
let scene: Scene

const services = await registrationServices({ template: 'schema' })

/** A key that made 100 calls a day from one network, at 10:00 in Denver, for four weeks. */
beforeEach(async () => {
  scene = await support.working()
  const { id: keyId } = await keyOf(scene)
  const today = services.clock().toISOString().slice(0, 10)
  await services.pool.query(
    `INSERT INTO log.activity (at, door, environment, key_id, practice_id, method, route, status, ip, correlation_id,
       duration_ms, count)
     SELECT $3::date::timestamptz - make_interval(days => d) + interval '17 hours', 'rest', 'production', $1, $2, 'GET',
       '/patients', 200, '203.0.113.9', gen_random_uuid(), 1, 100 FROM generate_series(1, 28) d`,
    [keyId, scene.office.practiceId, today],
  )
  await services.prisma.accessCounted.deleteMany()
  await services.accessUse.keepDays()
})

const keyOf = ({ requestId }: Scene) =>
  services.prisma.apiKey.findFirstOrThrow({ where: { productionRequestId: requestId } })

/** Today, from elsewhere. */
async function abuse(calls = 1_000, { ip = '198.51.100.7', fromBrowser = true } = {}) {
  const { id: keyId } = await keyOf(scene)
  await services.pool.query(
    `INSERT INTO log.activity (at, door, environment, key_id, practice_id, method, route, status, ip, correlation_id,
       duration_ms, count, from_browser) VALUES ($1, 'rest', 'production', $2, $3, 'GET', '/patients', 200, $4,
       gen_random_uuid(), 1, $5, $6)`,
    [services.clock(), keyId, scene.office.practiceId, ip, calls, fromBrowser],
  )
}

const admin = () => scene.office.admin.fresh()
const list = () => services.accessAlerts.list({ practiceId: scene.office.practiceId }, admin())
const mailsTo = (toAddress: string) =>
  services.prisma.outboxMail.count({ where: { toAddress, template: 'access-alerts' } })
const inbox = async (who: ReturnType<typeof admin>) =>
  (await services.inbox.list({ ask: firstPage }, who)).rows.filter(({ kind }) => kind === 'access_alert')

test('normal use raises nothing; an abuse is raised once, however often and from how many processes it is looked for', async () => {
  await services.accessAlerts.raiseAlerts()
  expect((await list()).rows).toEqual([])
  await abuse()
  const counts = await Promise.all([1, 2, 3].map(() => services.accessAlerts.raiseAlerts()))
  expect(counts.reduce((sum, count) => sum + count)).toBe(3)
  await abuse(50)
  expect(await services.accessAlerts.raiseAlerts()).toBe(0)
  const { rows } = await list()
  expect(rows.map(({ rule }) => rule).sort()).toEqual(['browser', 'new_network', 'volume'])
  for (const row of rows) {
    expect(row).toMatchObject({ kind: 'key', subjectId: scene.requestId, name: 'Nightly import' })
    expect(row.explanation).toContain('30 days before')
  }
  expect(rows.find(({ rule }) => rule === 'volume')?.explanation).toMatch(/^1,000 calls\. Usual: 100,/)
  expect(rows.find(({ rule }) => rule === 'new_network')?.explanation).toContain(
    '198.51.100.0/24 (calls: 1,000)',
  )
})

test('the admins get one email and see it in the inbox until one of them checks it', async () => {
  const second = await support.practicePerson(scene.office.practiceId, 'admin', 'Vera Placeholder')
  await abuse()
  await services.accessAlerts.raiseAlerts()
  for (const { email } of [scene.office.admin, second]) expect(await mailsTo(email)).toBe(1)
  for (const { email } of [scene.office.signatory, scene.owner]) expect(await mailsTo(email)).toBe(0)
  expect(await inbox(second.fresh())).toHaveLength(3)
  expect(await inbox(scene.office.signatory.fresh())).toEqual([])

  const { practiceId } = scene.office
  const [entry] = await inbox(admin())
  expect(entry?.title).toBe('Check the alert about “Nightly import”.')
  const alertId = entry?.id ?? ''
  await Promise.all(
    [admin(), second.fresh()].map((who) => services.accessAlerts.acknowledge({ practiceId, alertId }, who)),
  )
  expect(await inbox(second.fresh())).toHaveLength(2)
  expect(await services.prisma.auditEvent.count({ where: { subjectId: alertId } })).toBe(1)
  expect((await list()).rows.find(({ id }) => id === alertId)?.checkedBy).toMatch(/Placeholder$/)
})

test('only admins of the practice list, check and set alerts', async () => {
  await abuse()
  await services.accessAlerts.raiseAlerts()
  const { practiceId, signatory } = scene.office
  const alertId = (await list()).rows[0]?.id ?? ''
  const other = await support.office()
  const { accessAlerts } = services
  const input = { practiceId, ...settings(0) }
  for (const [who, kind] of [
    [signatory, 'forbidden'],
    [other.admin, 'not_found'],
    [scene.owner, 'not_found'],
  ] as const)
    expect(
      await Promise.all(
        [
          accessAlerts.list({ practiceId }, who.fresh()),
          accessAlerts.acknowledge({ practiceId, alertId }, who.fresh()),
          accessAlerts.readSettings(practiceId, who.fresh()),
          accessAlerts.saveSettings(input, who.fresh()),
        ].map(kindOfProblem),
      ),
    ).toEqual(Array(4).fill(kind))
  const theirs = { practiceId: other.practiceId, alertId }
  expect(await kindOfProblem(accessAlerts.acknowledge(theirs, other.admin.fresh()))).toBe('not_found')
  for (const wrong of ['\0', 'x', randomUUID()])
    expect(await kindOfProblem(accessAlerts.acknowledge({ practiceId, alertId: wrong }, admin()))).toBe(
      'not_found',
    )
  const stale = { ...admin(), authenticatedAt: new Date(0) }
  expect(await kindOfProblem(accessAlerts.saveSettings(input, stale))).toBe('forbidden')
})

type Settings = ReturnType<typeof alertForms.settings.parse>
const settings = (version: number, changes: object = {}): Settings =>
  alertForms.settings.parse({
    ...Object.fromEntries(alertRuleIds.map((id) => [`threshold_${id}`, alertRules[id].threshold])),
    ...{
      version,
      alertsOn: alertRuleIds,
      byEmail: 'on',
      opens: 7,
      closes: 19,
      officeDays: ['1', '2'],
      timeZone: 'UTC',
    },
    ...changes,
  })

test('a practice turns rules and emails off and raises a limit; a version is used once', async () => {
  const { practiceId } = scene.office
  const save = (version: number, changes: object) =>
    services.accessAlerts.saveSettings({ practiceId, ...settings(version, changes) }, admin())
  const changes = { alertsOn: ['volume', 'browser'], byEmail: undefined, threshold_browser: '2000' }
  const results = await Promise.all([1, 2].map(() => kindOfProblem(save(0, changes))))
  expect(results.filter((kind) => kind === 'conflict')).toHaveLength(1)
  expect(await services.accessAlerts.readSettings(practiceId, admin())).toMatchObject({
    ...{ version: 1, byEmail: false, days: [1, 2], zone: 'UTC' },
    rules: { volume: { on: true }, new_network: { on: false }, browser: { on: true, threshold: 2_000 } },
  })
  await abuse()
  await services.accessAlerts.raiseAlerts()
  expect((await list()).rows.map(({ rule }) => rule)).toEqual(['volume'])
  expect(await mailsTo(scene.office.admin.email)).toBe(0)
  for (const wrong of [
    { closes: 7 },
    { threshold_volume: 0 },
    { threshold_volume: 'x' },
    { officeDays: ['7'] },
    { alertsOn: ['none'] },
  ])
    expect(() => settings(1, wrong), JSON.stringify(wrong)).toThrow()
})
