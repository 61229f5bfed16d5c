/** Finds many resources at once for tools, by address or identifier, including deleted and withheld ones. */
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'
import { ofDataset } from './withheld.ts'

interface Address {
  readonly type: FhirType
  readonly id: string
}

export interface IdentifierKey {
  readonly type: FhirType
  /** Null for any system. */
  readonly system: string | null
  readonly value: string
}
/** @returns by `Type/id`, the addresses that exist, with their content; it is empty if the resource is deleted */
export async function findStored(core: StoreCore, datasetId: number, addresses: readonly Address[]) {
  const { run } = core.statements
  if (addresses.length === 0) return new Map()
  const { rows } = await run<{ type: number; id: string; deleted: boolean; content: string }>(datasetId, {
    name: 'lookup:stored',
    text: `SELECT r.type, r.id, r.deleted, r.content FROM unnest($2::smallint[], $3::text[]) AS w (type, id)
             JOIN clinical.resource r ON ${ofDataset('r')} AND r.type = w.type AND r.id = w.id`,
    values: [datasetId, addresses.map(({ type }) => fhirTypeNumbers[type]), addresses.map(({ id }) => id)],
  })
  return new Map(rows.map(({ type, id, ...row }) => [`${fhirTypeOf(type)}/${id}`, row]))
}

/** @returns for each identifier, in order, the id of the first resource that has it, or null */
export async function findIdentified(core: StoreCore, datasetId: number, keys: readonly IdentifierKey[]) {
  const { run } = core.statements
  if (keys.length === 0) return []
  const { rows } = await run<{ id: string | null }>(datasetId, {
    name: 'lookup:identified',
    text: `SELECT (SELECT min(i.id) FROM clinical.identifier i
                     WHERE ${ofDataset('i')} AND i.type = w.type AND i.value = w.value
                       AND (w.system IS NULL OR i.system = w.system)) AS id
             FROM unnest($2::smallint[], $3::text[], $4::text[]) WITH ORDINALITY AS w (type, system, value, at)
             ORDER BY w.at`,
    values: [
      datasetId,
      keys.map(({ type }) => fhirTypeNumbers[type]),
      keys.map(({ system }) => system),
      keys.map(({ value }) => value),
    ],
  })
  return rows.map(({ id }) => id)
}
