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

/** Links that lead to the owner of a resource that names no patient itself. */
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
  /** Resolves when the batch is computed and the previous one is stored; rejects if storing the previous one failed. */
  readonly add: (resources: readonly Resource[]) => Promise<void>
  /** Resolves when all batches are stored. */
  readonly end: () => Promise<void>
}

/**
 * Adds all resources as version 1, or none of them.
 * @param stamp lastUpdated of all resources, only while the dataset is loading; the database's time by default
 * @param origins the sources of imported resources, stored with them
 * @throws Problem `validation` for an invalid resource, `conflict` if a resource already exists, or if the dataset is
 * read-only or being deleted
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
 * Loads several batches: while one is being stored, the next is computed. Batches are stored one after the other, so that
 * each one finds the owners in earlier batches.
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
      // The next call of `add` or `end` rejects with the error.
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
 * Stores all of these rows, which may have been computed in another thread, or none of them.
 * @throws Problem `conflict` as `bulkLoad` does
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

/** Assigns owners to resources that were loaded before the resource that leads to their owner. @returns their number */
export async function adoptOrphans(core: StoreCore, datasetId: number): Promise<number> {
  return core.statements.transaction(
    async ({ run, client }) => {
      // The statistics do not include the rows that were just loaded, so the planner expects a row or two. A nested loop
      // over all of them takes minutes where a hash join takes milliseconds.
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
