/**
 * Datasets: what a practice points at (decision 10). Made in state `loading`, served when `ready`, removed
 * through `deleting`; killed in between, the state says what is left to do.
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

/** Tables copied so far, the longest first. */
export type OnCopyProgress = (progress: { finished: number; of: number }) => void

interface CopyDetails {
  readonly name: string
  readonly kind: DatasetKind
  /** `loading`, when more is to come. */
  readonly state?: 'loading' | 'ready'
  readonly source?: string
  /** The time of change of every resource becomes now: for data that takes the place of other data. */
  readonly restamp?: boolean
  readonly onProgress?: OnCopyProgress
}

/** Rows deleted in one short transaction. */
const removalBatchRows = 5_000

/** Narrow tables first: a half-removed dataset is found again by its row in `dataset` alone. */
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

/** An empty dataset in state `loading`. `source` says what it is made from. */
export async function createDataset(
  core: StoreCore,
  details: { name: string; kind: DatasetKind; source: string },
): Promise<number> {
  const { run } = core.statements
  const { rows } = await run<{ id: number }>(noDataset, insertDataset(core, { ...details, state: 'loading' }))
  return idOf(rows)
}

/** From now on reads find it; template and demonstration data are read-only from here. */
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
 * A copy with the same ids, texts and versions, in one transaction: whole or not there, withheld charts among them. Of
 * documents it holds references alone.
 * @returns the id of the copy. @throws Problem `conflict` when the source is not ready.
 */
export function copyDataset(
  core: StoreCore,
  datasetId: number,
  { name, kind, state = 'ready', source: madeFrom, restamp = false, onProgress }: CopyDetails,
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
      // A content that the source gives up meanwhile stays until the copy holds it.
      await run(datasetId, lockContents('shared'))
      const created = await run<{ id: number }>(
        noDataset,
        insertDataset(core, { name, kind, source: madeFrom ?? `copy of dataset ${datasetId}`, state }),
      )
      const target = idOf(created.rows)
      // Resources last: their new time of change is as late as can be.
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
 * Deletes the dataset in batches. May be killed and called again; two at once do no harm.
 * @throws Problem `conflict` while a practice points at it.
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

/** Writers under way end first; later ones find the state. */
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

/** The dataset, in whatever state; null when there is none. */
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

/** Datasets of a name, oldest first, in whatever state. */
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
 * Ids of datasets of a kind, made before an instant, that are not among the used ones: left over by a kill. One
 * that is being loaded is given a day more, and one that was retired since then is left to its own job.
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

/** How many resources of each type there are, deleted ones left out. */
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

/** Every column but the dataset, of which the copy has its own. */
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

/** `meta` stands before all that could hold another `lastUpdated`: see `resource-text`. A record ends with its own. */
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
