/**
 * Recomputes the index rows of stored resources if another release computed them with other search parameters. Content,
 * versions and times do not change. Each renewed row gets the number of this release's definition, so that a run can
 * continue after a kill and two processes can share the work.
 */
import { fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import { isProblem } from '../contract/http/problems.ts'
import { recordText } from '../search/patient-record.ts'
import type { StoreCore } from './core.ts'
import { openDataset } from './dataset-lock.ts'
import { addressOf, makeDrafts } from './drafts.ts'
import type { Resource } from './index-rows.ts'
import { insertIndexRows, removeIndexRows } from './index-tables.ts'
import type { RowsBehind } from './index-versions.ts'
import { noLiveness } from './liveness.ts'
import { assignOwners } from './owners.ts'
import { noDataset, type Run } from './statements.ts'

interface Address {
  readonly datasetId: number
  readonly type: number
  readonly number: number
  readonly id: string
}

interface Stale {
  readonly type: number
  readonly id: string
  readonly patientId: string | null
  readonly content: string
}

interface ReindexOptions {
  /** Resources per transaction. */
  readonly batchSize?: number
  /** No batch starts later than this after the start of the run; there is no limit by default. */
  readonly withinMs?: number
  readonly onProgress?: (resources: number) => void
}

/** Reindexes every dataset while requests are served. */
export async function reindex(
  core: StoreCore,
  { batchSize = 500, withinMs = Infinity, onProgress }: ReindexOptions = {},
) {
  const { versions } = core
  const startedAt = performance.now()
  const refused: Address[] = []
  let renewed = 0
  for (const behind of await versions.findBehind()) {
    while (performance.now() - startedAt < withinMs) {
      const stale = await listStale(core, behind, refused, batchSize)
      if (stale.length === 0) break
      for (const datasetId of new Set(stale.map((row) => row.datasetId))) {
        const batch = stale.filter((row) => row.datasetId === datasetId)
        renewed += await renew(core, datasetId, batch).catch((error: unknown) => {
          if (!isRefusal(error)) throw error
          return renewEach(core, datasetId, batch, refused)
        })
      }
      onProgress?.(renewed)
    }
  }
  versions.forget()
  return {
    renewed,
    /** `Type/id` of resources that this release cannot index. They keep their old index rows. */
    refused: refused.map(({ type, id }) => `${fhirTypeOf(type)}/${id}`),
  }
}

async function listStale(
  core: StoreCore,
  { type, number }: RowsBehind,
  refused: readonly Address[],
  limit: number,
): Promise<Address[]> {
  const { run } = core.statements
  const { rows } = await run<Address>(noDataset, {
    name: 'reindex:list',
    text: `SELECT r.dataset_id AS "datasetId", $1::smallint AS type, $2::smallint AS number, r.id
             FROM clinical.dataset s CROSS JOIN LATERAL (
               SELECT dataset_id, id FROM clinical.resource
               WHERE type = $1 AND index_version = $2 AND dataset_id IN (s.id, -s.id) AND NOT deleted
                 AND (dataset_id, id) NOT IN (SELECT * FROM unnest($3::int[], $4::text[])) LIMIT $5) r
             WHERE s.state <> 'deleting' LIMIT $5`,
    values: [
      fhirTypeNumbers[type],
      number,
      refused.map((row) => row.datasetId),
      refused.map((row) => row.id),
      limit,
    ],
  })
  return rows
}

/** Renews resources one by one, so that one that cannot be indexed does not hold up the others. */
async function renewEach(core: StoreCore, datasetId: number, batch: readonly Address[], refused: Address[]) {
  let renewed = 0
  for (const address of batch) {
    renewed += await renew(core, datasetId, [address]).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      refused.push(address)
      return 0
    })
  }
  return renewed
}

async function renew(core: StoreCore, datasetId: number, addresses: readonly Address[]): Promise<number> {
  const { dictionary, versions } = core
  const numbers = await versions.ownNumbers()
  return core.statements.transaction(
    async ({ run }) => {
      // Withheld charts are under the negative id of their dataset, and share its lock.
      const { state } = await openDataset(run, Math.abs(datasetId), noLiveness)
      if (state === null || state === 'deleting') return 0
      const stale = await lockStale(run, datasetId, addresses)
      const drafts = await assignOwners(
        run,
        datasetId,
        await makeDrafts(
          dictionary,
          stale.map((row) => JSON.parse(row.content) as Resource),
        ),
      )
      await removeIndexRows(run, datasetId, stale)
      const byAddress = new Map(drafts.map((draft) => [addressOf(draft), draft]))
      const ordered = stale.flatMap((row) => byAddress.get(`${fhirTypeOf(row.type)}/${row.id}`) ?? [])
      await run(datasetId, {
        name: 'reindex:renew',
        text: `UPDATE clinical.resource r
                 SET patient_id = w.patient_id, date = coalesce(w.date, '-infinity'), date_end = w.date_end,
                   tokens = w.tokens::int[], index_version = w.number, record = w.record
                 FROM unnest($2::smallint[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[],
                             $8::smallint[], $9::text[])
                   AS w (type, id, patient_id, date, date_end, tokens, number, record)
                 WHERE r.dataset_id = $1 AND r.type = w.type AND r.id = w.id`,
        values: [
          datasetId,
          stale.map((row) => row.type),
          stale.map((row) => row.id),
          ordered.map(({ index }) => index.patientId),
          ordered.map(({ index }) => index.sortDate?.low ?? null),
          ordered.map(({ index }) => index.sortDate?.high ?? null),
          ordered.map(({ tokens }) => `{${tokens.join(',')}}`),
          stale.map((row) => numbers[fhirTypeOf(row.type)]),
          stale.map((row) => recordText(fhirTypeOf(row.type), row.content)),
        ],
      })
      await insertIndexRows(run, datasetId, drafts)
      return stale.length
    },
    { statementTimeoutMs: 0 },
  )
}

async function lockStale(run: Run, datasetId: number, addresses: readonly Address[]): Promise<Stale[]> {
  const { rows } = await run<Stale>(datasetId, {
    name: 'reindex:lock',
    text: `SELECT r.type, r.id, r.patient_id AS "patientId", r.content
             FROM clinical.resource r
             JOIN unnest($2::smallint[], $3::smallint[], $4::text[]) AS w (type, number, id)
               ON r.type = w.type AND r.id = w.id AND r.index_version = w.number
             WHERE r.dataset_id = $1 AND NOT r.deleted
             ORDER BY r.type, r.id FOR UPDATE OF r`,
    values: [
      datasetId,
      addresses.map((row) => row.type),
      addresses.map((row) => row.number),
      addresses.map((row) => row.id),
    ],
  })
  return rows
}

/** The content cannot be indexed. Any other error ends the run. */
function isRefusal(error: unknown): boolean {
  return isProblem(error) && error.kind === 'validation'
}
