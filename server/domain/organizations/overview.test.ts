import { beforeAll, expect, test } from 'vitest'
import { agreementSupport } from '../../../tests/support/agreements.ts'
import { inboxSubjects } from '../../../tests/support/inbox-subjects.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

let services: TestServices
const support = agreementSupport(() => services)
const { make, at } = inboxSubjects(
  () => services,
  support,
  () => {
    throw new Error('say whose')
  },
)

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

test('the apps and requests that changed last, and whether an organization has begun at all', async () => {
  const team = await support.makeParties()
  const { organizationId, owner } = team
  const read = () => services.organizations.overview({ organizationId }, owner.fresh())
  expect(await read()).toEqual({ hasApps: false, hasKeys: false, apps: [], requests: [] })

  for (const state of ['draft', 'enabled', 'rejected', 'needs_info', 'draft']) {
    const id = await make('registration', state, null, team)
    services.advance(1_000)
    await services.prisma.registration.update({ where: { id }, data: { updatedAt: services.clock() } })
  }
  await make('production_key_request', 'active', null, team)
  const request = await make('production_key_request', 'sponsor_invited', null, team)
  const found = await read()
  expect(found.apps.map(({ state, waitingOn, tested }) => [state, waitingOn, tested])).toEqual([
    ['draft', 'developer', false],
    ['needs_info', 'developer', false],
    ['enabled', 'nobody', false],
  ])
  expect(found.requests).toMatchObject([
    { id: request, waitingOn: 'practice', practiceName: 'Old Quay Family Practice' },
  ])
  expect(found.requests[0]?.steps.find(({ state }) => state === 'here')?.title).toBe('Sponsor')
  expect([found.hasApps, found.hasKeys]).toEqual([true, false])
  const other = await support.makeParties()
  expect(await kindOfProblem(services.organizations.overview({ organizationId }, other.owner.fresh()))).toBe(
    'not_found',
  )
})

test('the live keys by their last use, and no more of them than asked for', async () => {
  const team = await support.makeParties()
  const ids: string[] = []
  for (let count = 0; count < 4; count += 1) ids.push(await make('expiring_key', 'sandbox', null, team))
  const [first, second, third, revoked] = ids
  for (const [id, days] of [
    [first, -3],
    [second, -1],
    [third, -2],
    [revoked, 0],
  ] as const)
    await services.database.ownerPool.query(
      `UPDATE log.activity_day SET last_used_at = $2 WHERE key_id = $1`,
      [id, at(days)],
    )
  await services.prisma.apiKey.update({ where: { id: revoked ?? '' }, data: { revokedAt: services.clock() } })
  const mine = { organizationId: team.organizationId, accountId: team.owner.accountId }

  expect((await services.keys.listRecent({ ...mine, take: 2 })).map(({ id }) => id)).toEqual([second, third])
  expect((await services.keys.listRecent({ ...mine, take: 9 })).map(({ id }) => id)).toEqual([
    second,
    third,
    first,
  ])
})
