/** Emails about the end of an operation: to whom, once each, also by two processes. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyOwners } from '../../../tests/support/key-owners.ts'
import { restStack } from '../../../tests/support/rest.ts'
import { createTeams } from '../../../tests/support/team.ts'

const dayMs = 86_400_000
const deprecation = {
  since: '2026-11-01',
  sunset: '2027-11-01',
  successor: 'getPatient',
  note: 'It is an example of an end.',
}

const stack = await restStack({ deprecations: { rest: { listPatients: deprecation }, tools: {}, fhir: {} } })
const owned: { id: string; organizationId: string } = await createKeyOwners(
  () => stack,
  createTeams(() => stack.services),
).ownedKey()

const run = () => stack.services.deprecationNotices.notifyCallers(stack.services.clock())

async function note(route: string, status = 200): Promise<void> {
  await stack.services.database.ownerPool.query(
    `INSERT INTO log.activity (at, door, environment, method, route, status, correlation_id, duration_ms, key_id)
     VALUES ($1, 'rest', 'sandbox', 'GET', $2, $3, $4, 1, $5)`,
    [stack.services.clock(), route, status, randomUUID(), owned.id],
  )
}

async function mails() {
  const rows = await stack.services.prisma.outboxMail.findMany({
    where: { template: 'deprecation-notice' },
    orderBy: { createdAt: 'asc' },
  })
  return rows.map(({ props }) => props as Record<string, unknown>)
}

test('who does not call it, or was refused, gets none', async () => {
  await note('/context')
  expect(await stack.services.deprecationNotices.findKeyUse(owned.id)).toEqual([])
  await note('/patients', 401)

  expect(await run()).toBe(0)
})

test('the announcement is sent once, by two processes at once, and the reminder once in the last 30 days', async () => {
  await note('/patients')
  await note('/patients', 404)
  await Promise.all([run(), run(), run()])
  await run()

  expect(await stack.services.deprecationNotices.findKeyUse(owned.id)).toEqual([
    {
      operation: 'GET /patients',
      successor: 'GET /patients/{id}',
      sunset: '2027-11-01',
      calls: 3,
      lastAt: stack.services.clock(),
    },
  ])
  expect(await stack.services.deprecationNotices.findKeyUse(randomUUID())).toEqual([])
  const announced = await mails()
  expect(announced).toHaveLength(1)
  expect(announced[0]).toMatchObject({
    kind: 'announced',
    operation: 'GET /patients',
    successor: 'GET /patients/{id}',
    sunset: '2027-11-01',
    callers: 1,
    calls: 2,
  })

  stack.services.advance(Date.parse('2027-10-01T00:00:00Z') - stack.services.clock().getTime())
  await note('/patients')
  await run()
  expect(await mails()).toHaveLength(1)

  stack.services.advance(dayMs)
  await Promise.all([run(), run()])
  await run()
  expect((await mails()).map(({ kind }) => kind)).toEqual(['announced', 'ending'])

  stack.services.advance(40 * dayMs)
  await note('/patients')
  expect(await run()).toBe(0)
})
