/** Reads people of a practice, even patients that are withheld from keys and apps, for the practice and the patients. */
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import { withheldOf } from '../../store/withheld.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'

type PersonType = 'Patient' | 'Practitioner' | 'RelatedPerson'

/** Null for an unknown patient. The caller checks who may read, and records the access. */
export const readOwnPatient = (core: Pick<Core, 'store'>, datasetId: number, patientId: string) =>
  readOwn(core, datasetId, 'Patient', patientId)

/**
 * Reads names of people. The caller checks who may read, and records the access.
 * @param references such as `Patient/1`; other texts are ignored
 * @returns the names by reference; people who are not in the data are missing
 */
export async function readNames(core: Pick<Core, 'store'>, datasetId: number, references: readonly string[]) {
  const found = await Promise.all(
    [...new Set(references)].map(async (reference) => {
      const [, type, id = ''] =
        /^(Patient|Practitioner|RelatedPerson)\/([A-Za-z0-9.-]{1,64})$/.exec(reference) ?? []
      const person = type ? await readOwn(core, datasetId, type as PersonType, id) : null
      return person && ([reference, summarizePatient(person.content, null).name] as const)
    }),
  )
  return new Map(found.filter((entry) => entry !== null))
}

async function readOwn({ store }: Pick<Core, 'store'>, datasetId: number, type: PersonType, id: string) {
  for (const place of [datasetId, withheldOf(datasetId)]) {
    const { resource } = await store.read(place, planRead(type, id), noLiveness)
    if (resource !== null) return { ...resource, withheld: place !== datasetId }
  }
  return null
}
