/**
 * Computes the index rows of stored resources anew, from their content, after a change of the registry. Texts,
 * versions and times stay as they are. Done rows carry the new `index_version`: killed, it goes on where it was.
 */
import type pg from 'pg'
import { fhirTypeOf, indexVersion } from '../contract/fhir-registry.ts'
import { openDataset } from './dataset-gate.ts'
import type { Dictionary } from './dictionary.ts'
import { addressOf, makeDrafts } from './drafts.ts'
import type { Resource } from './index-rows.ts'
import { insertIndexRows, removeIndexRows } from './index-tables.ts'
import { noLiveness } from './liveness.ts'
import { assignOwners } from './owners.ts'
import { noDataset, type Statements } from './statements.ts'

interface Address {
  readonly datasetId: number
  readonly type: number
  readonly id: string
}

interface Stale {
  readonly type: number
  readonly id: string
  readonly patientId: string | null
  readonly content: string
}

export interface ReindexOptions {
  /** Resources of one transaction. */
  readonly batchSize?: number
  readonly onProgress?: (resources: number) => void
}

const first: Address = { datasetId: 0, type: 0, id: '' }

export function createReindex({
  statements,
  dictionary,
}: {
  statements: Statements
  dictionary: Dictionary
}) {
  const { run, transaction } = statements

  /** Every dataset, served or not, while it is served. @returns how many resources were behind */
  async function reindex({ batchSize = 500, onProgress }: ReindexOptions = {}): Promise<number> {
    let done = 0
    let after = first
    for (;;) {
      const stale = await listStale(after, batchSize)
      const last = stale.at(-1)
      if (last === undefined) return done
      for (const datasetId of new Set(stale.map((row) => row.datasetId))) {
        done += await renew(
          datasetId,
          stale.filter((row) => row.datasetId === datasetId),
        )
      }
      onProgress?.(done)
      after = last
    }
  }

  async function listStale(after: Address, limit: number): Promise<Address[]> {
    const { rows } = await run<Address>(noDataset, {
      name: 'reindex:list',
      text: `SELECT dataset_id AS "datasetId", type, id FROM clinical.resource
             WHERE (dataset_id, type, id) > ($1, $2, $3) AND index_version < ${indexVersion} AND NOT deleted
             ORDER BY dataset_id, type, id LIMIT $4`,
      values: [after.datasetId, after.type, after.id, limit],
    })
    return rows
  }

  function renew(datasetId: number, addresses: readonly Address[]): Promise<number> {
    return transaction(
      async (client) => {
        const { state } = await openDataset(run, datasetId, noLiveness, client)
        if (state === null || state === 'deleting') return 0
        const stale = await lock(datasetId, addresses, client)
        const drafts = await assignOwners(
          run,
          datasetId,
          await makeDrafts(
            dictionary,
            stale.map((row) => JSON.parse(row.content) as Resource),
          ),
          client,
        )
        await removeIndexRows(run, datasetId, stale, client)
        const byAddress = new Map(drafts.map((draft) => [addressOf(draft), draft]))
        const ordered = stale.flatMap((row) => byAddress.get(`${fhirTypeOf(row.type)}/${row.id}`) ?? [])
        await run(
          datasetId,
          {
            name: 'reindex:renew',
            text: `UPDATE clinical.resource r
                   SET patient_id = w.patient_id, date = coalesce(w.date, '-infinity'), date_end = w.date_end,
                     tokens = w.tokens::int[], index_version = ${indexVersion}
                   FROM unnest($2::smallint[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[])
                     AS w (type, id, patient_id, date, date_end, tokens)
                   WHERE r.dataset_id = $1 AND r.type = w.type AND r.id = w.id`,
            values: [
              datasetId,
              stale.map((row) => row.type),
              stale.map((row) => row.id),
              ordered.map(({ index }) => index.patientId),
              ordered.map(({ index }) => index.sortDate?.low ?? null),
              ordered.map(({ index }) => index.sortDate?.high ?? null),
              ordered.map(({ tokens }) => `{${tokens.join(',')}}`),
            ],
          },
          client,
        )
        await insertIndexRows(run, datasetId, drafts, client)
        return stale.length
      },
      { statementTimeoutMs: 0 },
    )
  }

  async function lock(
    datasetId: number,
    addresses: readonly Address[],
    client: pg.PoolClient,
  ): Promise<Stale[]> {
    const { rows } = await run<Stale>(
      datasetId,
      {
        name: 'reindex:lock',
        text: `SELECT r.type, r.id, r.patient_id AS "patientId", r.content
               FROM clinical.resource r
               JOIN unnest($2::smallint[], $3::text[]) AS w (type, id) ON r.type = w.type AND r.id = w.id
               WHERE r.dataset_id = $1 AND r.index_version < ${indexVersion} AND NOT r.deleted
               ORDER BY r.type, r.id FOR UPDATE OF r`,
        values: [datasetId, addresses.map((row) => row.type), addresses.map((row) => row.id)],
      },
      client,
    )
    return rows
  }

  return { reindex }
}
