/** The one Group of a practice: all patients who are not deleted. https://hl7.org/fhir/R4/group.html */
import type { Population } from '../../store/population.ts'

/** The id is the same at every practice, so that the documentation can name it. */
export const populationGroupId = 'gr-all-patients'

/** The date of a group without patients. */
const never = new Date(0)

/** The resource as it is served and exported: on one line, like every resource. */
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
    // FHIR doesn't allow empty lists.
    ...(memberIds !== null &&
      memberIds.length > 0 && {
        member: memberIds.map((id) => ({ entity: { reference: `Patient/${id}` } })),
      }),
  })
}
