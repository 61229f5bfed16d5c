/**
 * Withheld charts have the negative number of their practice's dataset, where statements for callers never look. Triggers
 * move them. Tools that write resources of a withheld chart store them there, too.
 */
import { fhirTypeNumbers } from '../contract/fhir/registry.ts'
import type { Draft } from './index-tables.ts'
import type { Run } from './statements.ts'

/** The number under which a dataset's withheld charts are stored. */
export function withheldOf(datasetId: number): number {
  return -datasetId
}

/** A condition for rows of dataset `$1` including its withheld charts. Only for tools, never for a caller. */
export function ofDataset(alias?: string): string {
  const column = alias === undefined ? 'dataset_id' : `${alias}.dataset_id`
  return `${column} IN ($1::int, -$1::int)`
}

/** Groups drafts by the dataset number of their chart or of their earlier version. */
export async function splitByPlace(
  run: Run,
  datasetId: number,
  drafts: readonly Draft[],
): Promise<readonly { readonly place: number; readonly drafts: readonly Draft[] }[]> {
  const { rows } = await run<{ type: number; id: string }>(datasetId, {
    name: 'withheld:split',
    text: `SELECT w.type, w.id FROM unnest($2::smallint[], $3::text[], $4::text[]) AS w (type, id, owner)
           WHERE EXISTS (SELECT 1 FROM clinical.resource r WHERE r.dataset_id = -$1::int AND r.patient_id = w.owner)
             OR EXISTS (SELECT 1 FROM clinical.resource r
               WHERE r.dataset_id = -$1::int AND r.type = w.type AND r.id = w.id)`,
    values: [
      datasetId,
      drafts.map(({ resource }) => fhirTypeNumbers[resource.resourceType]),
      drafts.map(({ resource }) => resource.id),
      drafts.map(({ index }) => index.patientId),
    ],
  })
  if (rows.length === 0) return [{ place: datasetId, drafts }]
  const withheld = new Set(rows.map(({ type, id }) => `${type}/${id}`))
  const isWithheld = ({ resource }: Draft) =>
    withheld.has(`${fhirTypeNumbers[resource.resourceType]}/${resource.id}`)
  return [
    { place: datasetId, drafts: drafts.filter((draft) => !isWithheld(draft)) },
    { place: withheldOf(datasetId), drafts: drafts.filter(isWithheld) },
  ].filter((part) => part.drafts.length > 0)
}

/** Moves added rows of withheld charts to their charts. */
export async function withholdArrivals(run: Run, datasetId: number) {
  await run(datasetId, {
    name: 'withheld:arrivals',
    text: 'SELECT clinical.withhold_arrivals($1::int)',
    values: [datasetId],
  })
}
