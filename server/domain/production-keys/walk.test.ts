import { beforeAll, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import {
  type ProductionKeyParty,
  type ProductionKeyTransition,
  productionKeyActors,
  productionKeyEvents,
  productionKeyStates,
  productionKeyWorkflow,
} from '../../contract/production-key-workflow.ts'
import type { Stepper } from './walk.ts'

let services: TestServices
const support = productionKeySupport(() => services)
const rows: readonly ProductionKeyTransition[] = productionKeyWorkflow.rows
const listed = (from: string, event: string, actor: string) =>
  rows.find((row) => row.from === from && row.event === event && row.actors.includes(actor))

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

test('every state has a name and a holder, and every row of the table can be reached', () => {
  expect(Object.keys(productionKeyStates).sort()).toEqual([...productionKeyWorkflow.states].sort())
  const reached = new Set(rows.map(({ to }) => to))
  for (const { from } of rows) if (from !== null) expect(reached, from).toContain(from)
  const pairs = rows.map(({ from, event }) => `${from} ${event}`)
  expect(new Set(pairs).size).toBe(pairs.length)
})

test('every step of every party from every state is listed, or refused and leaves everything as it was', async () => {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const clinician = await support.practicePerson(office.practiceId, 'clinician', 'Cleo Placeholder')
  const [viewer, developer, admin] = await Promise.all(
    (['viewer', 'developer', 'admin'] as const).map((role) =>
      support.addMember(organizationId, role, `Kim ${role}`),
    ),
  )
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  const outsider = await support.person('practice', 'Otto Elsewhere')
  const who: Readonly<Record<ProductionKeyParty, Stepper>> = {
    visitor: outsider.fresh(),
    viewer: viewer?.fresh() ?? 'system',
    developer: developer?.fresh() ?? 'system',
    admin: admin?.fresh() ?? 'system',
    owner: owner.fresh(),
    clinician: clinician.fresh(),
    signatory: office.signatory.fresh(),
    sponsor: office.admin.fresh(),
    reviewer: reviewer.fresh(),
    ops: ops.fresh(),
    system: 'system',
    documents: { documents: true, actor: null },
  }
  const of = { organizationId, requestedById: owner.accountId, practiceId: office.practiceId }
  const ids = new Map<string, string>()
  for (const state of productionKeyWorkflow.states) ids.set(state, await rowIn(state, of))

  let [done, refused] = [0, 0]
  for (const state of productionKeyWorkflow.states)
    for (const kind of productionKeyActors) {
      const unlisted = productionKeyEvents.filter((event) => !listed(state, event, kind))
      for (const event of unlisted)
        expect(
          () => productionKeyWorkflow.next(state, event, kind as never),
          `${state} ${event} ${kind}`,
        ).toThrow()
      refused += unlisted.length
      // Of what the table does not list, one step of each party is tried at a stored request.
      const event = unlisted[(done + refused) % unlisted.length] ?? 'save'
      const outcome = await kindOfProblem(
        services.productionKeys.walk.step({ requestId: ids.get(state) ?? '' }, event, who[kind]),
      )
      expect(outcome, `${state} ${event} ${kind}`).toBe(kind === 'visitor' ? 'not_found' : 'conflict')
    }
  for (const { from, event, actors, to } of rows)
    for (const kind of from === null ? [] : actors) {
      const requestId = await rowIn(from ?? '', of)
      const what = `${from} ${event} ${kind}`
      const step = services.productionKeys.walk.step(
        { requestId },
        event as never,
        who[kind as ProductionKeyParty],
      )
      expect(await kindOfProblem(step), what).toBe('none')
      expect(await support.stateOf(requestId), what).toBe(to)
      done += 1
    }

  expect(refused).toBeGreaterThan(8_000)
  const untouched = { id: { in: [...ids.values()] }, version: 0 }
  expect(await services.prisma.productionKeyRequest.count({ where: untouched })).toBe(ids.size)
  // Of what was done each left one event and one audit row.
  expect(await services.prisma.productionKeyEvent.count()).toBe(done)
  const audited = { subjectKind: 'production_key_request' }
  expect(await services.prisma.auditEvent.count({ where: audited })).toBe(done)
}, 120_000)

type Of = { organizationId: string; requestedById: string; practiceId: string }

async function rowIn(state: string, of: Of): Promise<string> {
  const now = services.clock()
  const row = await services.prisma.productionKeyRequest.create({
    data: {
      ...of,
      state,
      name: 'Nightly import',
      practiceSlug: 'fennmoor',
      level: 'read_only',
      termDays: 90,
      submittedAt: now,
      createdAt: now,
      updatedAt: now,
    },
  })
  return row.id
}

test('a draft is seen by nobody at the practice, and a step that binds wants the password again', async () => {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const { walk } = services.productionKeys
  const of = { organizationId, requestedById: owner.accountId, practiceId: office.practiceId }
  const draft = await rowIn('draft', of)
  await services.prisma.productionKeyRequest.update({ where: { id: draft }, data: { submittedAt: null } })
  const invited = await rowIn('sponsor_invited', of)
  const stale = {
    ...office.admin.fresh(),
    authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000),
  }

  expect(await kindOfProblem(walk.step({ requestId: draft }, 'save', office.admin.fresh()))).toBe('not_found')
  await expect(walk.step({ requestId: invited }, 'confirm', stale)).rejects.toMatchObject({ field: 'stepUp' })
  expect(await support.stateOf(invited)).toBe('sponsor_invited')
})

test('of six steps at once on one version one is made', async () => {
  const { requestId, owner } = await support.submitted()
  const { version } = await support.target(requestId)
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () =>
      kindOfProblem(services.productionKeys.withdraw({ requestId, version }, owner.fresh())),
    ),
  )

  expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(5)
})
