/**
 * Creates resources for a caller. One transaction checks the credential, the Idempotency-Key and the referenced resources,
 * writes the rows, and writes the access record.
 */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import type { Resource } from './index-rows.ts'
import type { Liveness } from './liveness.ts'
import { lockIdentifier } from './locks.ts'
import { noDataset, type Run } from './statements.ts'
import { type WrittenResource, write } from './write.ts'

interface Address {
  readonly type: FhirType
  readonly id: string
}

export interface Creation {
  readonly liveness: Liveness
  /** The resource that the caller requested, one of `resources`. */
  readonly made: Address
  readonly resources: readonly Resource[]
  readonly once: Once | null
  /** Resources that must exist, in the patient's chart if `patientId` is set. An error names the `field`. */
  readonly references: readonly (Address & { readonly field: string; readonly patientId?: string })[]
  /** An identifier that no other resource of the type of `made` may have. */
  readonly unique: { readonly system: string; readonly value: string } | null
  /** Runs last in the transaction; an error rolls the write back. */
  readonly record: (client: pg.PoolClient) => Promise<void>
}

type Created =
  | { readonly kind: 'created'; readonly resource: WrittenResource }
  /** Nothing was written: an earlier request with the same Idempotency-Key created this resource. */
  | { readonly kind: 'again'; readonly type: FhirType; readonly id: string }
  | { readonly kind: 'other_request' }
  | { readonly kind: 'missing'; readonly field: string }
  | { readonly kind: 'taken' }
  /** The credential is not valid (any more), or its practice has moved to another dataset. */
  | { readonly kind: 'dead' }

/** @throws Problem `forbidden` if the practice's records are read-only, and the problems of `write` */
export async function create(core: StoreCore, datasetId: number, creation: Creation): Promise<Created> {
  const { made } = creation
  try {
    const written = await write(core, datasetId, creation.resources, {
      liveness: creation.liveness,
      isNew: true,
      before: (run) => check(run, datasetId, creation),
      within: ({ client }) => creation.record(client),
    })
    if (!written.alive) return { kind: 'dead' }
    const resource = written.resources.find(({ type, id }) => type === made.type && id === made.id)
    if (resource === undefined) throw new Error('the writer gave no text of what it wrote')
    return { kind: 'created', resource }
  } catch (thrown) {
    if (thrown instanceof Stopped) return thrown.outcome
    throw thrown
  }
}

async function check(run: Run, datasetId: number, creation: Creation) {
  const { once, references, unique, made } = creation
  if (once !== null) {
    const claimed = await claimOnce(run, datasetId, once, { ...made, status: 201 })
    if (claimed.kind === 'again') throw new Stopped(claimed)
    if (claimed.kind === 'other') throw new Stopped({ kind: 'other_request' })
  }
  const owners = await readOwners(run, datasetId, references)
  for (const { field, patientId, ...address } of references) {
    const owner = owners.get(keyOf(address))
    if (owner === undefined || (patientId !== undefined && owner !== patientId))
      throw new Stopped({ kind: 'missing', field })
  }
  if (unique !== null && (await isTaken(run, datasetId, made.type, unique)))
    throw new Stopped({ kind: 'taken' })
}

/** Locks the rows until the end of the transaction, so that no referenced resource is deleted meanwhile. */
async function readOwners(run: Run, datasetId: number, addresses: readonly Address[]) {
  if (addresses.length === 0) return new Map<string, string | null>()
  const { rows } = await run<{ type: number; id: string; owner: string | null }>(datasetId, {
    name: 'create:references',
    text: `SELECT r.type, r.id, r.patient_id AS owner FROM clinical.resource r
             JOIN unnest($2::smallint[], $3::text[]) AS w (type, id) ON r.type = w.type AND r.id = w.id
             WHERE r.dataset_id = $1 AND NOT r.deleted ORDER BY r.type, r.id FOR SHARE OF r`,
    values: [datasetId, addresses.map(({ type }) => fhirTypeNumbers[type]), addresses.map(({ id }) => id)],
  })
  return new Map(rows.map(({ type, id, owner }) => [keyOf({ type: fhirTypeOf(type), id }), owner]))
}

/** The lock makes a second transaction with the same identifier wait until it can see the first one's row. */
async function isTaken(
  run: Run,
  datasetId: number,
  type: FhirType,
  { system, value }: { system: string; value: string },
): Promise<boolean> {
  await run(datasetId, lockIdentifier(datasetId, `${type}|${system}|${value}`))
  const { rowCount } = await run(datasetId, {
    name: 'create:taken',
    text: `SELECT 1 FROM clinical.identifier
             WHERE dataset_id = $1 AND type = $2 AND value = $3 AND system = $4 LIMIT 1`,
    values: [datasetId, fhirTypeNumbers[type], value, system],
  })
  return rowCount !== 0
}

/** Rolls the transaction back and carries an expected outcome. */
class Stopped extends Error {
  readonly outcome: Created

  constructor(outcome: Created) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

function keyOf({ type, id }: Address): string {
  return `${type}/${id}`
}

// Stores requests by their Idempotency-Key. The row is inserted first in the transaction of the write, so that a
// concurrent request with the same key waits until the first one commits or rolls back.

interface Once {
  readonly keyId: string
  /** The caller's Idempotency-Key. */
  readonly name: string
  /** SHA-256 of the operation and the body. */
  readonly request: Buffer
  /** The time of the injected clock. */
  readonly now: Date
  /** Older rows no longer count. */
  readonly since: Date
}

type Claimed =
  | { readonly kind: 'first' }
  /** An earlier, equal request created this resource. */
  | { readonly kind: 'again'; readonly type: FhirType; readonly id: string }
  /** The same key was used for a different request. */
  | { readonly kind: 'other' }

/** @param created the resource that the transaction creates */
async function claimOnce(
  run: Run,
  datasetId: number,
  once: Once,
  created: { readonly status: number; readonly type: FhirType; readonly id: string },
): Promise<Claimed> {
  const inserted = await run(datasetId, {
    name: 'idempotency:claim',
    text: `INSERT INTO clinical.idempotency AS known
             (dataset_id, key_id, name, request, status, resource_type, resource_id, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (dataset_id, key_id, name) DO UPDATE SET request = excluded.request,
             status = excluded.status, resource_type = excluded.resource_type,
             resource_id = excluded.resource_id, created_at = excluded.created_at
           WHERE known.created_at <= $9`,
    values: [
      datasetId,
      once.keyId,
      once.name,
      once.request,
      created.status,
      fhirTypeNumbers[created.type],
      created.id,
      once.now,
      once.since,
    ],
  })
  if (inserted.rowCount === 1) return { kind: 'first' }
  const { rows } = await run<{ same: boolean; type: number; id: string }>(datasetId, {
    name: 'idempotency:read',
    text: `SELECT request = $4 AS same, resource_type AS type, resource_id AS id
           FROM clinical.idempotency WHERE dataset_id = $1 AND key_id = $2 AND name = $3`,
    values: [datasetId, once.keyId, once.name, once.request],
  })
  const [known] = rows
  if (!known?.same) return { kind: 'other' }
  return { kind: 'again', type: fhirTypeOf(known.type), id: known.id }
}

/** @returns the number of deleted rows */
export async function deleteOnceBefore(run: Run, before: Date): Promise<number> {
  return deleteInBatches(async (limit) => {
    const { rowCount } = await run(noDataset, {
      name: 'idempotency:delete',
      text: `DELETE FROM clinical.idempotency WHERE (dataset_id, key_id, name) IN (
               SELECT dataset_id, key_id, name FROM clinical.idempotency WHERE created_at <= $1
               ORDER BY created_at LIMIT $2)`,
      values: [before, limit],
    })
    return { count: rowCount ?? 0 }
  })
}
