/** Finds owners of resources that name no patient: a Provenance belongs to the chart of its target. */
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import { ownerSources } from './index-rows.ts'
import type { Draft } from './index-tables.ts'
import type { Run } from './statements.ts'
import { ofDataset } from './withheld.ts'

/**
 * @param known owners by address that need no lookup
 * @returns the drafts; one without an owner gets the owner of its first target that has one
 */
export async function assignOwners(
  run: Run,
  datasetId: number,
  drafts: readonly Draft[],
  known: ReadonlyMap<string, string | null> = new Map(),
): Promise<readonly Draft[]> {
  const open = new Map<Draft, readonly string[]>()
  for (const draft of drafts) {
    const sources = draft.index.patientId === null ? ownerAddresses(draft) : []
    if (sources.length > 0) open.set(draft, sources)
  }
  if (open.size === 0) return drafts
  const owners = new Map([
    ...known,
    ...drafts.map(
      ({ resource, index }) => [`${resource.resourceType}/${resource.id}`, index.patientId] as const,
    ),
  ])
  const stored = [...new Set([...open.values()].flat())].filter((address) => !owners.has(address))
  for (const [address, owner] of await readOwners(run, datasetId, stored)) owners.set(address, owner)
  return drafts.map((draft) => {
    const patientId = open
      .get(draft)
      ?.map((address) => owners.get(address))
      .find(Boolean)
    return patientId ? { ...draft, index: { ...draft.index, patientId } } : draft
  })
}

/** @returns the addresses (`Type/id`) of the resources whose owner is also this one's */
export function ownerAddresses({ resource }: Pick<Draft, 'resource'>): string[] {
  return ownerSources(resource.resourceType, resource).map(({ type, id }) => `${type}/${id}`)
}

async function readOwners(
  run: Run,
  datasetId: number,
  addresses: readonly string[],
): Promise<(readonly [string, string | null])[]> {
  if (addresses.length === 0) return []
  const parts = addresses.map((address) => address.split('/') as [FhirType, string])
  const { rows } = await run<{ type: number; id: string; owner: string | null }>(datasetId, {
    name: 'write:owners',
    text: `SELECT r.type, r.id, r.patient_id AS owner
           FROM unnest($2::smallint[], $3::text[]) AS w (type, id)
           JOIN clinical.resource r ON ${ofDataset('r')} AND r.type = w.type AND r.id = w.id`,
    values: [datasetId, parts.map(([type]) => fhirTypeNumbers[type]), parts.map(([, id]) => id)],
  })
  return rows.map(({ type, id, owner }) => [`${fhirTypeOf(type)}/${id}`, owner] as const)
}
