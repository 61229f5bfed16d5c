/** Reads a few resources of many datasets in one statement: what a list over practices shows of each. */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'

interface AddressAcross {
  readonly datasetId: number
  readonly type: FhirType
  readonly id: string
}
/** By dataset, the texts of a type in the order of their ids. Deleted ones are left out. */
export async function readAcross(
  core: StoreCore,
  datasetIds: readonly number[],
  type: FhirType,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { runForMany } = core.statements
  const { rows } = await runForMany<{ datasetId: number; content: string }>(datasetIds, {
    name: 'read-across',
    text: `SELECT dataset_id AS "datasetId", content FROM clinical.resource
             WHERE dataset_id = ANY ($1::int[]) AND type = $2 AND NOT deleted ORDER BY dataset_id, id`,
    values: [datasetIds, fhirTypeNumbers[type]],
  })
  const texts = new Map<number, string[]>()
  for (const { datasetId, content } of rows) {
    texts.set(datasetId, [...(texts.get(datasetId) ?? []), content])
  }
  return texts
}

/** In the order of the addresses, the text of each; null when it is not there. */
export async function findAcross(
  core: StoreCore,
  addresses: readonly AddressAcross[],
): Promise<readonly (string | null)[]> {
  const { runForMany } = core.statements
  const { rows } = await runForMany<{ content: string | null }>(
    addresses.map(({ datasetId }) => datasetId),
    {
      name: 'find-across',
      text: `SELECT r.content FROM unnest($1::int[], $2::smallint[], $3::text[])
                 WITH ORDINALITY AS w (dataset_id, type, id, at)
               LEFT JOIN clinical.resource r ON r.dataset_id = w.dataset_id AND r.type = w.type AND r.id = w.id
                 AND NOT r.deleted
               ORDER BY w.at`,
      values: [
        addresses.map(({ datasetId }) => datasetId),
        addresses.map(({ type }) => fhirTypeNumbers[type]),
        addresses.map(({ id }) => id),
      ],
    },
  )
  return rows.map(({ content }) => content)
}
