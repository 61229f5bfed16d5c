/** Some resources of a type, for pages that show what kind of values a dataset holds. Never handed on as they are. */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'
/** Ordered by ID, so that the sample is stable. */
export async function sample(
  core: StoreCore,
  datasetId: number,
  type: FhirType,
  limit: number,
): Promise<string[]> {
  const { run } = core.statements
  const { rows } = await run<{ content: string }>(datasetId, {
    name: 'sample',
    text: `SELECT content FROM clinical.resource
             WHERE dataset_id = $1 AND type = $2 AND NOT deleted ORDER BY id LIMIT $3`,
    values: [datasetId, fhirTypeNumbers[type], limit],
  })
  return rows.map(({ content }) => content)
}
