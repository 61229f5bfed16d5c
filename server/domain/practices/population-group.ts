/** The one Group of a practice: everybody who is not deleted, https://hl7.org/fhir/R4/group.html */
import type { Population } from '../../store/population.ts'

/** The same at every practice, so that documentation can name it. */
export const populationGroupId = 'gr-all-patients'

/** Before anybody was there. */
const never = new Date(0)

/** As it is served and exported: one line, as every resource. */
export function populationGroupText(practiceName: string, population: Population): string {
  const { quantity, memberIds } = population
  const lastUpdated = population.lastUpdated ?? never
  return JSON.stringify({
    resourceType: 'Group',
    id: populationGroupId,
    meta: { versionId: String(lastUpdated.getTime()), lastUpdated: lastUpdated.toISOString() },
    active: true,
    type: 'person',
    actual: true,
    name: `All patients of ${practiceName}`,
    quantity,
    // FHIR knows no empty lists.
    ...(memberIds !== null &&
      memberIds.length > 0 && {
        member: memberIds.map((id) => ({ entity: { reference: `Patient/${id}` } })),
      }),
  })
}
