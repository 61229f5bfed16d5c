/**
 * A dataset holds the resources of a practice (decision 10). It is created as `loading`, served as `ready` and removed as
 * `deleting`. After a kill, the state says what is left to do.
 */
import { type FhirType, fhirTypeOf } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { StoreCore } from './core.ts'
import type { DatasetKind, DatasetState } from './dataset-lock.ts'
import { lockContents, lockDatasetAlone } from './locks.ts'
import { noDataset, type Run } from './statements.ts'
import { sweepContents } from './sweep-contents.ts'
import { ofDataset } from './withheld.ts'

export interface Dataset {
  readonly id: number
  readonly name: string
  readonly kind: DatasetKind
  readonly state: DatasetState
  readonly source: string
  readonly createdAt: Date
}

/** The number of copied tables. */
export type OnCopyProgress = (progress: { finished: number; of: number }) => void

interface CopyDetails {
  readonly name: string
  readonly kind: DatasetKind
  /** `loading` if more resources will be added; `ready` by default. */
  readonly state?: 'loading' | 'ready'
  readonly source?: string
  /** Sets lastUpdated of every resource to now, for data that replaces other data. */
  readonly restamp?: boolean
  readonly onProgress?: OnCopyProgress
}

/** The most rows that one transaction deletes. */
const removalBatchRows = 5_000

/** In the order of removal. The row in `dataset` goes last, so that a half-removed dataset is found again. */
const tables = [
  'resource',
  'moment',
  'coding',
  'name',
  'identifier',
  'roster',
  'link',
  'attachment',
  'origin',
] as const

/** Creates an empty dataset in state `loading`. @param details `source` describes where its data comes from */
export async function createDataset(
  core: StoreCore,
  details: { name: string; kind: DatasetKind; source: string },
): Promise<number> {
  const { run } = core.statements
  const { rows } = await run<{ id: number }>(noDataset, insertDataset(core, { ...details, state: 'loading' }))
  return idOf(rows)
}

/** Makes the dataset readable. From now on template and demonstration data are read-only. */
export async function markReady(core: StoreCore, datasetId: number): Promise<void> {
  const { run } = core.statements
  const { rowCount } = await run(datasetId, {
    name: 'dataset:ready',
    text: `UPDATE clinical.dataset SET state = 'ready' WHERE id = $1 AND state = 'loading'`,
    values: [datasetId],
  })
  if (rowCount !== 1) throw new Problem('conflict', { detail: `dataset ${datasetId} is not being loaded` })
}

/**
 * Copies a dataset in one transaction, with the same ids, texts and versions, and with its withheld charts. Documents are
 * not copied: the copy refers to the same contents.
 * @returns the id of the copy. @throws Problem `conflict` if the source is not ready
 */
export function copyDataset(
  core: StoreCore,
  datasetId: number,
  { name, kind, state = 'ready', source: description, restamp = false, onProgress }: CopyDetails,
): Promise<number> {
  return core.statements.transaction(
    async ({ run }) => {
      const source = await run<{ id: number }>(datasetId, {
        name: 'dataset:share',
        text: `SELECT id FROM clinical.dataset WHERE id = $1 AND state = 'ready' FOR SHARE`,
        values: [datasetId],
      })
      if (source.rowCount !== 1)
        throw new Problem('conflict', { detail: `dataset ${datasetId} is not ready` })
      // The lock keeps sweeps from deleting a content that the source drops before the copy refers to it.
      await run(datasetId, lockContents('shared'))
      const created = await run<{ id: number }>(
        noDataset,
        insertDataset(core, { name, kind, source: description ?? `copy of dataset ${datasetId}`, state }),
      )
      const target = idOf(created.rows)
      // Resources go last, so that their new lastUpdated is as late as possible.
      for (const [finished, table] of [...tables].reverse().entries()) {
        onProgress?.({ finished, of: tables.length })
        const rows =
          restamp && table === 'resource'
            ? restampedRows(datasetId, target)
            : copyRows(table, datasetId, target)
        await run(datasetId, rows)
      }
      onProgress?.({ finished: tables.length, of: tables.length })
      return target
    },
    { isolation: 'repeatable read', statementTimeoutMs: 0 },
  )
}

/**
 * Deletes the dataset in batches. It can be killed and called again, and two calls can run at once.
 * @throws Problem `conflict` while a practice uses the dataset
 */
export async function removeDataset(core: StoreCore, datasetId: number): Promise<void> {
  const { run } = core.statements
  await beginRemoval(core, datasetId)
  for (const table of tables) {
    let rowCount: number | null = removalBatchRows
    while (rowCount === removalBatchRows) {
      rowCount = (await run(datasetId, deleteRows(table, datasetId))).rowCount
    }
  }
  await sweepContents(core)
  await run(datasetId, {
    name: 'dataset:delete',
    text: `DELETE FROM clinical.dataset WHERE id = $1 AND state = 'deleting'`,
    values: [datasetId],
  })
}

/** The lock waits for running writers. Later writers see the state `deleting`. */
async function beginRemoval(core: StoreCore, datasetId: number): Promise<void> {
  await core.statements.transaction(async ({ run }) => {
    await run(datasetId, lockDatasetAlone(datasetId))
    const { rowCount } = await run(datasetId, {
      name: 'dataset:remove',
      text: `UPDATE clinical.dataset SET state = 'deleting' WHERE id = $1
               AND NOT EXISTS (SELECT 1 FROM portal.practice p WHERE p.dataset_id = $1)`,
      values: [datasetId],
    })
    if (rowCount === 1 || (await readDataset(run, datasetId)) === null) return
    throw new Problem('conflict', { detail: `dataset ${datasetId} is the data of a practice` })
  })
}

/** @returns the dataset in any state; null if it does not exist */
export function findDataset(core: StoreCore, datasetId: number): Promise<Dataset | null> {
  return readDataset(core.statements.run, datasetId)
}

async function readDataset(run: Run, datasetId: number): Promise<Dataset | null> {
  const { rows } = await run<Dataset>(datasetId, {
    name: 'dataset:find',
    text: `SELECT ${columns} FROM clinical.dataset WHERE id = $1`,
    values: [datasetId],
  })
  return rows[0] ?? null
}

/** @returns datasets of a name in any state, oldest first */
export async function listNamedDatasets(core: StoreCore, name: string): Promise<Dataset[]> {
  const { run } = core.statements
  const { rows } = await run<Dataset>(noDataset, {
    name: 'dataset:named',
    text: `SELECT ${columns} FROM clinical.dataset WHERE name = $1 ORDER BY id`,
    values: [name],
  })
  return rows
}

/**
 * Lists datasets of a kind that a kill left behind: created before an instant, and not among the used ones. A dataset in
 * state `loading` gets one more day, and one that was retired after the instant has its own job.
 */
export async function listUnusedDatasets(
  core: StoreCore,
  query: {
    kind: DatasetKind
    usedIds: readonly number[]
    before: Date
  },
): Promise<number[]> {
  const { run } = core.statements
  const { rows } = await run<{ id: number }>(noDataset, {
    name: 'dataset:unused',
    text: `SELECT id FROM clinical.dataset WHERE kind = $1 AND NOT id = ANY ($2::int[]) AND created_at < $3::timestamptz - CASE state WHEN 'loading' THEN interval '1 day' ELSE interval '0' END AND (retired_at IS NULL OR retired_at < $3::timestamptz) ORDER BY id`,
    values: [query.kind, query.usedIds, query.before],
  })
  return rows.map((row) => row.id)
}

/** Counts the resources of each type that are not deleted. */
export async function countResources(
  core: StoreCore,
  datasetId: number,
): Promise<Partial<Record<FhirType, number>>> {
  const { run } = core.statements
  const { rows } = await run<{ type: number; count: number }>(datasetId, {
    name: 'dataset:counts',
    text: `SELECT type, count(*)::int AS count FROM clinical.resource
             WHERE dataset_id = $1 AND NOT deleted GROUP BY type ORDER BY type`,
    values: [datasetId],
  })
  return Object.fromEntries(rows.map((row) => [fhirTypeOf(row.type), row.count]))
}

function insertDataset(core: StoreCore, row: Pick<Dataset, 'name' | 'kind' | 'source' | 'state'>) {
  const { clock } = core
  return {
    name: 'dataset:insert',
    text: `INSERT INTO clinical.dataset (name, kind, state, source, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    values: [row.name, row.kind, row.state, row.source, clock()],
  }
}

const columns = 'id, name, kind, state, source, created_at AS "createdAt"'

/** All columns except dataset_id, which differs in the copy. */
const columnsOf: Readonly<Record<(typeof tables)[number], string>> = {
  resource:
    'type, id, patient_id, date, date_end, last_updated, version, deleted, index_version, tokens, content, record',
  moment: 'patient_id, type, parameter, low, high, id',
  coding: 'patient_id, type, token, id',
  name: 'type, parameter, value, id',
  identifier: 'type, value, system, id',
  roster: 'type, id, ordinal, key, sort, born',
  link: 'kind, target_type, target, source_type, source',
  attachment: 'type, id, ordinal, content_type, sha256',
  origin: 'type, source, id, hash, version',
}

function copyRows(table: (typeof tables)[number], from: number, to: number) {
  return {
    name: `dataset:copy:${table}`,
    text: `INSERT INTO clinical.${table} (dataset_id, ${columnsOf[table]})
           SELECT sign(dataset_id)::int * $2::int, ${columnsOf[table]} FROM clinical.${table} WHERE ${ofDataset()}`,
    values: [from, to],
  }
}

/** The first `lastUpdated` of a content is in its `meta`, because `meta` comes first (resource-text.ts). A record's is last. */
function restampedRows(from: number, to: number) {
  const changed = columnsOf.resource
    .replace('last_updated', 'stamp.at')
    .replace(
      'content',
      `regexp_replace(content, '"lastUpdated":"[^"]*"', '"lastUpdated":"' || stamp.text || '"')`,
    )
    .replace(
      'record',
      // A function, because `$'` would mean the rest of the text.
      () => `regexp_replace(record, '"lastUpdated":"[^"]*"}$', '"lastUpdated":"' || stamp.text || '"}')`,
    )
  return {
    name: 'dataset:restamp:resource',
    text: `WITH now AS (SELECT date_trunc('milliseconds', clock_timestamp()) AS at),
             stamp AS (SELECT at, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS text FROM now)
           INSERT INTO clinical.resource (dataset_id, ${columnsOf.resource})
           SELECT sign(dataset_id)::int * $2::int, ${changed} FROM clinical.resource CROSS JOIN stamp WHERE ${ofDataset()}`,
    values: [from, to],
  }
}

function deleteRows(table: (typeof tables)[number], datasetId: number) {
  return {
    name: `dataset:delete:${table}`,
    text: `DELETE FROM clinical.${table} WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM clinical.${table} WHERE ${ofDataset()} LIMIT ${removalBatchRows}))`,
    values: [datasetId],
  }
}

function idOf(rows: readonly { id: number }[]): number {
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the dataset was not inserted')
  return id
}
