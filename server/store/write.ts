/** Writes resources in one transaction. A dataset that is not served yet is filled by bulk-load.ts. */
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import { recordText } from '../search/patient-record.ts'
import type { StoreCore } from './core.ts'
import { checkWritable, openDataset } from './dataset-lock.ts'
import { addressOf, makeDrafts } from './drafts.ts'
import type { Resource } from './index-rows.ts'
import { type Draft, insertIndexRows, removeIndexRows } from './index-tables.ts'
import type { VersionNumbers } from './index-versions.ts'
import type { Liveness } from './liveness.ts'
import { assignOwners } from './owners.ts'
import { resourceText } from './resource-text.ts'
import type { Run, Transaction } from './statements.ts'
import { splitByPlace } from './withheld.ts'

interface WriteOptions {
  readonly liveness: Liveness
  /** All ids are new, so there is no earlier version to replace. */
  readonly isNew?: boolean
  /** Replaces the database clock while a dataset is loading, so that the same seed gives the same texts. */
  readonly stamp?: Date
  /** Runs first in the transaction, after the credential check. An error rolls everything back. */
  readonly before?: (run: Run) => Promise<void>
  /** Runs last in the transaction, for example to write the access record. An error rolls the write back. */
  readonly within?: (transaction: Transaction, written: readonly WrittenResource[]) => Promise<void>
}

export interface WrittenResource {
  readonly type: FhirType
  readonly id: string
  readonly version: number
  readonly lastUpdated: Date
  readonly content: string
}

type Written = { readonly alive: boolean; readonly resources: readonly WrittenResource[] }

interface Previous {
  type: number
  id: string
  version: number
  patientId: string | null
}

/**
 * Creates resources, or replaces those with the same type and id; all or none. Sets `meta.versionId` and
 * `meta.lastUpdated`. Writes nothing if the credential is not valid.
 * @throws Problem `validation`, `payload_too_large`, `forbidden` (the dataset is read-only), `conflict` (it is being
 * deleted, or two calls created the same id at once), `unavailable`
 */
export async function write(
  core: StoreCore,
  datasetId: number,
  resources: readonly Resource[],
  options: WriteOptions,
): Promise<Written> {
  const { dictionary, versions } = core
  const ownerless = await makeDrafts(dictionary, resources)
  const numbers = await versions.ownNumbers()
  return core.statements.transaction(async (transaction) => {
    const { run } = transaction
    const opened = await openDataset(run, datasetId, options.liveness)
    if (!opened.alive) return { alive: false, resources: [] }
    checkWritable(opened, { stamped: options.stamp !== undefined })
    await options.before?.(run)
    const drafts = await assignOwners(run, datasetId, ownerless)
    const now = opened.state === 'loading' ? (options.stamp ?? opened.now) : opened.now
    // Callers cannot write to withheld charts, because their references must exist in the visible dataset.
    const parts =
      options.liveness.kind === 'none'
        ? await splitByPlace(run, datasetId, drafts)
        : [{ place: datasetId, drafts }]
    const written: WrittenResource[] = []
    for (const part of parts)
      written.push(...(await replaceIn(run, part, { now, numbers, isNew: options.isNew === true })))
    await options.within?.(transaction, written)
    return { alive: true, resources: written }
  })
}

async function replaceIn(
  run: Run,
  { place, drafts }: { place: number; drafts: readonly Draft[] },
  { now, numbers, isNew }: { now: Date; numbers: VersionNumbers; isNew: boolean },
): Promise<readonly WrittenResource[]> {
  const before = isNew ? new Map<string, Previous>() : await lockPrevious(run, place, drafts)
  const written = drafts.map((each) => stamp(each, before.get(addressOf(each))?.version ?? 0, now))
  await removeIndexRows(run, place, [...before.values()])
  await store(run, place, drafts, written, before, numbers)
  await insertIndexRows(run, place, drafts)
  return written
}

/** Locks the versions that are about to be replaced, in the order of their keys. */
async function lockPrevious(run: Run, datasetId: number, drafts: readonly Draft[]) {
  const { rows } = await run<Previous>(datasetId, {
    name: 'write:previous',
    text: `SELECT r.type, r.id, r.version, r.patient_id AS "patientId"
             FROM clinical.resource r
             JOIN unnest($2::smallint[], $3::text[]) AS w (type, id) ON r.type = w.type AND r.id = w.id
             WHERE r.dataset_id = $1 ORDER BY r.type, r.id FOR UPDATE OF r`,
    values: [datasetId, drafts.map((each) => numberOf(each)), drafts.map((each) => each.resource.id)],
  })
  return new Map(rows.map((row) => [`${fhirTypeOf(row.type)}/${row.id}`, row]))
}

async function store(
  run: Run,
  datasetId: number,
  drafts: readonly Draft[],
  written: readonly WrittenResource[],
  before: ReadonlyMap<string, Previous>,
  numbers: VersionNumbers,
): Promise<void> {
  const { rowCount } = await run(datasetId, {
    name: before.size === 0 ? 'write:insert' : 'write:upsert',
    text: `INSERT INTO clinical.resource
               (dataset_id, type, id, patient_id, date, date_end, last_updated, version, index_version, tokens, content, record)
             SELECT $1::int, w.type, w.id, w.patient_id, coalesce(w.date, '-infinity'), w.date_end, w.last_updated,
                    w.version, w.index_version, w.tokens::int[], w.content, w.record
             FROM unnest($2::smallint[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
                         $7::timestamptz[], $8::int[], $9::smallint[], $10::text[], $11::text[], $12::text[])
               AS w (type, id, patient_id, date, date_end, last_updated, version, index_version, tokens, content, record)
             ON CONFLICT (dataset_id, type, id) ${before.size === 0 ? 'DO NOTHING' : replace}`,
    values: [
      datasetId,
      drafts.map((each) => numberOf(each)),
      drafts.map((each) => each.resource.id),
      drafts.map((each) => each.index.patientId),
      drafts.map((each) => each.index.sortDate?.low ?? null),
      drafts.map((each) => each.index.sortDate?.high ?? null),
      written.map((each) => each.lastUpdated.toISOString()),
      written.map((each) => each.version),
      drafts.map((each) => numbers[each.resource.resourceType]),
      drafts.map((each) => `{${each.tokens.join(',')}}`),
      written.map((each) => each.content),
      written.map((each) => recordText(each.type, each.content)),
    ],
  })
  if (rowCount !== drafts.length) {
    throw new Problem('conflict', {
      detail: 'the same resource was made by another writer at the same time',
    })
  }
}

/** Replaces only the version that was locked. Any other version comes from a concurrent writer. */
const replace = `DO UPDATE SET patient_id = excluded.patient_id, date = excluded.date, date_end = excluded.date_end,
  last_updated = excluded.last_updated, version = excluded.version, deleted = false,
  index_version = excluded.index_version, tokens = excluded.tokens, content = excluded.content, record = excluded.record
  WHERE resource.version = excluded.version - 1`

function stamp({ resource }: Draft, versionBefore: number, now: Date): WrittenResource {
  const version = versionBefore + 1
  return {
    type: resource.resourceType,
    id: resource.id,
    version,
    lastUpdated: now,
    content: resourceText(resource, version, now.toISOString()),
  }
}

function numberOf({ resource }: Draft): number {
  return fhirTypeNumbers[resource.resourceType]
}
