/**
 * A release that knows one more search parameter, on the database of a release that did not: the parameter is not
 * offered before every stored resource is indexed by it, and that happens by itself.
 */
import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../../server/app.ts'
import type { FhirTypeRow } from '../../server/contract/fhir/registry.ts'
import { tasks } from '../../server/jobs/index.ts'
import { createStore, type Store } from '../../server/store/store.ts'
import { type FhirStack, fhirStack } from '../support/fhir.ts'
import { testServices } from '../support/services.ts'

const clinicalRows = '../../server/contract/fhir/rows-clinical.ts'
const patient = 'pt-wren-testwell'
const search = `Condition?patient=${patient}&onset-date:missing=false`
const otherSearch = `Condition?patient=${patient}&recorded-date=ge1900-01-01`

/** The store of a release whose registry lacks `Condition.onset-date`. */
async function releaseBefore(pool: Parameters<typeof createStore>[0]['pool']): Promise<Store> {
  vi.resetModules()
  vi.doMock(clinicalRows, async (original) => {
    const { clinicalRows: rows } = await original<{ clinicalRows: Record<string, FhirTypeRow> }>()
    const { Condition } = rows
    if (Condition === undefined) throw new Error('no row')
    const parameters = Condition.parameters.filter(({ name }) => name !== 'onset-date')
    return { clinicalRows: { ...rows, Condition: { ...Condition, parameters } } }
  })
  const { createStore: createOlderStore } = await import('../../server/store/store.ts')
  return createOlderStore({ pool, clock: () => new Date() })
}

afterEach(() => {
  vi.doUnmock(clinicalRows)
  vi.resetModules()
})

/** All conditions are indexed by the older release; ours starts afterwards. The tests follow what happens next. */
const first = await fhirStack()
const { token: firstToken } = await first.issueToken({ audience: 'backend' })
const truth = (await first.call(search, { token: firstToken })).body.total
const { database } = first.services
await database.ownerPool.query(
  `UPDATE clinical.resource SET index_version = 0 WHERE type = 4;
   DELETE FROM clinical.index_definition WHERE type = 4`,
)
const older = await releaseBefore(database.pool)
expect((await older.reindex()).renewed).toBeGreaterThan(truth)

const stack = await restarted(first)
const token = (await stack.issueToken({ audience: 'backend' })).token

/** The same database, served by processes that have just started. */
async function restarted({ services }: FhirStack): Promise<FhirStack> {
  const store = createStore({ pool: services.database.pool, clock: services.clock })
  return fhirStack({ services: { ...services, store } })
}

async function offered(of = stack): Promise<string[]> {
  const { body } = await of.call('metadata')
  const condition = body.rest[0].resource.find(({ type }: { type: string }) => type === 'Condition')
  return JSON.stringify(condition).match(/onset-date/g) ?? []
}

async function readiness() {
  return (await createApp(stack.services).request('/readyz')).json()
}

const runJob = () =>
  tasks.find(({ name }) => name === 'reindex')?.run(stack.services, {}, { workerId: 'test', now: new Date() })

test('a parameter that stored resources lack is not offered, and refused like any other that is unknown', async () => {
  const unknown = await stack.call(`Condition?patient=${patient}&nonsense=1`, { token })

  const refused = await stack.call(search, { token })
  const lenient = await stack.call(search, { token, headers: { prefer: 'handling=lenient' } })

  expect(truth).toBeGreaterThan(0)
  expect(await offered()).toEqual([])
  expect(refused.status).toBe(400)
  expect(refused.body.issue[0].diagnostics).toBe(
    unknown.body.issue[0].diagnostics.replace('nonsense', 'onset-date'),
  )
  expect(lenient.status).toBe(200)
  expect(JSON.stringify(lenient.body)).toContain('onset-date of Condition is not supported')
  expect((await stack.call(otherSearch, { token })).body.total).toBeGreaterThan(0)
  expect(await readiness()).toMatchObject({ ready: true, searchIndex: 'rebuilding' })
})

test('the job indexes what lies behind; then the parameter is offered and finds what there is', async () => {
  expect(tasks.find(({ name }) => name === 'reindex')?.every).toBe('* * * * *')

  await runJob()

  expect((await offered()).length).toBeGreaterThan(0)
  expect((await stack.call(search, { token })).body.total).toBe(truth)
  expect(await readiness()).toMatchObject({ ready: true, searchIndex: 'current' })
  expect(await stack.services.store.reindex()).toEqual({ renewed: 0, refused: [] })
})

test('both releases beside each other: what the older one writes withdraws the parameter until it is indexed', async () => {
  const older = await releaseBefore(stack.services.database.pool)
  const dataset = await older.datasets.create({ name: 'by-the-older', kind: 'practice', source: 'test' })
  const condition = {
    resourceType: 'Condition',
    id: 'co-1',
    subject: { reference: 'Patient/pt-1' },
    onsetDateTime: '2020-02-29',
  }
  const { noLiveness } = await import('../../server/store/liveness.ts')
  await older.write(dataset, [{ resourceType: 'Patient', id: 'pt-1' }, condition], { liveness: noLiveness })

  // What the newer release wrote is all that the older one needs, and more: it has nothing to do.
  expect(await older.reindex()).toEqual({ renewed: 0, refused: [] })
  expect(await offered(await restarted(stack))).toEqual([])
  expect(await stack.services.store.reindex()).toEqual({ renewed: 1, refused: [] })
  expect((await offered(await restarted(stack))).length).toBeGreaterThan(0)
})

test('rows by a release whose definitions nobody stored count as behind', async () => {
  await stack.services.database.ownerPool.query(
    `UPDATE clinical.resource SET index_version = 99 WHERE type = 4 AND id = (SELECT min(id) FROM clinical.resource WHERE type = 4)`,
  )

  expect(await offered(await restarted(stack))).toEqual([])
  expect(await stack.services.store.countBehind()).toEqual({ Condition: expect.any(Number) })
})

test('data on its way out holds up nothing', async () => {
  await stack.services.database.ownerPool.query(`UPDATE clinical.dataset SET state = 'deleting'`)

  expect(await stack.services.store.reindex()).toEqual({ renewed: 0, refused: [] })
})

test('a fresh database has nothing to index again', async () => {
  const { store } = await testServices()

  expect(await store.rowsBehind()).toEqual([])
})
