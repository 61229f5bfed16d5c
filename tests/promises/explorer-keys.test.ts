/**
 * The explorer's keys are real and nobody sees them: minted for one session, practice and level, sealed, and over
 * with the session, the place in the organization or the hour, whichever comes first.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { limits, windowTable } from '../../server/contract/http/limits.ts'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import type { Context } from '../../server/domain/actor.ts'
import type { ExplorerKey } from '../../server/lab/explorer/explorer-keys.ts'
import { createExplorers, type Developer } from '../support/explorers.ts'
import { keyRequestForm } from '../support/key-request.ts'
import { restStack } from '../support/rest.ts'
import { kindOfProblem } from '../support/visitor.ts'

const minute = 60_000
const explorers = createExplorers(() => stack.services)
const visitorAt = (ip: string) => ({ ip, userAgent: 'vitest', correlationId: randomUUID() })

const stack = await restStack()

async function use(
  { session, actor, practiceSlug: own }: Developer,
  input: { level?: 'read_only' | 'full'; mcpWrites?: boolean; practiceSlug?: string } = {},
): Promise<ExplorerKey> {
  return stack.services.explorerKeys.use({ practiceSlug: own, ...input, session }, actor)
}

const context = (key: ExplorerKey) => stack.call('/context', { authorization: key.authorization() })

async function lastReason(keyId: string): Promise<string | null | undefined> {
  await stack.services.recorder.flush()
  const { rows } = await stack.services.activityLog.page({ keyId, limit: 1 })
  return rows[0]?.refusalReason
}

test('two requests at once mint one key, which calls the sandbox practice of the organization', async () => {
  const mara = await explorers.makeDeveloper()

  const [one, two] = await Promise.all([use(mara), use(mara)])
  const again = await use(mara)
  const answer = await context(one)

  expect(new Set([one.keyId, two.keyId, again.keyId]).size).toBe(1)
  expect(answer.status).toBe(200)
  expect(answer.body.practice.id).toBe(mara.practiceSlug)
  expect(answer.body.principal).toMatchObject({ level: 'read_only', keyName: 'Explorer' })
  expect(Date.parse(answer.body.principal.expiresAt) - stack.services.clock().getTime()).toBe(60 * minute)
})

test('neither what is handed out nor what is stored holds the secret in the open', async () => {
  const mara = await explorers.makeDeveloper()

  const key = await use(mara, { level: 'full' })

  expect(JSON.stringify(key)).not.toMatch(keyPattern)
  expect(key.authorization()).toMatch(keyPattern)
  const secret = key.authorization().slice('Bearer '.length)
  expect(await stack.services.database.tablesWith(secret.slice(12, 40))).toEqual([])
})

test('a key is of its practice and its level, and reads unless its person chose otherwise', async () => {
  const mara = await explorers.makeDeveloper()
  const body = { name: { family: 'Samplewood', given: ['June'] }, birthDate: '1990-01-02', sex: 'female' }

  const reader = await use(mara)
  const writer = await use(mara, { level: 'full' })
  const assistant = await use(mara, { level: 'full', mcpWrites: true })
  const refused = await stack.post('/patients', body, { authorization: reader.authorization() })
  const made = await stack.post('/patients', body, { authorization: writer.authorization() })

  expect(new Set([reader.keyId, writer.keyId, assistant.keyId]).size).toBe(3)
  expect([refused.status, made.status]).toEqual([403, 201])
  expect(await lastReason(reader.keyId)).toMatch(/read-only/i)
})

describe('a key ends with what it was minted for', () => {
  const ends: Record<string, (developer: Developer, colleague: Developer) => Promise<unknown>> = {
    'signing out': ({ session, actor }) => stack.services.accounts.signOut(session, actor),
    'being signed out from another browser': async ({ session, actor, signIn }) => {
      const other = await signIn()
      await stack.services.accounts.endSession({ session: other, sessionId: session.id }, actor)
    },
    'ending every other session': async ({ actor, signIn }) =>
      stack.services.accounts.endOtherSessions(await signIn(), actor),
    'leaving the organization': ({ organizationId, actor }) =>
      stack.services.organizations.leave({ organizationId }, actor),
    'being removed from it': ({ organizationId, accountId }, colleague) =>
      stack.services.organizations.removeMember(
        { organizationId, memberAccountId: accountId },
        colleague.actor,
      ),
    'losing the role that writes': ({ organizationId, accountId }, colleague) =>
      stack.services.organizations.changeRole(
        { organizationId, memberAccountId: accountId, role: 'viewer' },
        colleague.actor,
      ),
    'the account being closed': ({ accountId }) =>
      stack.services.prisma.account.update({
        where: { id: accountId },
        data: { disabledAt: stack.services.clock() },
      }),
  }

  test.each(Object.entries(ends))('%s', async (name, end) => {
    const boss = await explorers.makeDeveloper()
    const mara = await explorers.makeMember(boss.organizationId, 'developer')
    const kim = await explorers.makeMember(boss.organizationId, 'developer')
    const old = await use(mara, { level: name.includes('role') ? 'full' : 'read_only' })
    const colleagues = await use(kim)
    expect((await context(old)).status).toBe(200)

    await end(mara, boss)

    expect((await context(old)).status).toBe(401)
    expect(await lastReason(old.keyId)).toMatch(/revoked/)
    expect((await context(colleagues)).status).toBe(200)
  })
})

test('a viewer reads on and never writes', async () => {
  const boss = await explorers.makeDeveloper()
  const kim = await explorers.makeMember(boss.organizationId, 'viewer')

  expect((await context(await use(kim))).status).toBe(200)
  expect(await kindOfProblem(use(kim, { level: 'full' }))).toBe('forbidden')
})

test('nobody gets a key of somebody else’s practice, whatever its slug', async () => {
  const mara = await explorers.makeDeveloper()
  const other = await explorers.makeDeveloper()
  await use(other)

  for (const practiceSlug of [other.practiceSlug, 'harbor-family', 'sandbox-template', randomUUID(), ''])
    expect(await kindOfProblem(use(mara, { practiceSlug }))).toBe('not_found')
})

test('visitors share one key that reads the demonstration practice, each address so often', async () => {
  const { services } = stack
  const visitor = visitorAt('203.0.113.77')
  const neighbour = visitorAt('203.0.113.78')
  const ask = (of: Context, level?: 'full') =>
    services.explorerKeys.use({ session: null, ...(level ? { level } : {}) }, of)
  services.advance(minute)

  const key = await ask(visitor)
  const theirs = await ask(neighbour)
  const answer = await context(key)

  expect(key.keyId).toBe(theirs.keyId)
  expect(answer.body).toMatchObject({
    practice: { id: 'sandpiper-demonstration' },
    principal: { level: 'read_only' },
  })
  expect(await kindOfProblem(ask(visitor, 'full'))).toBe('forbidden')
  expect(
    await kindOfProblem(services.explorerKeys.use({ session: null, practiceSlug: 'harbor-family' }, visitor)),
  ).toBe('not_found')
  const [burst] = windowTable.explorerVisitor.windows
  for (let n = 1; n < burst.requests; n++) await ask(visitor)
  expect(await kindOfProblem(ask(visitor))).toBe('rate_limited')
  expect(await kindOfProblem(ask(neighbour))).toBe('none')
})

test('a key stops after its hour, the next call has a new one, and time forgets the old', async () => {
  const { services } = stack
  const mara = await explorers.makeDeveloper()
  const key = await use(mara)

  services.advance((limits.explorerKeyMinutes - 1) * minute)
  expect((await use(mara)).keyId).toBe(key.keyId)
  services.advance(minute)

  expect((await context(key)).status).toBe(401)
  const next = await use(mara)
  expect(next.keyId).not.toBe(key.keyId)
  await services.accounts.signOut(mara.session, mara.actor)
  await services.explorerKeys.tidyKeys(services.clock())
  expect(await services.prisma.explorerKey.count({ where: { keyId: { in: [key.keyId, next.keyId] } } })).toBe(
    0,
  )
  expect(await services.prisma.apiKey.findUniqueOrThrow({ where: { id: next.keyId } })).toMatchObject({
    revokedAt: services.clock(),
    revokeReason: expect.stringContaining('session'),
  })
  services.advance((limits.explorerCallDays + 1) * 24 * 60 * minute)
  await services.explorerKeys.tidyKeys(services.clock())
  expect(await services.prisma.apiKey.count({ where: { id: { in: [key.keyId, next.keyId] } } })).toBe(0)
})

test('it takes no place among the organization’s keys, sends no mail, and only its activity is reached', async () => {
  const { services } = stack
  const { keys, prisma } = services
  const mara = await explorers.makeDeveloper()
  const { actor, accountId, organizationId } = mara
  const mails = () => prisma.outboxMail.count({ where: { toAddress: mara.session.account.email } })
  const before = await mails()

  const { keyId } = await use(mara, { level: 'full' })
  await use(mara)
  await use(mara, { level: 'full', mcpWrites: true })
  await keys.remindOfExpiry(services.clock())

  expect(await keys.list({ organizationId, accountId })).toEqual([])
  expect(await mails()).toBe(before)
  expect((await keys.activity({ keyId, accountId, limit: 1 })).rows).toEqual([])
  for (const manage of [
    () => keys.extend({ keyId }, actor),
    () => keys.rotate({ keyId, graceHours: 0 }, actor),
    () => keys.revoke({ keyId }, actor),
    () => keys.setNetworks({ keyId, networks: [] }, actor),
    () => keys.setMcpWrites({ keyId, on: true }, actor),
  ])
    expect(await kindOfProblem(manage())).toBe('conflict')
  for (let n = 0; n < limits.sandboxKeysPerOrganization; n++)
    await keys.requestSandboxKey(keyRequestForm(services, organizationId), actor)
})

test('a key that somebody ended is not used again', async () => {
  const mara = await explorers.makeDeveloper()
  const key = await use(mara)
  const { prisma, clock } = stack.services

  await prisma.apiKey.update({ where: { id: key.keyId }, data: { revokedAt: clock() } })

  const next = await use(mara)
  expect(next.keyId).not.toBe(key.keyId)
  expect((await context(next)).status).toBe(200)
})
