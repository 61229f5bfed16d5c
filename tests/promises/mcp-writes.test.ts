/** The switch that lets AI assistants write with a key. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { operations } from '../../server/contract/rest/operations.ts'
import { createKeyOwners } from '../support/key-owners.ts'
import { callTool } from '../support/mcp.ts'
import { type RestStack, restStack } from '../support/rest.ts'
import { createTeams, type Person } from '../support/team.ts'
import { kindOfProblem } from '../support/visitor.ts'

const teams = createTeams(() => stack.services)
const { ownedKey } = createKeyOwners(() => stack, teams)

const stack = await restStack()

const make = (app: RestStack['app'], key: string) =>
  callTool(
    { ...stack, post: postTo(app) },
    'create_patient',
    { ...operations.createPatient.bodyExample, idempotencyKey: randomUUID() },
    { key },
  )

/** Another process of the same server. */
function postTo(app: RestStack['app']): RestStack['post'] {
  return async (path, body, { key } = {}) => {
    const answer = await app.fetch(
      new Request(`https://elsewhere.example/sandbox/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      }),
    )
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
  }
}

test('is off until its owner moves it, and holds on the next call in every process', async () => {
  const { key, id, owner, organizationId } = await ownedKey({ level: 'full' })
  const { keys, prisma } = stack.services
  const processes = [stack.app, createApp(stack.services)]
  const isRefused = async () =>
    Promise.all(processes.map(async (app) => (await make(app, key)).result.isError ?? false))
  expect(await isRefused()).toEqual([true, true])

  expect(await keys.setMcpWrites({ keyId: id, on: true }, owner.actor)).toEqual({ kind: 'set', on: true })
  await keys.setMcpWrites({ keyId: id, on: true }, owner.actor)
  expect(await isRefused()).toEqual([false, false])
  expect((await keys.list({ organizationId, accountId: owner.accountId }))[0]?.mcpWrites).toBe(true)
  await keys.setMcpWrites({ keyId: id, on: false }, owner.actor)
  expect(await isRefused()).toEqual([true, true])

  const audit = await prisma.auditEvent.findMany({
    where: { subjectId: id, action: { startsWith: 'api_key.mcp_writes' } },
    orderBy: { id: 'asc' },
  })
  expect(audit.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['api_key.mcp_writes_on', owner.accountId],
    ['api_key.mcp_writes_off', owner.accountId],
  ])
})

test('wants a fresh password to go on, a full key, and somebody who manages keys', async () => {
  const full = await ownedKey({ level: 'full' })
  const reading = await ownedKey()
  const { keys, clock, prisma } = stack.services
  const viewer = await teams.addMember(full.organizationId, 'viewer')
  const set = (keyId: string, { actor }: Person, on = true) =>
    kindOfProblem(keys.setMcpWrites({ keyId, on }, actor))
  const long = new Date(clock().getTime() - 3_600_000)
  const stale = { ...full.owner.actor, authenticatedAt: long }

  expect(await keys.setMcpWrites({ keyId: full.id, on: true }, stale)).toEqual({ kind: 'step_up_needed' })
  expect(await keys.setMcpWrites({ keyId: full.id, on: false }, stale)).toEqual({ kind: 'set', on: false })
  expect(await set(reading.id, reading.owner)).toBe('conflict')
  expect(await set(full.id, viewer)).toBe('forbidden')
  expect(await set(full.id, await teams.makePerson())).toBe('not_found')
  await prisma.apiKey.update({ where: { id: full.id }, data: { revokedAt: clock() } })
  expect(await set(full.id, full.owner)).toBe('conflict')
  await expect(
    prisma.apiKey.update({ where: { id: reading.id }, data: { mcpWrites: true } }),
  ).rejects.toThrow()
})

test('wants the second step, too, for a production key', async () => {
  const { id, owner, organizationId } = await ownedKey({ level: 'full' })
  const { keys, prisma } = stack.services
  await prisma.apiKey.update({ where: { id }, data: { environment: 'production' } })
  const { mfa: _, ...once } = owner.actor
  const admin = await teams.addMember(organizationId, 'admin')

  await expect(keys.setMcpWrites({ keyId: id, on: true }, once)).rejects.toMatchObject({ field: 'stepUp' })
  expect(await prisma.apiKey.findUnique({ where: { id } })).toMatchObject({ mcpWrites: false })
  expect(await keys.setMcpWrites({ keyId: id, on: true }, admin.actor)).toEqual({ kind: 'set', on: true })
  expect(await keys.setMcpWrites({ keyId: id, on: false }, once)).toEqual({ kind: 'set', on: false })
})

test('goes over to the successor of a rotated key', async () => {
  const { id, owner, organizationId } = await ownedKey({ level: 'full' })
  const { keys } = stack.services
  await keys.setMcpWrites({ keyId: id, on: true }, owner.actor)

  await keys.rotate({ keyId: id, graceHours: 24 }, owner.actor)

  const rows = await keys.list({ organizationId, accountId: owner.accountId })
  expect(rows.map(({ mcpWrites }) => mcpWrites)).toEqual([true, true])
})
