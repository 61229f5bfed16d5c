/** The origins of imported resources, so that importing a source again updates the resources that it became. */
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'
import type { Run } from './statements.ts'
import { ofDataset } from './withheld.ts'

export interface Origin {
  readonly type: FhirType
  /** The id at the source, or a generated one if the resource had none there. */
  readonly source: string
  /** The stored resource's id. */
  readonly id: string
  /** The hash of the source's text. */
  readonly hash: string
  readonly version: number
}

export interface KnownOrigin extends Origin {
  /** The resource's current state; null if it does not exist any more. */
  readonly stored: { readonly version: number; readonly deleted: boolean } | null
}

/** The table with its columns, for COPY. */
export const originTable = 'clinical.origin (dataset_id, type, source, id, hash, version)'
/** @returns by `Type/source`, the sources that were imported before */
export async function findOrigins(
  core: StoreCore,
  datasetId: number,
  sources: readonly { readonly type: FhirType; readonly source: string }[],
): Promise<ReadonlyMap<string, KnownOrigin>> {
  const { run } = core.statements
  if (sources.length === 0) return new Map()
  const { rows } = await run<{
    type: number
    source: string
    id: string
    hash: string
    version: number
    current: number | null
    deleted: boolean | null
  }>(datasetId, {
    name: 'origin:find',
    text: `SELECT o.type, o.source, o.id, o.hash, o.version, r.version AS current, r.deleted
             FROM unnest($2::smallint[], $3::text[]) AS w (type, source)
             JOIN clinical.origin o ON o.dataset_id = $1 AND o.type = w.type AND o.source = w.source
             LEFT JOIN clinical.resource r ON ${ofDataset('r')} AND r.type = o.type AND r.id = o.id`,
    values: [
      datasetId,
      sources.map(({ type }) => fhirTypeNumbers[type]),
      sources.map(({ source }) => source),
    ],
  })
  return new Map(
    rows.map(({ type, source, id, hash, version, current, deleted }) => {
      const stored = current === null ? null : { version: current, deleted: deleted ?? false }
      return [`${fhirTypeOf(type)}/${source}`, { type: fhirTypeOf(type), source, id, hash, version, stored }]
    }),
  )
}

/** Runs in the transaction that stores a newer version of the source. */
export async function renewOrigin(
  run: Run,
  datasetId: number,
  { type, source, hash, version }: Omit<Origin, 'id'>,
): Promise<void> {
  await run(datasetId, {
    name: 'origin:renew',
    text: `UPDATE clinical.origin SET hash = $4, version = $5
             WHERE dataset_id = $1 AND type = $2 AND source = $3`,
    values: [datasetId, fhirTypeNumbers[type], source, hash, version],
  })
}
