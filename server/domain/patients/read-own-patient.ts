/** A patient as the practice's own people see them, and the patient themself: also while the practice withholds them. */
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { StoredResource } from '../../store/search.ts'
import { withheldOf } from '../../store/withheld.ts'
import type { Core } from '../core.ts'

/** Null for nobody. Who may ask, and the record of access, are the caller's. */
export async function readOwnPatient(
  { store }: Pick<Core, 'store'>,
  datasetId: number,
  patientId: string,
): Promise<(StoredResource & { withheld: boolean }) | null> {
  for (const place of [datasetId, withheldOf(datasetId)]) {
    const { resource } = await store.read(place, planRead('Patient', patientId), noLiveness)
    if (resource !== null) return { ...resource, withheld: place !== datasetId }
  }
  return null
}
