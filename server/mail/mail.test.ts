import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testServices } from '../../tests/support/services.ts'
import { startSmtp, type TestSmtp } from '../../tests/support/smtp.ts'
import { createKeyring } from '../keyring.ts'
import { createMail } from './mail.ts'
import type { EnqueuedMail } from './outbox.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const token = 'S'.repeat(43)
let smtp: TestSmtp

smtp = await startSmtp()
const services = await testServices({ template: 'schema', environment: { SMTP_URL: smtp.url } })

afterAll(() => smtp.stop())

beforeEach(() => {
  smtp.received.length = 0
  smtp.behave('accept')
})

afterEach(() => services.prisma.outboxMail.deleteMany())

const to = 'robin@samplewood.example'

async function write(changes: Partial<EnqueuedMail<'verify-email'>> = {}): Promise<string> {
  const id = changes.id ?? randomUUID()
  await services.prisma.$transaction((tx) =>
    services.mail.enqueue(tx, {
      template: 'verify-email',
      to,
      props: { name: 'Robin Testwell', expiresAt: '2026-11-21T17:00:00.000Z' },
      links: { verifyUrl: `/verify-email#token=${token}` },
      ...changes,
      id,
    }),
  )
  return id
}

const find = (id: string) => services.prisma.outboxMail.findUniqueOrThrow({ where: { id } })
const deliver = (id: string, workerId = 'pool-a') => services.mail.deliver(id, { workerId })

async function jobsFor(id: string): Promise<{ delaySeconds: number }[]> {
  const { rows } = await services.database.ownerPool.query(
    `SELECT round(extract(epoch FROM run_at - now()))::int AS "delaySeconds" FROM graphile_worker._private_jobs WHERE key = $1`,
    [`mail:${id}`],
  )
  return rows
}

describe('a mail', () => {
  test('leaves once, in two forms, with its link, and the link is erased', async () => {
    const id = await write({ correlationId: 'corr-1' })
    expect((await find(id)).sealedLinks).not.toBeNull()

    expect(await deliver(id)).toBe('sent')
    expect(await deliver(id)).toBe('gone')

    expect(smtp.received).toHaveLength(1)
    const [mail] = smtp.received
    expect(mail).toMatchObject({
      subject: 'Confirm your email address',
      messageId: `<${id}@portal.example>`,
      from: { address: 'no-reply@portal.example' },
      to: [{ address: to }],
    })
    const url = `https://portal.example/verify-email#token=${token}`
    expect(mail?.text).toContain(url)
    expect(mail?.html).toContain(url)
    expect(mail?.text).toContain('corr-1')
    expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
    expect(await find(id)).toMatchObject({ state: 'sent', sealedLinks: null, attempts: 1, lastError: null })
  })

  test('is written with the change it tells about, or not at all', async () => {
    const id = randomUUID()
    const failing = services.prisma.$transaction(async (tx) => {
      await services.mail.enqueue(tx, { template: 'welcome', to, props: { name: 'Robin' }, id })
      throw new Error('the change failed')
    })

    await expect(failing).rejects.toThrow('the change failed')
    expect(await services.prisma.outboxMail.count({ where: { id } })).toBe(0)
    expect(await jobsFor(id)).toEqual([])
  })

  test('of one id is written once, with one job', async () => {
    const id = await write()
    await write({ id })

    expect(await jobsFor(id)).toHaveLength(1)
  })

  test('whose props do not fit its template is a fault of the caller', async () => {
    const wrong = { template: 'welcome', to, props: { name: '' } } as const

    await expect(services.prisma.$transaction((tx) => services.mail.enqueue(tx, wrong))).rejects.toThrow()
  })

  test('keeps its tokens sealed: the database does not hold them in the clear', async () => {
    const id = await write()
    const { rows } = await services.database.ownerPool.query(
      'SELECT m::text AS line FROM portal.outbox_mail m WHERE id = $1',
      [id],
    )
    const { rows: jobs } = await services.database.ownerPool.query(
      'SELECT j::text AS line FROM graphile_worker._private_jobs j',
    )

    expect(rows[0].line).not.toContain(token)
    expect(rows[0].line).not.toContain(Buffer.from(token).toString('hex'))
    expect(jobs.map(({ line }) => line).join()).not.toContain(token)
  })

  test('of a thread refers to one root, and has a Message-ID of its own', async () => {
    for (const name of ['one', 'two'])
      await deliver(
        await write({ threadId: 'request-7', props: { name, expiresAt: '2026-11-21T17:00:00.000Z' } }),
      )

    const [first, second] = smtp.received
    expect(first?.messageId).not.toBe(second?.messageId)
    expect([first?.references, second?.references]).toEqual([
      '<thread.request-7@portal.example>',
      '<thread.request-7@portal.example>',
    ])
  })

  test('keeps every letter of a name, and no name becomes a header or a second recipient', async () => {
    const name = 'Zoë 試 <b>O’Samplewood</b>'
    await deliver(
      await write({ props: { name, expiresAt: '2026-11-21T17:00:00.000Z' }, to: 'a"b,c@samplewood.example' }),
    )

    const [mail] = smtp.received
    expect(mail?.text).toContain(`Hello ${name}`)
    expect(mail?.html).toContain('&lt;b&gt;')
    expect(mail?.to).toHaveLength(1)
  })
})

describe('two workers', () => {
  test('send one mail once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => write()))

    const outcomes = await Promise.all(ids.flatMap((id) => [deliver(id, 'pool-a'), deliver(id, 'pool-b')]))

    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(8)
    expect(smtp.received).toHaveLength(8)
  })

  test('leave a mail to the one that is sending it while that one lives, and take it over when it is gone', async () => {
    const id = await write()
    const alive = new pg.Client({ connectionString: services.appUrl })
    await alive.connect()
    await alive.query("SELECT pg_advisory_lock(hashtextextended('sandpiper worker pool-a', 0))")
    await services.prisma.outboxMail.update({
      where: { id },
      data: { state: 'sending', attempts: 1, sendingAt: services.clock(), sendingBy: 'pool-a' },
    })

    expect(await deliver(id, 'pool-b')).toBe('busy')
    expect(await jobsFor(id)).toEqual([{ delaySeconds: 45 }])
    services.advance(46_000)
    expect(await deliver(id, 'pool-b')).toBe('busy')
    await alive.end()
    expect(await deliver(id, 'pool-b')).toBe('sent')
    expect(smtp.received).toHaveLength(1)
    expect(await find(id)).toMatchObject({ state: 'sent', attempts: 2, sendingBy: 'pool-b' })
  })

  test('that believes itself the sender after another took over does not disturb what the other noted', async () => {
    const id = await write()
    await services.prisma.outboxMail.update({
      where: { id },
      data: {
        state: 'sending',
        attempts: 1,
        sendingAt: new Date(services.clock().getTime() - MINUTE),
        sendingBy: 'pool-gone',
      },
    })

    expect(await deliver(id, 'pool-b')).toBe('sent')

    const late = await services.prisma.outboxMail.updateMany({
      where: { id, attempts: 1, state: 'sending' },
      data: { state: 'waiting' },
    })
    expect(late.count).toBe(0)
    expect(await find(id)).toMatchObject({ state: 'sent' })
  })
})

describe('when the mail server', () => {
  test('is down, the mail waits, ops see it, and it leaves once the server is back', async () => {
    const port = Number(new URL(smtp.url).port)
    await smtp.stop()
    const id = await write()

    expect(await deliver(id)).toBe('put_back')
    expect(await find(id)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: expect.stringContaining('ESOCKET'),
    })
    expect(await services.mail.oldestWaitingAt()).toEqual(expect.any(Date))
    expect(await jobsFor(id)).toEqual([{ delaySeconds: 5 }])

    smtp = await startSmtp(port)
    expect(await deliver(id)).toBe('sent')
    expect(smtp.received).toHaveLength(1)
    expect(await services.mail.oldestWaitingAt()).toBeNull()
  })

  test('takes a mail but its answer is lost, it leaves again under the same Message-ID', async () => {
    const id = await write()
    smtp.behave('take and hang up')

    expect(await deliver(id)).toBe('put_back')
    smtp.behave('accept')
    expect(await deliver(id)).toBe('sent')

    expect(smtp.received.map(({ messageId }) => messageId)).toEqual([
      `<${id}@portal.example>`,
      `<${id}@portal.example>`,
    ])
  })

  test.each([
    ['asks to come back later', 450, 'RCPT', 'put_back', 'waiting'],
    ['is out of room', 452, 'DATA', 'put_back', 'waiting'],
    ['knows no such person', 550, 'RCPT', 'failed', 'failed'],
    ['does not like the mail', 554, 'DATA', 'failed', 'failed'],
  ] as const)('%s (%i), the mail is %s', async (_, refuseWith, at, outcome, state) => {
    const id = await write()
    smtp.behave({ refuseWith, at })

    expect(await deliver(id)).toBe(outcome)

    const row = await find(id)
    expect(row).toMatchObject({ state, lastError: expect.stringContaining(String(refuseWith)) })
    expect(row.sealedLinks).not.toBeNull()
    expect(row.lastError).not.toContain(token)
  })

  test('stays away, attempts grow rarer and end after two days', async () => {
    const id = await write()
    smtp.behave({ refuseWith: 450, at: 'RCPT' })
    const delays: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      await deliver(id)
      delays.push((await jobsFor(id))[0]?.delaySeconds ?? -1)
    }

    expect(delays).toEqual([5, 15, 45, 120, 300, 600, 600])
    services.advance(49 * HOUR)
    await deliver(id)
    expect(await find(id)).toMatchObject({ state: 'failed', sealedLinks: expect.anything() })
    expect(await services.mail.oldestWaitingAt()).toBeNull()
  })
})

test('an email whose link another key sealed waits for that key, and then leaves with its link', async () => {
  const id = await write()
  const { env, log, clock, prisma, jobs } = services
  const keyring = createKeyring(`other:${Buffer.alloc(32, 9).toString('base64')}`)
  const wrong = createMail({ env, log, clock, prisma, jobs, keyring })

  expect(await wrong.deliver(id, { workerId: 'pool-b' })).toBe('put_back')

  expect((await find(id)).lastError).toBe('sealed with key test, which the keyring does not hold')
  expect(await deliver(id)).toBe('sent')
  expect(smtp.received[0]?.text).toContain(`/verify-email#token=${token}`)
})

describe('the guard', () => {
  const key = `svc_t${'4Kx9Qa2'}${'k'.repeat(33)}${'0aZ9bY'}`

  test.each([
    ['an API key', key],
    ['the public part of an API key', key.slice(0, 12)],
    ['a signed token', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyb2JpbiJ9.c2lnbmF0dXJl'],
    ['a private key', '-----BEGIN PRIVATE KEY-----'],
  ])('stops a mail that holds %s: it stays failed and does not leave', async (_, name) => {
    const id = await write({ props: { name, expiresAt: '2026-11-21T17:00:00.000Z' } })

    expect(await deliver(id)).toBe('failed')

    expect(smtp.received).toEqual([])
    const row = await find(id)
    expect(row).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('SecretInMailError'),
    })
    expect(row.lastError).not.toContain(name)
  })
})

describe('the sweep', () => {
  test('gives a job to mails that are due and lost theirs, and to mails whose sender is gone', async () => {
    const [lost, abandoned, sent] = [await write(), await write(), await write()]
    await deliver(sent)
    await services.prisma.outboxMail.update({
      where: { id: abandoned },
      data: { state: 'sending', attempts: 1, sendingAt: services.clock(), sendingBy: 'pool-gone' },
    })
    await services.database.ownerPool.query('DELETE FROM graphile_worker._private_jobs')

    services.advance(MINUTE)
    expect(await services.mail.sweep(services.clock())).toBe(2)

    expect(await jobsFor(lost)).toHaveLength(1)
    expect(await jobsFor(abandoned)).toHaveLength(1)
    expect(await jobsFor(sent)).toEqual([])
  })

  test('mails are kept thirty days', async () => {
    const [old, waiting] = [await write(), await write()]
    await deliver(old)
    services.advance(31 * 24 * HOUR)

    expect(await services.mail.deleteOld(new Date(services.clock().getTime() - 30 * 24 * HOUR))).toBe(1)

    expect(await services.prisma.outboxMail.findMany({ select: { id: true } })).toEqual([{ id: waiting }])
  })
})
