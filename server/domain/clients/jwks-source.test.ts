import { beforeEach, expect, test } from 'vitest'
import { makeAssertionKey } from '../../../tests/support/assertion.ts'
import { testServices } from '../../../tests/support/services.ts'
import { smartSupport } from '../../../tests/support/smart.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { createJwksSource, type JwksSource } from './jwks-source.ts'

const url = 'https://app.example/jwks.json'
/** What the address answers now, and how often it was asked. */
let answer: { status?: number; headers?: Record<string, string>; body: unknown } | 'unreachable'
let asked = 0
/** Nothing is answered before. */
let opened: Promise<void>
let outbound: Outbound
let source: JwksSource

const services = await testServices()
const { createClient } = smartSupport(services)
const made = await createClient({ scope: 'system/*.rs', jwks: null, jwksUrl: url })
const client = await services.prisma.client.findUniqueOrThrow({ where: { id: made.client.clientId } })
const first: Record<string, unknown> = { ...(await makeAssertionKey('ES384', 'first')).publicJwk }
const second: Record<string, unknown> = { ...(await makeAssertionKey('RS384', 'second')).publicJwk }

beforeEach(async () => {
  await services.prisma.jwksCache.deleteMany()
  asked = 0
  answer = { body: { keys: [first] } }
  opened = Promise.resolve()
  outbound = {
    async get() {
      asked += 1
      await opened
      if (answer === 'unreachable') throw new Problem('unavailable', { detail: 'outbound: ECONNREFUSED' })
      const { status = 200, headers = {}, body } = answer
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return { status, contentType: 'application/json', headers, body: Buffer.from(text) }
    },
  }
  source = createJwksSource({ prisma: services.prisma, clock: services.clock, outbound })
})

const kids = async (kid: string | null) => (await source.keysOf(client, kid)).keys.map((key) => key.kid)

test('keys are fetched once and kept as long as their headers say', async () => {
  answer = { headers: { 'cache-control': 'public, max-age=600' }, body: { keys: [first] } }

  expect(await Promise.all([1, 2, 3].map(() => kids('first')))).toEqual([['first'], ['first'], ['first']])
  services.advance(599_000)
  expect(await kids('first')).toEqual(['first'])
  expect(asked).toBe(1)
  services.advance(1_000)
  expect(await kids('first')).toEqual(['first'])
  expect(asked).toBe(2)
})

test('of two processes that need the same address at the same moment one asks, and both have the keys', async () => {
  const { prisma, clock } = services
  const other = createJwksSource({ prisma, clock, outbound })
  let open = () => {}
  opened = new Promise((resolve) => {
    open = resolve
  })

  const both = [source, other].map((each) => each.keysOf(client, 'first'))
  await expect.poll(() => asked).toBe(1)
  open()

  const answers = await Promise.all(both)
  expect(answers).toEqual([
    { keys: [first], failure: null },
    { keys: [first], failure: null },
  ])
  answer = 'unreachable'
  services.advance(60_000)
  const failed = await Promise.all([source, other].map((each) => each.keysOf(client, 'second')))
  expect(failed.map(({ failure }) => failure)).toEqual(Array(2).fill('The key set URL could not be fetched.'))
  expect(asked).toBe(2)
})

test.each([
  ['no-store', 60],
  ['max-age=0', 60],
  ['max-age=9999999', 86_400],
  ['', 3_600],
])('headers that say “%s” are followed within bounds', async (header, secondsKept) => {
  answer = { headers: { 'cache-control': header }, body: { keys: [first] } }
  await kids('first')
  services.advance((secondsKept - 1) * 1000)
  await kids('first')
  const before = asked
  services.advance(1_000)
  await kids('first')

  expect([before, asked]).toEqual([1, 2])
})

test('an unknown key has the address looked at again, at most once a minute', async () => {
  await kids('first')
  answer = { body: { keys: [first, second] } }

  expect(await kids('second')).toEqual(['first'])
  expect(asked).toBe(1)
  services.advance(60_000)
  expect(await kids('second')).toEqual(['first', 'second'])
  for (let tries = 0; tries < 5; tries++) await kids('third')
  expect(asked).toBe(2)
})

test('an address that fails is not asked again for a minute, and known keys stay good meanwhile', async () => {
  await kids('first')
  services.advance(60_000)
  answer = 'unreachable'

  expect(await source.keysOf(client, 'second')).toMatchObject({
    keys: [{ kid: 'first' }],
    failure: 'The key set URL could not be fetched.',
  })
  expect(await kids('first')).toEqual(['first'])
  await kids('second')
  expect(asked).toBe(2)
})

test.each([
  [{ status: 404, body: '' }, 'The key set URL responded with 404.'],
  [{ body: '<html>' }, 'The key set URL didn’t return a usable JWKS.'],
  [{ body: { keys: 'none' } }, 'The key set URL didn’t return a usable JWKS.'],
])('what is no key set is told to the developers: %j', async (given, failure) => {
  answer = given

  expect(await source.keysOf(client, 'first')).toEqual({ keys: [], failure })
})

test('private keys, weak keys and keys for other uses are never believed', async () => {
  const weak = { kty: 'RSA', kid: 'weak', n: Buffer.alloc(128, 255).toString('base64url'), e: 'AQAB' }
  answer = {
    body: {
      keys: [
        { ...first, d: 'secret', kid: 'leaked' },
        weak,
        { ...first, use: 'enc', kid: 'enc' },
        { kty: 'oct', kid: 'k', k: 'x' },
        first,
      ],
    },
  }

  expect(await kids('first')).toEqual(['first'])
})

test('what the app’s page says about its key set is the last attempt', async () => {
  const shown = () => services.clients.findKeySetFailure(client)
  expect(await shown()).toBeNull()
  answer = 'unreachable'
  await kids('first')

  expect(await shown()).toEqual({ failure: 'The key set URL could not be fetched.', at: services.clock() })
  answer = { body: { keys: [first] } }
  services.advance(61_000)
  await kids('first')
  expect(await shown()).toBeNull()
})
