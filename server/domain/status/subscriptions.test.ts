import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { tokenMailedTo } from '../../../tests/support/mailed.ts'
import { addAccount, signedIn } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { tokenInLink } from '../../contract/portal/paths.ts'
import { type ComponentId, componentIds } from '../../contract/status/components.ts'
import { createKeyring } from '../../keyring.ts'
import type { OutgoingMail } from '../../mail/smtp-transport.ts'

const left: OutgoingMail[] = []
let networks = 0

const services = await testServices({
  template: 'schema',
  mailTransport: { deliver: async (mail) => void left.push(mail), close: () => {} },
})
const opsId = (await addAccount(services, 'staff', { staffRole: 'ops' })).id

beforeEach(async () => {
  services.advance(3_600_000)
  left.length = 0
  for (const table of ['status_subscription', 'outbox_mail', 'status_check', 'status_component'])
    await services.database.ownerPool.query(`DELETE FROM portal.${table}`)
  await services.database.ownerPool.query('DELETE FROM graphile_worker._private_jobs')
})

const context = () => ({
  ip: `198.51.100.${++networks}`,
  userAgent: 'test',
  correlationId: randomUUID(),
})
const address = () => `reader-${randomUUID().slice(0, 8)}@samplewood.example`

async function subscribed(components: ComponentId[] = []): Promise<{ email: string; token: string }> {
  const email = address()
  await services.status.subscribe({ email, components }, context())
  const path = await services.status.confirmSubscription(await tokenMailedTo(services, email))
  return { email, token: tokenInLink(path ?? '') ?? '' }
}

/** Runs what the changes have asked for, twice: a job may run again. */
async function runJobs(): Promise<void> {
  const { rows } = await services.database.ownerPool.query(
    `SELECT payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'tell-subscribers' ORDER BY j.id`,
  )
  for (const { payload } of [...rows, ...rows]) await services.status.tellSubscribers(payload)
}

async function mailed(email: string) {
  const mails = await services.prisma.outboxMail.findMany({
    where: { toAddress: email, template: { not: 'status-confirm' } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return mails.map(({ template, props }) => [template, props as Record<string, unknown>] as const)
}

async function rounds(state: 'operational' | 'down', times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const found = componentIds.map((name) => ({
      name,
      state: name === 'fhir' ? state : ('operational' as const),
      summary: 'As it is.',
    }))
    await services.status.saveChecks(found, services.clock())
    services.advance(30_000)
  }
}

const actor = () => signedIn(() => services, opsId)()

test('nothing is sent before the link was used, and the answer is the same for whoever is known', async () => {
  const email = address()
  const first = await services.status.subscribe({ email, components: ['fhir'] }, context())
  const link = await tokenMailedTo(services, email)
  expect(await services.status.findConfirmation(link)).toEqual({
    kind: 'live',
    email,
    components: ['fhir'],
  })
  await rounds('operational', 2)
  await rounds('down', 2)
  await runJobs()
  expect(await mailed(email)).toEqual([])

  const managed = await services.status.confirmSubscription(link)
  expect(managed).toMatch(/^\/status\/subscription#token=/)
  expect(await services.status.confirmSubscription(link)).toBeNull()
  const again = await services.status.subscribe({ email, components: ['api'] }, context())

  expect(again).toEqual(first)
  // What somebody else typed counts for nothing until its owner says so.
  const token = tokenInLink(managed ?? '') ?? ''
  expect(await services.status.findSubscription(token)).toEqual({
    email,
    components: ['fhir'],
  })
  await services.status.confirmSubscription(await tokenMailedTo(services, email))
  expect(await services.status.findSubscription(token)).toEqual({
    email,
    components: ['api'],
  })
})

test('a turn is told once to those who asked for that component, and its end', async () => {
  const all = await subscribed()
  const fhir = await subscribed(['fhir', 'smart'])
  const api = await subscribed(['api'])
  await rounds('operational', 2)
  await rounds('down', 3)
  await rounds('operational', 2)
  await runJobs()

  for (const { email } of [all, fhir])
    expect((await mailed(email)).map(([name, { from, to }]) => [name, from, to]).toSorted()).toEqual([
      ['status-changed', 'down', 'operational'],
      ['status-changed', 'operational', 'down'],
    ])
  expect(await mailed(api.email)).toEqual([])
})

test('each word on an incident is told once, with the link that ends it in the header', async () => {
  const { email, token } = await subscribed(['mcp'])
  const other = await subscribed(['ai'])
  const id = randomUUID()
  const update = {
    text: 'We look into it.',
    components: { mcp: 'degraded', api: 'as_checked' },
    reason: 'Two have called.',
  } as const
  await services.status.openIncident({ id, kind: 'incident', title: 'Tools are slow', ...update }, actor())
  await services.status.updateIncident({ id, version: 1, stage: 'resolved', ...update }, actor())
  await runJobs()

  expect((await mailed(email)).map(([name, { stage }]) => [name, stage]).toSorted()).toEqual([
    ['status-incident', 'investigating'],
    ['status-incident', 'resolved'],
  ])
  expect(await mailed(other.email)).toEqual([])
  const rows = await services.prisma.outboxMail.findMany({
    where: { toAddress: email, template: 'status-incident' },
    orderBy: { id: 'asc' },
  })
  for (const row of rows) expect(await services.mail.deliver(row.id, { workerId: 'test' })).toBe('sent')
  const header = `https://portal.example/status/subscription?token=${token}`
  expect(left.map(({ unsubscribeUrl }) => unsubscribeUrl)).toEqual([header, header])
  expect(left[0]?.text).toContain(header.replace('?', '#'))
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('it is changed and ended by its link, and nothing is kept of it', async () => {
  const { email, token } = await subscribed()
  expect(await services.status.changeSubscription(token, ['smart'])).toBe(true)
  expect(await services.status.findSubscription(token)).toEqual({
    email,
    components: ['smart'],
  })

  expect(await services.status.endSubscription(token)).toBe(true)

  expect(await services.status.endSubscription(token)).toBe(false)
  expect(await services.status.findSubscription(token)).toBeNull()
  expect(await services.status.changeSubscription(token, [])).toBe(false)
  expect(await services.prisma.statusSubscription.count({ where: { email } })).toBe(0)
})

test('an address, and a network, can have only so many mails asked for', async () => {
  const email = address()
  const ask = (who = context(), to = email) => services.status.subscribe({ email: to, components: [] }, who)
  for (let i = 0; i < 3; i++) expect(await ask()).toEqual({ kind: 'mail_sent' })
  expect(await ask()).toMatchObject({ kind: 'throttled' })
  const one = context()
  const answers = []
  for (let i = 0; i < 31; i++) answers.push(await ask(one, address()))

  expect(answers.filter(({ kind }) => kind === 'throttled')).toHaveLength(1)
})

test('a request that nobody confirmed is forgotten, and what is old is told to nobody', async () => {
  const email = address()
  await services.status.subscribe({ email, components: [] }, context())
  const kept = await subscribed()
  await rounds('operational', 2)
  await rounds('down', 2)
  services.advance(73 * 3_600_000)
  await services.status.forgetOld(services.clock())
  await runJobs()

  expect(await services.prisma.statusSubscription.findMany({ select: { email: true } })).toEqual([
    { email: kept.email },
  ])
  expect(await mailed(kept.email)).toEqual([])
})

test('asked for again, it waits for its answer as long as the newest link lives', async () => {
  const email = address()
  await services.status.subscribe({ email, components: [] }, context())
  services.advance(71 * 3_600_000)
  await services.status.subscribe({ email, components: ['fhir'] }, context())
  services.advance(2 * 3_600_000)
  await services.status.forgetOld(services.clock())

  const link = await tokenMailedTo(services, email)
  expect(await services.status.confirmSubscription(link)).toMatch(/^\/status\/subscription#token=/)
})

test('one whose key is gone keeps nobody from their mail, and is whole again once confirmed anew', async () => {
  const lost = await subscribed()
  const other = await subscribed()
  const sealedToken = createKeyring(`gone:${Buffer.alloc(32, 7).toString('base64')}`).seal(
    Buffer.from('x'),
    'status subscription',
  )
  await services.prisma.statusSubscription.update({ where: { email: lost.email }, data: { sealedToken } })
  await rounds('operational', 2)
  await rounds('down', 2)
  await runJobs()

  expect(await mailed(lost.email)).toEqual([])
  expect(await mailed(other.email)).toHaveLength(1)
  await services.status.subscribe({ email: lost.email, components: ['api'] }, context())
  const path = await services.status.confirmSubscription(await tokenMailedTo(services, lost.email))
  const token = tokenInLink(path ?? '') ?? ''
  expect(await services.status.findSubscription(token)).toEqual({
    email: lost.email,
    components: ['api'],
  })
})
