import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { examplePatient } from '../../../tests/support/example-resources.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { SandboxChangeKind } from '../../contract/lab/sandbox-changes.ts'
import { sandboxLimits } from '../../contract/lab/sandbox-changes.ts'
import type { Actor } from '../../domain/actor.ts'
import { withCore } from '../../domain/core.ts'
import { noLiveness } from '../../store/liveness.ts'
import * as changeRuns from './change-runs.ts'
import * as verbs from './changes.ts'

const { makeTeam, addMember, makePerson } = createTeams(() => services)

const services = await testServices({ template: 'schema' })
const datasetId = await services.store.datasets.create({ name: 'seed', kind: 'template', source: 'test' })
const patients = [examplePatient({ id: 'pt-1', family: 'Testwell' })]
await services.store.write(datasetId, patients, { liveness: noLiveness })
await services.store.datasets.markReady(datasetId)
const template = {
  slug: 'template',
  name: 'Template',
  purpose: 'template',
  environment: 'sandbox',
} as const
await services.prisma.practice.create({
  data: { ...template, fhirEnabled: true, inDirectory: false, datasetId, createdAt: services.clock() },
})

/** An organization whose sandbox has data of its own. */
async function makeSandbox({ writable = true } = {}) {
  const { organizationId, owner } = await makeTeam()
  const practice = await services.sandboxes.ensure(organizationId, { writable })
  const ask = (kind: SandboxChangeKind, requestId: string = randomUUID(), actor: Actor = owner.actor) =>
    services.sandbox.changes.ask({ organizationId, requestId, kind }, actor)
  const look = async () => {
    const { datasetId } = await services.prisma.practice.findUniqueOrThrow({ where: { id: practice.id } })
    const datasets = await services.store.datasets.listNamed(practice.slug)
    return { datasetId, datasets: datasets.map(({ id }) => id) }
  }
  return { organizationId, owner, practice, ask, look, run: services.sandbox.runs.run }
}

type Copy = TestServices['store']['datasets']['copy']

/** Runs whose copying is another than the store's. */
function runsThatCopy(change: (copy: Copy) => Copy) {
  const { datasets } = services.store
  const store = { ...services.store, datasets: { ...datasets, copy: change(datasets.copy) } }
  return withCore({ ...services.core, store }, changeRuns)
}

const rowOf = (id: string) => services.prisma.sandboxChange.findUniqueOrThrow({ where: { id } })

/** The sentence of a refusal. */
async function refusalOf(asked: Promise<unknown>): Promise<string> {
  const thrown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  return isProblem(thrown) ? `${thrown.kind}: ${thrown.message}` : `not refused: ${String(thrown)}`
}

test('the same request twice is one change, and one with another button is refused', async () => {
  const { ask, practice } = await makeSandbox()
  const request = randomUUID()

  const both = await Promise.all([ask('reset', request), ask('reset', request)])
  const again = await ask('reset', request)

  expect(new Set([...both, again].map(({ id }) => id))).toEqual(new Set([request]))
  expect(await services.prisma.sandboxChange.count({ where: { practiceId: practice.id } })).toBe(1)
  expect(await refusalOf(ask('save', request))).toMatch(/^conflict: This request was already made/)
  expect(await refusalOf(ask('save', 'x'))).toMatch(/^validation: Reload the page/)
})

test('a request that its twin overtakes is the twin, not a second change', async () => {
  const { ask, organizationId, owner } = await makeSandbox()
  const request = randomUUID()
  let overtaken = false
  const prisma = services.prisma.$extends({
    query: {
      sandboxChange: {
        async findUnique({ args, query }) {
          const found = await query(args)
          if (!overtaken) {
            overtaken = true
            await ask('reset', request)
          }
          return found
        },
      },
    },
  }) as unknown as PrismaClient
  const changes = withCore({ ...services.core, prisma }, verbs)

  const late = await changes.ask({ organizationId, requestId: request, kind: 'reset' }, owner.actor)

  expect(overtaken).toBe(true)
  expect(late.id).toBe(request)
})

test('of two at once the second is refused with what is under way, and may ask again afterwards', async () => {
  const { ask, run } = await makeSandbox()

  const results = await Promise.allSettled([ask('reset'), ask('save')])
  const won = results.find((each) => each.status === 'fulfilled')
  const lost = results.filter((each) => each.status === 'rejected')

  expect(lost).toHaveLength(1)
  expect(lost[0]?.reason.message).toMatch(
    /^Another change is in progress \((reset to sample data|save a snapshot)\)/,
  )
  await run(won?.value.id ?? '')
  expect((await ask('save')).state).toBe('running')
})

test('who builds may, a viewer may not, and to a stranger there is nothing', async () => {
  const { ask, organizationId } = await makeSandbox()
  const [viewer, developer] = [
    await addMember(organizationId, 'viewer'),
    await addMember(organizationId, 'developer'),
  ]
  const stranger = await makePerson()

  expect(await refusalOf(ask('reset', randomUUID(), viewer.actor))).toMatch(/^forbidden/)
  expect(await refusalOf(ask('reset', randomUUID(), stranger.actor))).toMatch(/^not_found/)
  expect((await ask('reset', randomUUID(), developer.actor)).askedBy).toBe('Kim developer')
})

test('only a sandbox of an organization is found, whatever else the organization has', async () => {
  const { organizationId, owner } = await makeTeam()
  const { datasetId } = await services.prisma.practice.findUniqueOrThrow({ where: { slug: 'template' } })
  const practice = {
    name: 'Office',
    environment: 'production',
    fhirEnabled: true,
    inDirectory: true,
  } as const
  await services.prisma.practice.create({
    data: {
      ...practice,
      slug: `office-${randomUUID()}`,
      purpose: 'organization_sandbox',
      datasetId,
      organizationId,
      createdAt: services.clock(),
    },
  })
  const asked = services.sandbox.changes.ask(
    { organizationId, requestId: randomUUID(), kind: 'reset' },
    owner.actor,
  )

  expect(await refusalOf(asked)).toBe('not_found: This organization has no sandbox yet.')
  expect(await services.sandbox.overview.get({ organizationId, accountId: owner.accountId })).toBeNull()
})

test('an hour has so many changes and no more', async () => {
  const { ask } = await makeSandbox()
  for (let done = 0; done < sandboxLimits.changesPerHour; done += 1) {
    const { id } = await ask('save')
    const ended = { runningPracticeId: null, endedAt: services.clock(), failure: 'None of it.' }
    await services.prisma.sandboxChange.update({ where: { id }, data: { state: 'failed', ...ended } })
  }

  expect(await refusalOf(ask('save'))).toMatch(/^rate_limited: A sandbox can be reset, saved or restored 12/)
  services.advance(3_600_000)
  expect((await ask('save')).state).toBe('running')
})

test('a run that is killed halfway leaves the practice on its data, and the next run ends it', async () => {
  const { ask, run, look, practice } = await makeSandbox()
  const before = await look()
  const { id } = await ask('reset')
  const killed = runsThatCopy(
    (copy) => (source, options) =>
      copy(source, {
        ...options,
        onProgress: (progress) => {
          options.onProgress?.(progress)
          if (progress.finished === 5) throw new Error('killed')
        },
      }),
  )

  await expect(killed.run(id)).rejects.toThrow('killed')
  expect(await look()).toEqual(before)
  expect(await rowOf(id)).toMatchObject({ state: 'running', attempt: 1, total: 9 })
  expect(await services.sandbox.changes.sweep(services.clock())).not.toContain(id)
  services.advance(6 * 60_000)
  expect(await services.sandbox.changes.sweep(services.clock())).toContain(id)

  await run(id)

  const { datasetId } = await look()
  expect(datasetId).not.toBe(before.datasetId)
  expect(await rowOf(id)).toMatchObject({ state: 'done', attempt: 2, datasetId, finished: 9, total: 9 })
  const { rows } = await services.pool.query<{ action: string }>(
    'SELECT action FROM portal.audit_event WHERE practice_id = $1 ORDER BY id',
    [practice.id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'sandbox.people_added',
    'sandbox.reset_asked',
    'sandbox.reset_done',
  ])
})

test('a run that was replaced puts nothing in place and leaves nothing behind', async () => {
  const { ask, look, run } = await makeSandbox()
  for (const kind of ['reset', 'save'] as const) {
    const { id } = await ask(kind)
    const before = await look()
    const snapshots = await countSnapshots()
    const late = runsThatCopy((copy) => async (source, options) => {
      await services.prisma.sandboxChange.update({ where: { id }, data: { attempt: { increment: 1 } } })
      return copy(source, options)
    })

    await late.run(id)

    expect(await look()).toEqual(before)
    expect(await countSnapshots()).toBe(snapshots)
    expect((await rowOf(id)).state).toBe('running')
    await run(id)
    expect((await rowOf(id)).state).toBe('done')
  }
})

async function countSnapshots(): Promise<number> {
  const { rows } = await services.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM clinical.dataset WHERE kind = 'snapshot'`,
  )
  return rows[0]?.n ?? -1
}

test('one that comes to no end is given up with a sentence, and makes room', async () => {
  const { ask, run, look } = await makeSandbox()
  const before = await look()
  const { id } = await ask('reset')
  await services.prisma.sandboxChange.update({ where: { id }, data: { attempt: sandboxLimits.runsMax } })

  await run(id)

  const { state, failure } = await rowOf(id)
  expect([state, failure]).toEqual(['failed', expect.stringContaining('The sandbox is unchanged')])
  expect(await look()).toEqual(before)
  expect((await ask('reset')).state).toBe('running')
})

test('what was replaced is kept for answers that have begun, and goes once its time is over', async () => {
  const { ask, run, look } = await makeSandbox()
  const { datasetId: old } = await look()
  await run((await ask('reset')).id)
  const { rows } = await services.database.ownerPool.query<{ waits: boolean }>(
    `SELECT run_at > now() + interval '4 minutes' AS waits FROM graphile_worker.jobs WHERE key = $1`,
    [`delete-dataset:${old}`],
  )

  expect(rows).toEqual([{ waits: true }])
  expect((await services.store.datasets.find(old))?.state).toBe('ready')
  // The tick that sweeps what a kill left behind does not cut its time short.
  const tomorrow = new Date(Date.now() + 86_400_000)
  const unused = (before: Date) =>
    services.store.datasets.listUnused({ kind: 'practice', usedIds: [], before })
  await services.database.ownerPool.query(
    `UPDATE clinical.dataset SET created_at = now() - interval '2 hours' WHERE id = $1`,
    [old],
  )
  expect(await unused(new Date(Date.now() - 3_600_000))).not.toContain(old)
  expect(await unused(tomorrow)).toContain(old)
})
