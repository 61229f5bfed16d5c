import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { checksum } from '../../server/contract/keys/key-format.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { createKeyOwners } from '../support/key-owners.ts'
import { masked } from '../support/masked.ts'
import { addAccount } from '../support/people.ts'
import { type CallOptions, restStack } from '../support/rest.ts'
import { createTeams, type Person } from '../support/team.ts'
import { kindOfProblem } from '../support/visitor.ts'

const hour = 3_600_000
const day = 24 * hour
const teams = createTeams(() => stack.services)
const { ownedKey, staff } = createKeyOwners(() => stack, teams)

const stack = await restStack()

async function rotated(graceHours: number) {
  const old = await ownedKey()
  const answer = await stack.services.keys.rotate({ keyId: old.id, graceHours }, fresh(old.owner))
  if (answer.kind !== 'revealed') throw new Error(answer.kind)
  const row = await stack.services.prisma.apiKey.findUniqueOrThrow({ where: { prefix: answer.prefix } })
  return { old, successor: { ...answer, id: row.id }, owner: old.owner }
}

/** With the password given just now. */
function fresh({ actor }: Person): Actor {
  return { ...actor, authenticatedAt: stack.services.clock() }
}

const status = async (key: string, options: CallOptions = {}) =>
  (await stack.call('/patients?limit=1', { key, ...options })).status

async function mailsOf(template: string, to: Person): Promise<number> {
  return stack.services.prisma.outboxMail.count({ where: { template, toAddress: to.email } })
}

const rowOf = async (keyId: string, { accountId }: Person, organizationId: string) =>
  (await stack.services.keys.list({ organizationId, accountId })).find(({ id }) => id === keyId)

describe('a rotation', () => {
  test('gives a successor of the same reach, and the old key works to the end of its grace', async () => {
    const { old, successor, owner } = await rotated(24)
    const { keys, clock, advance } = stack.services

    expect([await status(old.key), await status(successor.key)]).toEqual([200, 200])
    const context = await stack.call('/context', { key: successor.key })
    expect(context.body.practice).toEqual((await stack.call('/context', { key: old.key })).body.practice)
    expect(await rowOf(old.id, owner, old.organizationId)).toMatchObject({
      state: 'active',
      expiresAt: new Date(clock().getTime() + day),
      successor: { prefix: successor.prefix },
      mayRotate: false,
      mayExtend: false,
    })
    expect(await keys.graceUse({ keyId: old.id, accountId: owner.accountId })).toEqual([
      { ip: '192.0.2.1', lastAt: clock(), calls: 2 },
    ])
    expect(await mailsOf('key-rotated', owner)).toBe(1)

    advance(day)
    expect([await status(old.key), await status(successor.key)]).toEqual([401, 200])
  })

  test('without grace stops the old key at once', async () => {
    const { old, successor } = await rotated(0)

    expect([await status(old.key), await status(successor.key)]).toEqual([401, 200])
  })

  test('is extended to seven days in total and no more, and ended early', async () => {
    const { old, owner } = await rotated(1)
    const { keys, advance, clock } = stack.services
    const rotatedAt = clock().getTime()
    advance(hour / 2)

    const { endsAt } = await keys.changeGrace({ keyId: old.id, graceHours: 168 }, owner.actor)
    expect(endsAt.getTime()).toBe(rotatedAt + 7 * day)
    expect(await kindOfProblem(keys.changeGrace({ keyId: old.id, graceHours: 200 }, owner.actor))).toBe(
      'validation',
    )

    await keys.changeGrace({ keyId: old.id, graceHours: 0 }, owner.actor)
    expect(await status(old.key)).toBe(401)
    expect(await kindOfProblem(keys.changeGrace({ keyId: old.id, graceHours: 24 }, owner.actor))).toBe(
      'conflict',
    )
  })

  test('never lets the old key live beyond its own end', async () => {
    const { clock, keys } = stack.services
    const end = new Date(clock().getTime() + 2 * hour)
    const old = await ownedKey({ expiresAt: end })

    await keys.rotate({ keyId: old.id, graceHours: 24 }, fresh(old.owner))

    expect((await keys.changeGrace({ keyId: old.id, graceHours: 168 }, old.owner.actor)).endsAt).toEqual(end)
  })

  test('is one, however often it is asked for at once, and never a third key', async () => {
    const old = await ownedKey()
    const { keys } = stack.services

    const answers = await Promise.all(
      [1, 2, 3].map(() => kindOfProblem(keys.rotate({ keyId: old.id, graceHours: 24 }, fresh(old.owner)))),
    )

    expect(answers.sort()).toEqual(['conflict', 'conflict', 'none'])
    const { successor } = (await rowOf(old.id, old.owner, old.organizationId)) ?? {}
    const again = keys.rotate({ keyId: successor?.id ?? '', graceHours: 24 }, fresh(old.owner))
    expect(await kindOfProblem(again)).toBe('conflict')
  })

  test('is for who manages keys, with the password of the last ten minutes', async () => {
    const { id, organizationId, owner } = await ownedKey()
    const { keys } = stack.services
    const viewer = await teams.addMember(organizationId, 'viewer')
    const stranger = await teams.makePerson()
    const rotate = (actor: Actor) => keys.rotate({ keyId: id, graceHours: 0 }, actor)

    expect(await kindOfProblem(rotate(fresh(viewer)))).toBe('forbidden')
    expect(await kindOfProblem(rotate(fresh(stranger)))).toBe('not_found')
    const stale = { ...owner.actor, authenticatedAt: new Date(0) }
    expect(await rotate(stale)).toEqual({ kind: 'step_up_needed' })
  })
})

describe('the end of a key', () => {
  test('is told of 14, 7, 3 and 1 days before and when it has come, each once', async () => {
    const { owner, id, organizationId } = await ownedKey()
    const { keys, clock, advance } = stack.services
    advance(90 * day - 15 * day)
    const daysLeft: number[] = []
    for (let left = 15; left >= -1; left--) {
      await Promise.all([keys.remindOfExpiry(clock()), keys.remindOfExpiry(clock())])
      const mails = (await mailsOf('key-expiring', owner)) + (await mailsOf('key-expired', owner))
      if (mails > daysLeft.length) daysLeft.push(left)
      expect(mails).toBe(daysLeft.length)
      advance(day)
    }

    expect(daysLeft).toEqual([14, 7, 3, 1, 0])
    expect(await mailsOf('key-expired', owner)).toBe(1)
    expect(await rowOf(id, owner, organizationId)).toMatchObject({ state: 'expired', mayExtend: false })
  })

  test('a tick that was away sends the latest reminder alone', async () => {
    const { owner } = await ownedKey({ expiresAt: new Date(stack.services.clock().getTime() + 2 * day) })

    await stack.services.keys.remindOfExpiry(stack.services.clock())

    expect(await mailsOf('key-expiring', owner)).toBe(1)
  })

  test('is put off by a whole life in the last thirty days, and told of again', async () => {
    const { keys, clock } = stack.services
    const early = await ownedKey()
    const late = await ownedKey({ expiresAt: new Date(clock().getTime() + day) })
    await keys.remindOfExpiry(clock())

    expect(await kindOfProblem(keys.extend({ keyId: early.id }, early.owner.actor))).toBe('conflict')
    const { expiresAt } = await keys.extend({ keyId: late.id }, late.owner.actor)

    expect(expiresAt.getTime()).toBe(clock().getTime() + 90 * day)
    await keys.remindOfExpiry(new Date(expiresAt.getTime() - day))
    expect(await mailsOf('key-expiring', late.owner)).toBe(2)
  })
})

describe('a list of networks', () => {
  test('holds on the next request in every process, and its refusal is a 401 like any other', async () => {
    const { key, id, owner } = await ownedKey()
    const { keys } = stack.services
    const other = createApp(stack.services)
    const elsewhere = (ip: string) =>
      other.fetch(
        new Request('https://elsewhere.example/sandbox/api/v1/patients', {
          headers: { authorization: `Bearer ${key}` },
        }),
        { incoming: { socket: { remoteAddress: ip } } },
      )
    expect([await status(key), (await elsewhere('192.0.2.1')).status]).toEqual([200, 200])

    await keys.setNetworks({ keyId: id, networks: ['203.0.113.0/24', '2001:db8::/32'] }, owner.actor)

    const refused = await stack.call('/patients', { key })
    const unknown = await stack.call('/patients', {
      key: `${key.slice(0, 45)}${checksum(key.slice(0, 45))}x`,
    })
    expect((await elsewhere('192.0.2.1')).status).toBe(401)
    expect(refused.status).toBe(401)
    expect(masked(refused.text)).toBe(masked(unknown.text))
    expect(await status(key, { ip: '203.0.113.77' })).toBe(200)
    expect(await status(key, { ip: '2001:db8:1::9' })).toBe(200)
    expect((await elsewhere('203.0.113.1')).status).toBe(200)

    await keys.setNetworks({ keyId: id, networks: [] }, owner.actor)
    expect([await status(key), (await elsewhere('192.0.2.1')).status]).toEqual([200, 200])
    await stack.services.recorder.flush()
    const { rows } = await keys.activity({ keyId: id, accountId: owner.accountId, limit: 50, status: '4xx' })
    const ofKey = rows.filter(({ keyId }) => keyId === id)
    expect(ofKey.map(({ refusalReason }) => refusalReason)).toEqual([
      'The request came from an address outside the key’s list of networks.',
      'The request came from an address outside the key’s list of networks.',
    ])
  })

  test('takes networks only, and from who manages keys', async () => {
    const { id, owner, organizationId } = await ownedKey()
    const { keys } = stack.services
    const viewer = await teams.addMember(organizationId, 'viewer')
    const set = (networks: string[], { actor }: Person) =>
      kindOfProblem(keys.setNetworks({ keyId: id, networks }, actor))

    expect(await set(['10.0.0.1/8'], owner)).toBe('validation')
    expect(await set(Array(21).fill('10.0.0.0/8'), owner)).toBe('validation')
    expect(await set(['10.0.0.0/8'], viewer)).toBe('forbidden')
    expect(await set(['10.0.0.0/8'], await teams.makePerson())).toBe('not_found')
  })

  test('lets more in with a production key by password and second step alone', async () => {
    const { id, owner } = await ownedKey()
    const { keys, prisma } = stack.services
    await prisma.apiKey.update({ where: { id }, data: { environment: 'production' } })
    const { mfa: _, ...actor } = owner.actor
    const set = (networks: string[], by = actor) => keys.setNetworks({ keyId: id, networks }, by)

    await set(['10.0.0.0/8', '192.0.2.0/24'])
    for (const wider of [[], ['10.0.0.0/8', '198.51.100.0/24']])
      await expect(set(wider)).rejects.toMatchObject({ field: 'stepUp' })
    expect(await set(['10.0.0.0/8'])).toEqual({ networks: ['10.0.0.0/8'] })
    expect(await set([], owner.actor)).toEqual({ networks: [] })
  })
})

test('limits of its own hold from the next request, are shown to the caller, and are operations’ alone to give', async () => {
  const { key, owner, prefix } = await ownedKey()
  const { keys, advance, prisma } = stack.services
  const ops = await staff('ops')
  const wanted = { prefix, burst: 2, sustained: 3, reason: 'A load test agreed with the customer.' }
  const policy = async () => (await stack.call('/patients?limit=1', { key })).headers.get('ratelimit-policy')
  expect(await policy()).toBe('"second";q=150;w=1, "minute";q=3600;w=60')

  expect(await kindOfProblem(keys.grantLimits(wanted, owner.actor))).toBe('forbidden')
  expect(await kindOfProblem(keys.grantLimits({ ...wanted, burst: 401 }, ops))).toBe('validation')
  expect(await kindOfProblem(keys.grantLimits({ ...wanted, reason: ' ' }, ops))).toBe('validation')
  await keys.grantLimits(wanted, ops)

  advance(60_000)
  await status(key) // the request that learns of the change
  advance(60_000)
  expect(await policy()).toBe('"second";q=2;w=1, "minute";q=3;w=60')
  expect([await status(key), await status(key)]).toEqual([200, 429])
  advance(60_000)
  const context = await stack.call('/context', { key })
  expect(context.body.limits.key).toEqual({ perSecond: 2, perMinute: 3 })
  expect((await keys.listLimitGrants(ops)).rows).toMatchObject([{ reason: wanted.reason, key: { prefix } }])

  await keys.endLimits({ prefix, reason: wanted.reason }, ops)
  advance(60_000)
  await status(key)
  expect(await policy()).toBe('"second";q=150;w=1, "minute";q=3600;w=60')
  const audit = await prisma.auditEvent.findMany({ where: { action: { startsWith: 'api_key.limits' } } })
  expect(audit.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['api_key.limits_granted', ops.accountId],
    ['api_key.limits_ended', ops.accountId],
  ])
})

test('members find by its correlation ID why a request was refused, and everybody else finds nothing', async () => {
  const { key, id, owner, organizationId } = await ownedKey()
  const viewer = await teams.addMember(organizationId, 'viewer')
  const stranger = await teams.makePerson()
  const { keys, organizations, recorder, prisma, clock } = stack.services
  const idOf = (answer: { headers: Headers }) => answer.headers.get('x-correlation-id') ?? ''
  const find = (correlationId: string, { accountId }: Person) =>
    organizations.findIdentified({ identifier: { kind: 'call', text: correlationId }, accountId })
  const reasonOf = async (answer: { headers: Headers }, { accountId }: Person) => {
    const asked = { keyId: id, accountId, limit: 1, correlationId: idOf(answer) }
    const [call] = (await keys.activity(asked)).rows
    return call?.refusal
  }

  const cut = await stack.call('/patients', { key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` })
  const production = await stack.call('/patients', { key, base: 'production' })
  const served = await stack.call('/patients', { key })
  await prisma.apiKey.update({ where: { id }, data: { revokedAt: clock() } })
  const revoked = await stack.call('/patients', { key, headers: { origin: 'https://app.example' } })
  await recorder.flush()

  expect(await find(idOf(cut), viewer)).toMatch(`/logs?caller=key%3A${id}&call=${idOf(cut)}`)
  expect(await reasonOf(cut, viewer)).toBe('wrong_checksum')
  expect(await reasonOf(production, owner)).toBe('wrong_base')
  expect(await reasonOf(served, owner)).toBeNull()
  expect(await reasonOf(revoked, owner)).toBe('key_revoked')
  expect(masked(revoked.text)).toBe(masked(cut.text))

  const other = await ownedKey()
  expect(await find(idOf(revoked), stranger)).toBeNull()
  expect(await find(idOf(revoked), other.owner)).toBeNull()
  const foreign = { keyId: id, accountId: other.owner.accountId, limit: 1, correlationId: idOf(cut) }
  await expect(keys.activity(foreign)).rejects.toMatchObject({ kind: 'not_found' })
  const odd = { keyId: id, accountId: owner.accountId, limit: 1, correlationId: 'no\0such' }
  expect((await keys.activity(odd)).rows).toEqual([])
  const { rows } = await keys.activity({ organizationId, accountId: owner.accountId, limit: 10 })
  expect(rows.filter(({ claimedPrefix }) => claimedPrefix !== null)).toHaveLength(1)
  expect(await rowOf(id, owner, organizationId)).toMatchObject({ browserUseAt: expect.any(Date) })
})

describe('a report of a leaked key', () => {
  const hash = (key: string) => createHash('sha256').update(key).digest('hex')

  test('revokes it at once and tells its owner and its practice, however often it comes', async () => {
    const { key, id, owner, organizationId } = await ownedKey()
    const { keys, prisma } = stack.services
    const { practiceId } = await prisma.apiKey.findUniqueOrThrow({ where: { id } })
    const practiceAdmin = await addAccount(stack.services, 'practice', {
      practiceRoles: { create: { practiceId, role: 'admin', createdAt: stack.services.clock() } },
    })
    const context = { ip: '198.51.100.7', userAgent: 'vitest', correlationId: randomUUID() }

    const answers = await Promise.all([1, 2].map(() => keys.reportLeak({ hash: hash(key) }, context)))
    const unknown = await keys.reportLeak({ hash: hash('svc_nothing') }, context)

    expect([...answers, unknown]).toEqual(Array(3).fill({ kind: 'taken' }))
    expect(await status(key)).toBe(401)
    expect(await mailsOf('key-leaked', owner)).toBe(1)
    const toPractice = { template: 'key-leaked', toAddress: practiceAdmin.email }
    expect(await prisma.outboxMail.count({ where: toPractice })).toBe(1)
    expect(await rowOf(id, owner, organizationId)).toMatchObject({
      state: 'revoked',
      revokeReason: 'Reported as leaked.',
    })
    expect(await kindOfProblem(keys.reportLeak({ hash: key }, context))).toBe('validation')
  })
})

describe('the activity of a key', () => {
  test('is followed as it comes, each request once, until the reader may no longer see it', async () => {
    const { key, id, owner, organizationId } = await ownedKey()
    const viewer = await teams.addMember(organizationId, 'viewer')
    const { keys, recorder, prisma } = stack.services
    await stack.call('/context', { key })
    const follower = await keys.follow({ keyId: id, accountId: viewer.accountId })

    await stack.call('/patients', { key })
    await stack.call('/nowhere', { key })
    await recorder.flush()
    const first = await follower.next()
    await stack.call('/patients?limit=0', { key })
    await recorder.flush()

    expect(first.calls.map(({ route, status }) => [route, status])).toEqual([
      ['/patients', 200],
      ['*', 404],
    ])
    expect((await follower.next()).calls.map(({ status }) => status)).toEqual([400])
    expect((await follower.next()).calls).toEqual([])
    await prisma.membership.deleteMany({ where: { organizationId, accountId: viewer.accountId } })
    expect(await kindOfProblem(follower.next())).toBe('not_found')
    const stranger = await teams.makePerson()
    expect(await kindOfProblem(keys.follow({ keyId: id, accountId: stranger.accountId }))).toBe('not_found')
    const pages = []
    for await (const rows of keys.activityFile({ keyId: id, accountId: owner.accountId, status: '4xx' }))
      pages.push(...rows)
    expect(pages.map(({ status }) => status)).toEqual([400, 404])
  })

  test('is kept a year and forgotten then, by the owner of the tables alone', async () => {
    const { key, id } = await ownedKey()
    await stack.call('/context', { key })
    const { activityLog, pool, database } = stack.services
    const { rows } = await database.ownerPool.query(
      `INSERT INTO log.activity (at, door, environment, key_id, method, route, status, correlation_id, duration_ms)
       SELECT now() - age, 'rest', 'sandbox', $1, 'GET', '/old', 200, gen_random_uuid(), 1
       FROM unnest(ARRAY['364 days', '367 days', '2 years']::interval[]) age RETURNING id`,
      [id],
    )
    expect(rows).toHaveLength(3)

    await expect(pool.query('DELETE FROM log.activity')).rejects.toThrow('permission denied')
    expect(await activityLog.forgetOld()).toBe(2)

    const left = await activityLog.page({ keyId: id, limit: 10, route: '/old' })
    expect(left.rows).toHaveLength(1)
    expect((await activityLog.page({ keyId: id, limit: 10, route: '/context' })).rows).toHaveLength(1)
  })
})
