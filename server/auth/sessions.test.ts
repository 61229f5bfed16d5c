import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { addAccount } from '../../tests/support/people.ts'
import { limits } from '../contract/http/limits.ts'
import { isProblem } from '../contract/http/problems.ts'
import { type Realm, realmNames } from '../contract/portal/realms.ts'
import { hashSessionId } from './session-adapter.ts'
import { createSessions } from './sessions.ts'

const HOUR = 3_600_000
/** Far from the machine's own time, so that nothing can follow that by accident. */
const start = new Date('2031-03-04T23:59:30.000Z')
let now = start
const clock = () => now

const database = await testDatabase('schema')

function sessionsAt(origin: string) {
  return createSessions({ prisma: database.prisma, clock, env: { PUBLIC_ORIGIN: origin } })
}

async function makeAccount(realm: Realm = 'developer'): Promise<string> {
  return (await addAccount({ prisma: database.prisma, clock }, realm)).id
}

const from = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 Firefox/140.0' }
const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''
const withCookie = (cookie: string) => new Request('https://portal.example/', { headers: { cookie } })

async function signIn(realm: Realm = 'developer', accountId?: string) {
  now = start
  const sessions = sessionsAt('https://portal.example')
  const owner = accountId ?? (await makeAccount(realm))
  const { session, cookie } = await sessions.start({ accountId: owner, realm, ...from })
  return { sessions, session, cookie, accountId: owner, request: withCookie(pairOf(cookie)) }
}

describe('the cookie', () => {
  test('is locked to the host over https, and plain only where there is no https', async () => {
    const { cookie } = await signIn()
    const plain = await sessionsAt('http://localhost:3000').start({
      accountId: await makeAccount(),
      realm: 'developer',
      ...from,
    })

    expect(cookie).toMatch(
      /^__Host-sandpiper-developer=[a-z2-7]{52}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax; Secure$/,
    )
    expect(plain.cookie).toMatch(
      /^sandpiper-developer=[a-z2-7]{52}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax$/,
    )
  })

  test('never stands in the database, and what may be shown is not the cookie', async () => {
    const { session, cookie } = await signIn()
    const id = pairOf(cookie).split('=')[1] ?? ''
    const row = await database.prisma.session.findUniqueOrThrow({ where: { id: session.id } })

    expect(row.idHash).toBe(hashSessionId(id))
    expect(JSON.stringify(row)).not.toContain(id)
    expect(JSON.stringify(session)).not.toContain(id)
  })

  test.each([
    '',
    'a=b',
    '__Host-sandpiper-developer=',
    '__Host-sandpiper-developer=%E0%A4%A',
    `__Host-sandpiper-developer=${'a'.repeat(52)}`,
    '=;;%',
  ])('%j opens nothing and breaks nothing', async (cookie) => {
    const { sessions } = await signIn()

    expect(await sessions.read(withCookie(cookie), 'developer')).toBeNull()
  })
})

describe('a session', () => {
  test('of one realm opens no other', async () => {
    const { sessions, cookie } = await signIn('developer')
    const value = pairOf(cookie).split('=')[1]

    for (const realm of realmNames) {
      const found = await sessions.read(withCookie(`__Host-sandpiper-${realm}=${value}`), realm)
      expect(found === null, realm).toBe(realm !== 'developer')
    }
  })

  test.each([
    ['developer', 30 * 24],
    ['staff', 12],
    ['practice', 12],
    ['patient', 12],
  ] as const)('of a %s ends %i hours after sign-in, however much it is used', async (realm, hours) => {
    const { sessions, request } = await signIn(realm)

    for (const part of [0.4, 0.6, 0.9]) {
      now = new Date(start.getTime() + hours * HOUR * part)
      expect(await sessions.read(request, realm)).not.toBeNull()
    }
    now = new Date(start.getTime() + hours * HOUR - 1_000)
    expect(await sessions.read(request, realm)).not.toBeNull()
    now = new Date(start.getTime() + hours * HOUR + 1_000)
    expect(await sessions.read(request, realm)).toBeNull()
  })

  test('notes a visit at most once a minute', async () => {
    const { sessions, request, session } = await signIn()
    const seen = async () =>
      (await database.prisma.session.findUniqueOrThrow({ where: { id: session.id } })).lastSeenAt

    now = new Date(start.getTime() + 59_000)
    await sessions.read(request, 'developer')
    expect(await seen()).toEqual(start)
    now = new Date(start.getTime() + 61_000)
    await sessions.read(request, 'developer')
    expect(await seen()).toEqual(now)
  })

  test('of a disabled account is over on its next use', async () => {
    const { sessions, request, session, accountId } = await signIn()
    await database.prisma.account.update({ where: { id: accountId }, data: { disabledAt: now } })

    expect(await sessions.read(request, 'developer')).toBeNull()
    expect(await database.prisma.session.count({ where: { id: session.id } })).toBe(0)
  })

  test('goes on under a new id after step-up, with its old end', async () => {
    const { sessions, request, session } = await signIn()
    now = new Date(start.getTime() + 11 * 60_000)
    expect(sessions.isStepUpFresh(session)).toBe(false)

    const { cookie } = await sessions.renewAfterStepUp(session)

    expect(await sessions.read(request, 'developer')).toBeNull()
    const renewed = await sessions.read(withCookie(pairOf(cookie)), 'developer')
    expect(renewed?.session).toMatchObject({
      id: session.id,
      authenticatedAt: now,
      expiresAt: session.expiresAt,
    })
    expect(renewed && sessions.isStepUpFresh(renewed.session)).toBe(true)
  })

  test('that ended cannot be renewed', async () => {
    const { sessions, session } = await signIn()
    await sessions.endOne({ accountId: session.accountId, sessionId: session.id })

    const refused = await sessions.renewAfterStepUp(session).catch((error: unknown) => error)

    expect(isProblem(refused) && refused.kind).toBe('unauthorized')
  })

  test('signed out is gone, and the cookie with it', async () => {
    const { sessions, session, request } = await signIn()

    expect(await sessions.endOne({ accountId: session.accountId, sessionId: session.id })).toBe(true)

    expect(sessions.blankCookie('developer')).toMatch(/^__Host-sandpiper-developer=; .*Max-Age=0/)
    expect(await sessions.read(request, 'developer')).toBeNull()
  })
})

describe('the list of sessions', () => {
  test('shows the live ones, and ends one, or all but one, of the own account only', async () => {
    const first = await signIn()
    const { sessions, accountId } = first
    const second = await sessions.start({ accountId, realm: 'developer', ...from })
    const third = await sessions.start({ accountId, realm: 'developer', ...from })
    const stranger = await signIn()

    expect(await sessions.listForAccount(accountId)).toHaveLength(3)
    expect(await sessions.endOne({ accountId, sessionId: stranger.session.id })).toBe(false)
    expect(await sessions.endOne({ accountId, sessionId: second.session.id })).toBe(true)
    expect(await sessions.endOne({ accountId, sessionId: second.session.id })).toBe(false)
    expect(await sessions.endOne({ accountId, sessionId: 'not-an-id\0' })).toBe(false)
    expect(await sessions.endOthers({ accountId, keepSessionId: third.session.id })).toBe(1)
    expect((await sessions.listForAccount(accountId)).map(({ id }) => id)).toEqual([third.session.id])
    expect(await sessions.read(first.request, 'developer')).toBeNull()
    expect(await sessions.read(stranger.request, 'developer')).not.toBeNull()
  })

  test('forgets what is over', async () => {
    const { sessions, accountId } = await signIn()
    now = new Date(start.getTime() + 31 * 24 * HOUR)

    expect(await sessions.listForAccount(accountId)).toEqual([])
    expect(await sessions.deleteExpired(now)).toBeGreaterThan(0)
    expect(await database.prisma.session.count({ where: { accountId } })).toBe(0)
  })
})

test('an account has at most so many sessions in a realm: a further sign-in ends the one used longest ago', async () => {
  const owner = await makeAccount()
  const stranger = await signIn()
  const sessions = sessionsAt('https://portal.example')
  const started: string[] = []
  for (let count = 0; count <= limits.sessionsPerAccountMax; count++) {
    now = new Date(start.getTime() + count * 1_000)
    started.push((await sessions.start({ accountId: owner, realm: 'developer', ...from })).session.id)
  }

  const live = (await sessions.listForAccount(owner)).map(({ id }) => id)
  expect(live).toEqual(started.slice(1).toReversed())
  expect(await sessions.isLive(started[0] ?? '')).toBe(false)
  expect(await sessions.isLive(started[1] ?? '')).toBe(true)
  expect(await sessions.isLive(stranger.session.id)).toBe(true)
})
