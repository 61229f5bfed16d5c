import {
  type FhirType,
  fhirRegistry,
  fhirTypeNumbers,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { StoreCore } from './core.ts'
import { checkWritable, openDataset } from './dataset-lock.ts'
import { makeDrafts } from './drafts.ts'
import type { Resource } from './index-rows.ts'
import { noLiveness } from './liveness.ts'
import { type LoadRows, loadRows, stampedLines } from './load-rows.ts'
import type { Origin } from './origins.ts'
import { assignOwners } from './owners.ts'
import { isUniqueViolation } from './unique-violation.ts'
import { ofDataset, withholdArrivals } from './withheld.ts'

/** Which links tell the owner of resources that name none themselves. */
const ownerLinks = (Object.keys(fhirRegistry) as FhirType[]).flatMap((type) => {
  const { compartmentThrough, parameters } = fhirRegistry[type]
  return parameters
    .filter(
      ({ kind, paths }) => kind === 'reference' && paths.some((path) => compartmentThrough?.includes(path)),
    )
    .map(({ name }) => ({ type: fhirTypeNumbers[type], kind: searchParameterNumbers[name] }))
})

interface LoadOptions {
  readonly stamp?: Date
  readonly origins?: readonly Origin[]
}

interface BatchLoad {
  /** Resolves when the batch is computed and the one before it is stored; rejects when that one could not be. */
  readonly add: (resources: readonly Resource[]) => Promise<void>
  /** Resolves when all of them are stored. */
  readonly end: () => Promise<void>
}

/**
 * Adds resources as version 1; all of the batch or none.
 * @param stamp the time of change of all, while a dataset is loading; the database's now when left out
 * @param origins where they came from, kept with them
 * @throws Problem `validation` for what cannot be stored, `conflict` when a resource is there already or the
 * dataset is read-only or going
 */
export async function bulkLoad(
  core: StoreCore,
  datasetId: number,
  resources: readonly Resource[],
  options: LoadOptions = {},
): Promise<void> {
  const { origins = [], stamp } = options
  const rows = await rowsOf(core, datasetId, resources, origins)
  await storeRows(core, datasetId, rows, { ...(stamp && { stamp }) })
}

/**
 * The same for batch after batch: while one is being stored, the next is computed. One is under way at a time, so
 * that each finds the owners that came before it.
 */
export function beginLoad(
  core: StoreCore,
  datasetId: number,
  options: Pick<LoadOptions, 'stamp'> = {},
): BatchLoad {
  let storing: Promise<void> = Promise.resolve()
  return {
    async add(resources) {
      const rows = await rowsOf(core, datasetId, resources, [])
      await storing
      storing = storeRows(core, datasetId, rows, options)
      // Reported by the next call.
      storing.catch(() => {})
    },
    end: () => storing,
  }
}

async function rowsOf(
  core: StoreCore,
  datasetId: number,
  resources: readonly Resource[],
  origins: readonly Origin[],
): Promise<LoadRows> {
  const drafts = await makeDrafts(core.dictionary, resources)
  return loadRows(drafts, origins, { datasetId, numbers: await core.versions.ownNumbers() })
}

/**
 * Rows that were made elsewhere; all of them or none.
 * @throws Problem `conflict` as `bulkLoad`
 */
export async function storeRows(
  core: StoreCore,
  datasetId: number,
  rows: LoadRows,
  { stamp }: Pick<LoadOptions, 'stamp'> = {},
): Promise<void> {
  const { transaction, copyIn } = core.statements
  const numbers = await core.versions.ownNumbers()
  await transaction(
    async ({ run, client }) => {
      const opened = await openDataset(run, datasetId, noLiveness)
      checkWritable(opened, { stamped: stamp !== undefined })
      const owned = await assignOwners(run, datasetId, rows.open, rows.owners)
      const now = (stamp ?? opened.now).toISOString()
      for (const { table, pieces } of stampedLines(rows, owned, now, { datasetId, numbers })) {
        await copyIn(datasetId, table, pieces, client)
      }
      if (opened.state === 'ready') await withholdArrivals(run, datasetId)
    },
    { statementTimeoutMs: 0 },
  ).catch((error: unknown) => {
    if (isUniqueViolation(error)) {
      throw new Problem('conflict', { detail: 'a resource is in the dataset already', cause: error })
    }
    throw error
  })
}

/** For resources that were loaded before what tells their owner. @returns how many found one */
export async function adoptOrphans(core: StoreCore, datasetId: number): Promise<number> {
  return core.statements.transaction(
    async ({ run, client }) => {
      // What was just loaded is in no statistics: if they are of other datasets, they promise a row or two, and a
      // nested loop over all of it takes minutes where a hash takes milliseconds.
      await client.query('SET LOCAL enable_nestloop = off')
      const { rowCount } = await run(datasetId, {
        name: 'load:adopt',
        text: `UPDATE clinical.resource r SET patient_id = found.owner
                 FROM (SELECT l.source_type, l.source, min(t.patient_id) AS owner
                       FROM unnest($2::smallint[], $3::smallint[]) AS w (type, kind)
                       JOIN clinical.link l ON l.dataset_id = $1 AND l.kind = w.kind AND l.source_type = w.type
                       JOIN clinical.resource t
                         ON ${ofDataset('t')} AND t.type = l.target_type AND t.id = l.target
                       WHERE t.patient_id IS NOT NULL GROUP BY l.source_type, l.source) found
                 WHERE r.dataset_id = $1 AND r.type = found.source_type AND r.id = found.source
                   AND r.patient_id IS NULL`,
        values: [datasetId, ownerLinks.map(({ type }) => type), ownerLinks.map(({ kind }) => kind)],
      })
      await withholdArrivals(run, datasetId)
      return rowCount ?? 0
    },
    { statementTimeoutMs: 0 },
  )
}
