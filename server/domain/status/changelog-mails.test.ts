/** The changelog by email: asked for twice over, once for each day, also by two processes or after a kill. */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { tokenMailedTo } from '../../../tests/support/mailed.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { changesOf, parseChangelog } from '../../contract/text/changelog.ts'

let services: TestServices
let networks = 0

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
})

beforeEach(async () => {
  services.advance(3_600_000)
  for (const table of ['status_subscription', 'outbox_mail', 'changelog_day'])
    await services.database.ownerPool.query(`DELETE FROM portal.${table}`)
})

const day = (date: string, changes = '- New: a [field](/docs/rest), `sex`.\n- **Changed:** another.') => ({
  date,
  markdown: `REST API.\n\n${changes}`,
})
const context = () => ({ ip: `198.51.100.${++networks}`, userAgent: 'test', correlationId: randomUUID() })
/** The clock of the tests is on 2026-11-20 for the first hours. */
const today = () => services.clock().toISOString().slice(0, 10)
const before = (days: number) =>
  new Date(services.clock().getTime() - days * 86_400_000).toISOString().slice(0, 10)

async function subscribed(
  topic: 'status' | 'changelog',
  email = `reader-${randomUUID().slice(0, 8)}@samplewood.example`,
) {
  await services.status.subscribe({ email, topic }, context())
  const path = await services.status.confirmSubscription(await tokenMailedTo(services, email))
  return { email, token: new URL(path ?? '', 'https://portal.example').searchParams.get('token') ?? '' }
}

const run = (days: Parameters<TestServices['status']['mailChangelog']>[1]) =>
  services.status.mailChangelog(services.clock(), days)

async function mailed(email: string) {
  const mails = await services.prisma.outboxMail.findMany({
    where: { toAddress: email, template: 'changelog-day' },
    orderBy: { createdAt: 'asc' },
  })
  return mails.map(({ props }) => (props as { day: string }).day).toSorted()
}

test('a new installation emails nobody about the past, then each new day once', async () => {
  const reader = await subscribed('changelog')
  const other = await subscribed('status')
  const old = [day(before(3)), day(before(4))]
  expect(await run(old)).toBe(0)

  services.advance(1_000)
  const deployed = [day(before(1)), day(before(2)), ...old]
  await run(deployed)
  await run(deployed)

  expect(await mailed(reader.email)).toEqual([before(2), before(1)])
  expect(await mailed(other.email)).toEqual([])
})

test('a day is mailed when it is over, with all of its lines', async () => {
  const { email } = await subscribed('changelog')
  await run([day(before(2))])
  const date = today()
  await run([day(date, '- New: one.'), day(before(2))])
  expect(await mailed(email)).toEqual([])

  services.advance(86_400_000)
  await run([day(date, '- New: one.\n- New: two.'), day(before(3))])

  const [mail] = await services.prisma.outboxMail.findMany({ where: { template: 'changelog-day' } })
  expect(mail?.props).toEqual({
    day: date,
    changes: [
      { subject: 'REST API', change: 'New: one.' },
      { subject: 'REST API', change: 'New: two.' },
    ],
    more: 0,
  })
})

test('two processes at once mail it once', async () => {
  const readers = await Promise.all([subscribed('changelog'), subscribed('changelog')])
  await run([day(before(2))])
  const deployed = [day(before(1)), day(before(2))]
  await Promise.all([run(deployed), run(deployed), run(deployed)])

  for (const { email } of readers) expect(await mailed(email)).toEqual([before(1)])
})

test('killed halfway, the next run goes on and doubles nothing', async () => {
  const readers = [
    await subscribed('changelog'),
    await subscribed('changelog'),
    await subscribed('changelog'),
  ]
  await run([day(before(2))])
  const deployed = [day(before(1)), day(before(2))]
  await run(deployed)
  // As a process leaves it that died after the first email: the day is open, the others have none.
  const [first] = await services.prisma.outboxMail.findMany({ where: { template: 'changelog-day' } })
  await services.prisma.outboxMail.deleteMany({
    where: { template: 'changelog-day', id: { not: first?.id ?? '' } },
  })
  await services.prisma.changelogDay.updateMany({ where: { day: before(1) }, data: { mailedAt: null } })
  await run(deployed)

  for (const { email } of readers) expect(await mailed(email)).toEqual([before(1)])
})

test('nothing is sent before the link was used, and who confirms later begins with the next day', async () => {
  const email = `late-${randomUUID().slice(0, 8)}@samplewood.example`
  await services.status.subscribe({ email, topic: 'changelog' }, context())
  await run([day(before(2))])
  await run([day(before(1)), day(before(2))])
  expect(await mailed(email)).toEqual([])
  await services.status.confirmSubscription(await tokenMailedTo(services, email))
  await run([day(before(1)), day(before(2))])
  expect(await mailed(email)).toEqual([])
})

test('one address has both topics by one link, chooses among them, and ends all at once', async () => {
  const { email, token } = await subscribed('status')
  await services.status.subscribe({ email, topic: 'changelog' }, context())
  // Nothing changes until the link was used.
  expect((await services.status.findSubscription(token))?.topics).toEqual(['status'])
  await services.status.confirmSubscription(await tokenMailedTo(services, email))
  expect((await services.status.findSubscription(token))?.topics).toEqual(['status', 'changelog'])

  await services.status.changeSubscription(token, [], ['changelog'])
  expect((await services.status.findSubscription(token))?.topics).toEqual(['changelog'])
  await services.status.endSubscription(token)
  expect(await services.prisma.statusSubscription.count()).toBe(0)
})

test('another topic keeps the components that were chosen', async () => {
  const email = `both-${randomUUID().slice(0, 8)}@samplewood.example`
  await services.status.subscribe({ email, components: ['fhir'] }, context())
  await services.status.confirmSubscription(await tokenMailedTo(services, email))
  const { token } = await subscribed('changelog', email)

  expect(await services.status.findSubscription(token)).toEqual({
    email,
    components: ['fhir'],
    topics: ['status', 'changelog'],
  })
})

test('the changelog is read as text, each change under its subject', () => {
  const [first] = parseChangelog(
    '# Changes\n\n## 2026-11-23\n\nREST API.\n\n- New: a [field](/docs/rest), `sex`.\n',
  )

  expect(first?.date).toBe('2026-11-23')
  expect(first && changesOf(first)).toEqual([{ subject: 'REST API', change: 'New: a field, sex.' }])
})

test('the published changelog fits its emails', async () => {
  const { email } = await subscribed('changelog')
  await services.database.ownerPool.query(
    "INSERT INTO portal.changelog_day VALUES ('2026-01-01', now(), now())",
  )
  services.advance(30 * 86_400_000)
  expect(await services.status.mailChangelog(services.clock())).toBeGreaterThan(0)
  expect((await mailed(email)).length).toBeGreaterThan(0)
})
