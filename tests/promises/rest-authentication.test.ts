import { describe, expect, test } from 'vitest'
import { makeKey } from '../../server/contract/keys/key-format.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { masked } from '../support/masked.ts'
import { stopAccess } from '../support/practice-stop.ts'
import { type CallOptions, type RestStack, restStack } from '../support/rest.ts'

const rows = Object.entries<OperationRow>(operations).filter(([, row]) => row.level !== 'none')
const pathOf = ({ path }: OperationRow) => path.replace('{id}', 'pt-wren-testwell')
const dayMs = 86_400_000

/** What every refused caller gets, and the reason that only the owner of the key sees. */
const callers = {
  'without a key': ['no_credential', async () => ({})],
  'with an empty header': ['no_credential', async () => ({ authorization: ' ' })],
  'with another scheme': ['wrong_scheme', async ({ key }) => ({ authorization: `Basic ${key}` })],
  'with the bare key': ['wrong_scheme', async ({ key }) => ({ authorization: key })],
  'with something else as a key': ['malformed_key', async () => ({ key: 'hello' })],
  'with half a key': ['malformed_key', async ({ key }) => ({ key: key.slice(0, 30) })],
  'with a wrong checksum': [
    'wrong_checksum',
    async ({ key }) => ({ key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` }),
  ],
  'with a key that was never issued': [
    'unknown_key',
    async () => ({ key: makeKey('sandbox', (size) => Buffer.alloc(size, 9)) }),
  ],
  'with a known prefix and another secret': [
    'wrong_secret',
    async ({ key }) => {
      // Seven characters of the public id are the first of what is drawn.
      const publicId = [...key.slice(5, 12)].map((letter) => alphabet.indexOf(letter))
      return { key: makeKey('sandbox', (size) => Buffer.from([...publicId, ...Array(size - 7).fill(5)])) }
    },
  ],
  'with a revoked key': ['key_revoked', async ({ issue, now }) => ({ key: await issue({ revokedAt: now }) })],
  'with an expired key': [
    'key_expired',
    async ({ issue, now }) => ({ key: await issue({ expiresAt: now }) }),
  ],
  'with a suspended key': [
    'key_suspended',
    async ({ issue, now }) => ({ key: await issue({ suspendedAt: now }) }),
  ],
  'with a key that the practice stopped': [
    'access_stopped',
    async ({ issueStopped }) => ({ key: await issueStopped() }),
  ],
  'with a key of a suspended practice': [
    'practice_suspended',
    async ({ issue }) => ({
      key: await issue({ practice: 'old-quay', environment: 'production' }),
      base: 'production' as const,
    }),
  ],
  'with a sandbox key at the production base': [
    'wrong_base',
    async ({ key }) => ({ key, base: 'production' as const }),
  ],
  'with a production key at the sandbox base': [
    'wrong_base',
    async ({ issue }) => ({ key: await issue({ practice: 'harbor-family', environment: 'production' }) }),
  ],
  'with a key whose letter does not fit its practice': [
    'wrong_base',
    async ({ issue }) => ({ key: await issue({ practice: 'harbor-family', environment: 'sandbox' }) }),
  ],
} satisfies Record<string, [reason: string, make: (given: Given) => Promise<CallOptions>]>

type Given = {
  key: string
  now: Date
  issue: (options: Parameters<RestStack['issueKey']>[0]) => Promise<string>
  issueStopped: () => Promise<string>
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const unauthorized =
  '{"error":{"code":"unauthorized","message":"The credential is missing, unknown, expired or revoked.","correlationId":"masked"}}'

const stack = await restStack()

async function given(): Promise<Given> {
  const { key } = await stack.issueKey()
  return {
    key,
    now: stack.services.clock(),
    issue: async (options) => (await stack.issueKey(options)).key,
    issueStopped: async () => {
      const { key, id, practiceId } = await stack.issueKey()
      await stopAccess(stack.services, { practiceId, keyId: id })
      return key
    },
  }
}

describe('every caller without a good key gets the same 401', () => {
  test.each(Object.entries(callers))('%s', async (_title, [reason, make]) => {
    const options = await make(await given())
    const ids: string[] = []

    for (const [, row] of rows) {
      const answer = await stack.call(pathOf(row), { ...options, method: row.method })

      expect(answer.status).toBe(401)
      expect(masked(answer.text)).toBe(unauthorized)
      expect(answer.headers.get('www-authenticate')).toBe(
        reason === 'no_credential' || reason === 'wrong_scheme'
          ? 'Bearer realm="sandpiper"'
          : 'Bearer realm="sandpiper", error="invalid_token", error_description="The bearer token is malformed, unknown, expired or revoked."',
      )
      expect(answer.headers.get('ratelimit')).toBeNull()
      expect(answer.headers.get('x-correlation-id')).toBe(answer.body.error.correlationId)
      ids.push(answer.body.error.correlationId)
    }

    expect(await stack.refusalsOf(ids)).toEqual([reason])
  })

  test.each(['/nowhere', '/keys', '/patients?limit=0', '/patients/none'])(
    'whatever it asks for: %s',
    async (path) => {
      const { key } = await stack.issueKey({ revokedAt: stack.services.clock() })

      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const answer = await stack.call(path, { key, method })
        expect(answer.status, method).toBe(401)
        expect(masked(answer.text)).toBe(unauthorized)
      }
    },
  )
})

describe('a key that ends while it is in use', () => {
  const ends = {
    'is revoked': (id: string) =>
      stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } }),
    'is suspended': (id: string) =>
      stack.services.prisma.apiKey.update({ where: { id }, data: { suspendedAt: stack.services.clock() } }),
    expires: (id: string) =>
      stack.services.prisma.apiKey.update({ where: { id }, data: { expiresAt: stack.services.clock() } }),
  }
  const requests: [string, string][] = [
    ['GET', '/context'],
    ['GET', '/patients'],
    ['GET', '/patients/pt-wren-testwell'],
    ['GET', '/patients?limit=0'],
    ['GET', '/nowhere'],
    ['GET', '/keys'],
    ['POST', '/patients'],
    ['DELETE', '/patients'],
    ['OPTIONS', '/patients'],
  ]

  test.each(Object.keys(ends) as (keyof typeof ends)[])(
    'stops on the next request, whatever that is, when it %s',
    async (end) => {
      for (const [method, path] of requests) {
        const { key, id } = await stack.issueKey()
        expect((await stack.call('/context', { key })).status).toBe(200)

        await ends[end](id)

        const answer = await stack.call(path, { key, method })
        expect(answer.status, `${method} ${path}`).toBe(401)
        expect(masked(answer.text)).toBe(unauthorized)
      }
    },
  )

  test('stops although it is over its limit', async () => {
    const { key, id } = await stack.issueKey()
    const answers = await Promise.all(Array.from({ length: 160 }, () => stack.call('/context', { key })))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)

    await ends['is revoked'](id)

    const after = await Promise.all(Array.from({ length: 100 }, () => stack.call('/patients', { key })))
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
  })

  test('stops with its practice', async () => {
    const { key, practiceId } = await stack.issueKey({ practice: 'juniper-point', environment: 'production' })
    expect((await stack.call('/patients', { key, base: 'production' })).status).toBe(200)

    await stack.services.prisma.practice.update({ where: { id: practiceId }, data: { state: 'suspended' } })

    expect((await stack.call('/patients', { key, base: 'production' })).status).toBe(401)
    await stack.services.prisma.practice.update({ where: { id: practiceId }, data: { state: 'active' } })
    expect((await stack.call('/patients', { key, base: 'production' })).status).toBe(200)
  })

  test('follows its practice to another dataset without one refused request', async () => {
    const { key, practiceId } = await stack.issueKey({ practice: 'cedar-hollow', environment: 'production' })
    const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'harbor-family' },
    })
    const before = await stack.call('/patients', { key, base: 'production' })

    await stack.services.prisma.practice.update({ where: { id: practiceId }, data: { datasetId } })
    const after = await stack.call('/patients', { key, base: 'production' })

    expect([before.status, after.status]).toEqual([200, 200])
    expect(after.body.data).not.toEqual(before.body.data)
  })
})

test('the day a key expires it works until its very moment', async () => {
  const { key } = await stack.issueKey({ expiresAt: new Date(stack.services.clock().getTime() + dayMs) })

  stack.services.advance(dayMs - 1)
  expect((await stack.call('/patients', { key })).status).toBe(200)
  stack.services.advance(1)
  expect((await stack.call('/patients', { key })).status).toBe(401)
})
