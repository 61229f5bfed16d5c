import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { type Core, withCore } from '../core.ts'
import { maskEmail } from './mask-email.ts'
import * as verbs from './throttle.ts'
import { networkOf, throttleRules } from './throttle.ts'

let now = new Date('2026-11-20T16:59:59.999Z')

const database = await testDatabase('schema')

const throttle = () => withCore({ prisma: database.prisma, clock: () => now } as unknown as Core, verbs)
const attemptOf = (subject: string = randomUUID()) => [{ rule: 'signIn', subject: [subject] }] as const

describe('the throttle', () => {
  test('admits exactly its number in a window, also when all come at once', async () => {
    const attempt = attemptOf()

    const answers = await Promise.all(Array.from({ length: 25 }, () => throttle().take(attempt)))

    expect(answers.filter((answer) => answer === null)).toHaveLength(throttleRules.signIn.attemptsMax)
  })

  test('says when to come back, and is right about it', async () => {
    const attempt = attemptOf()
    now = new Date('2026-11-20T17:14:30.500Z')
    for (let count = 0; count < 10; count++) await throttle().take(attempt)

    expect(await throttle().take(attempt)).toEqual({ kind: 'throttled', retryAfterSeconds: 30 })
    now = new Date('2026-11-20T17:14:59.999Z')
    expect(await throttle().take(attempt)).toEqual({ kind: 'throttled', retryAfterSeconds: 1 })
    now = new Date('2026-11-20T17:15:00.000Z')
    expect(await throttle().take(attempt)).toBeNull()
  })

  test('an attempt that was given back does not count', async () => {
    const attempt = attemptOf()
    for (let count = 0; count < 20; count++) {
      expect(await throttle().take(attempt)).toBeNull()
      await throttle().giveBack(attempt)
    }
  })

  test('does not say in the database whom it counts', async () => {
    await throttle().take(attemptOf('robin@samplewood.example'))

    const rows = await database.prisma.throttle.findMany()

    expect(JSON.stringify(rows)).not.toContain('robin')
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s belongs to the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test.each([
  ['robin@samplewood.example', 'r…@s….example'],
  ['a@b.example', 'a…@b….example'],
  ['robin@mail.samplewood.example', 'r…@m….example'],
])('%s is shown to strangers as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})
