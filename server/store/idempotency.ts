/**
 * Requests that were answered once, by the name their caller gave them. The row is made first in the transaction
 * of the write: of two at once the second waits for the first to commit or to give up.
 */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { noDataset, type Statements } from './statements.ts'

export interface Once {
  readonly keyId: string
  /** The caller's Idempotency-Key. */
  readonly name: string
  /** SHA-256 of the operation and the body. */
  readonly request: Buffer
  /** The injected clock's now. */
  readonly now: Date
  /** Names given before are forgotten. */
  readonly since: Date
}

type Claimed =
  | { readonly kind: 'first' }
  /** Answered before: with what this made. */
  | { readonly kind: 'again'; readonly type: FhirType; readonly id: string }
  /** The name was given to another request. */
  | { readonly kind: 'other' }

/** @param made what the request is about to make; undone with the transaction. */
export async function claimOnce(
  run: Statements['run'],
  datasetId: number,
  once: Once,
  made: { readonly status: number; readonly type: FhirType; readonly id: string },
  client: pg.PoolClient,
): Promise<Claimed> {
  const inserted = await run(
    datasetId,
    {
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
        made.status,
        fhirTypeNumbers[made.type],
        made.id,
        once.now,
        once.since,
      ],
    },
    client,
  )
  if (inserted.rowCount === 1) return { kind: 'first' }
  const { rows } = await run<{ same: boolean; type: number; id: string }>(
    datasetId,
    {
      name: 'idempotency:read',
      text: `SELECT request = $4 AS same, resource_type AS type, resource_id AS id
             FROM clinical.idempotency WHERE dataset_id = $1 AND key_id = $2 AND name = $3`,
      values: [datasetId, once.keyId, once.name, once.request],
    },
    client,
  )
  const [known] = rows
  if (!known?.same) return { kind: 'other' }
  return { kind: 'again', type: fhirTypeOf(known.type), id: known.id }
}

/** Forgets what was answered before `before`. @returns how many */
export async function deleteOnceBefore(run: Statements['run'], before: Date): Promise<number> {
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
