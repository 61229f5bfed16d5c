/** Which rows and indexes PostgreSQL reads for a page: what makes a page cost the same in a practice of any size. */
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { examplePatient } from '../../tests/support/example-resources.ts'
import {
  access,
  base,
  database,
  now,
  observation,
  openSearchStore,
  store,
} from '../../tests/support/search-store.ts'
import { compileSearch, type Parameter } from '../search/compile.ts'
import { compileEverything } from '../search/everything.ts'
import { planPatientList, planProviders, planProvidersOf, withRoles } from '../search/lists.ts'
import { compileEverythingPage } from './everything-page.ts'
import { noLiveness } from './liveness.ts'
import { compilePage, type PageSql } from './search-page.ts'

/** One node of a plan, as EXPLAIN writes it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

await openSearchStore()
const dataset: number = await store.datasets.create({ name: 'charts', kind: 'practice', source: 'test' })
// One chart is long, and the planner knows of a usual one.
const charts = ['long', ...Array.from({ length: 150 }, (_, at) => `short-${at}`)]
const ofChart = (patient: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    observation(`${patient}-${at}`, patient, {
      effectiveDateTime: new Date(now.getTime() - at * 3_600_000).toISOString(),
    }),
  )
await store.bulkLoad(
  dataset,
  charts.flatMap((patient) => ofChart(patient, patient === 'long' ? 300 : 20)),
)
await database.ownerPool.query('VACUUM (ANALYZE) clinical.resource')

function page(...parameters: Parameter[]): PageSql {
  const { plan } = compileSearch({
    access: access('Observation'),
    parameters: [['patient', 'long'], ...parameters],
    handling: 'strict',
    base,
    now,
    after: null,
    accessTo: access,
  })
  return compilePage(dataset, plan, noLiveness)
}

function everything(): PageSql {
  const { plan } = compileEverything({
    patientId: 'long',
    parameters: [['_count', '50']],
    handling: 'strict',
    after: null,
    accessTo: (type) => access(type),
  })
  return compileEverythingPage(dataset, plan, noLiveness)
}

/**
 * Nodes that ran, of the plan that a prepared statement keeps for all values.
 * @param mode another one than every connection has
 */
async function explain({ text, values }: PageSql, mode = 'force_generic_plan'): Promise<PlanNode[]> {
  const client = await database.pool.connect()
  try {
    await client.query(`SET plan_cache_mode = ${mode}`)
    await client.query(`PREPARE tried AS ${text}`)
    const literals = values.map((value) => (Array.isArray(value) ? `{${value.join()}}` : String(value)))
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE tried(${literals.map(pg.escapeLiteral).join()})`,
    )
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    return plan ? nodesOf(plan.Plan) : []
  } finally {
    client.release(true)
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)].filter((each) => each['Actual Loops'] > 0)
}

/** Scans that read the resources themselves, and how many rows each read. */
function readsOf(nodes: readonly PlanNode[]) {
  return nodes
    .filter((node) => node['Relation Name'] === 'resource' && node['Node Type'] !== 'Index Only Scan')
    .map((node) => ({
      how: `${node['Node Type']} ${node['Index Name'] ?? ''}`,
      rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    }))
}

describe('by a prepared statement', () => {
  test('a page without filters is the next rows of the chart’s index, and no other resource is read', async () => {
    expect(readsOf(await explain(page()))).toEqual([{ how: 'Index Scan resource_chart', rows: 51 }])
    expect(readsOf(await explain(page(['_sort', 'date'])))).toEqual([
      { how: 'Index Scan resource_chart', rows: 51 },
    ])
  })

  test('a page with a filter reads the resources of the page alone', async () => {
    const reads = readsOf(await explain(page(['category', 'laboratory'])))

    expect(reads.map(({ rows }) => rows)).toEqual([51])
  })

  test('a page of a chart reads what is on it', async () => {
    const [first] = readsOf(await explain(everything()))

    expect(first).toEqual({ how: 'Index Scan resource_chart', rows: 51 })
  })

  test('hardly more is read than by a plan for the values, be they rare or common', async () => {
    await store.bulkLoad(dataset, [
      ...Array.from({ length: 2_000 }, (_, at) =>
        examplePatient({ id: `p-${at}`, family: `Testwell${at}`, mrn: `SYN-${at}`, born: '1950' }),
      ),
      { resourceType: 'Practitioner', id: 'anna', name: [{ family: 'Anna' }] },
    ])
    await database.ownerPool.query('ANALYZE clinical.roster, clinical.resource, clinical.link')
    const all = { limit: 25, offset: 0 }
    const lists = [
      ...[0, 1_900].map((offset) => planPatientList({ ...all, offset })),
      ...['testwell', 'testwell1999', 'zz'].flatMap((q) =>
        [{ q }, { q, dob: '1950' }].map((query) => planPatientList({ ...all, ...query })),
      ),
      withRoles(planProviders(all)),
      withRoles(planProvidersOf('loc-1', all)),
    ].map((plan) => compilePage(dataset, plan, noLiveness))
    const ofCharts = [page(), page(['category', 'laboratory']), page(['date', 'lt2000']), everything()]

    for (const sql of [...lists, ...ofCharts]) {
      const [kept, own] = [await explain(sql), await explain(sql, 'force_custom_plan')].map(
        ([root]) => root?.['Shared Hit Blocks'] ?? Number.NaN,
      )
      expect(kept, sql.shape).toBeLessThanOrEqual(1.5 * (own ?? 0) + 10)
    }
  })
})
