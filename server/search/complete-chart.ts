/** What tells the whole of a chart needs a grant of the whole: one with a gap that nobody sees is worse than none. */
import { type FhirType, fhirRegistry, registryRow } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import { type Access, filtersOf, grantsFor } from './access.ts'

/** What a chart consists of. */
export const chartTypes = (Object.keys(fhirRegistry) as FhirType[]).filter(
  (type) => registryRow(type).compartment !== null,
)

type CompleteChart = {
  readonly patientId: string
  /** What the caller may read and may search of a type; null: nothing. */
  readonly accessTo: (type: FhirType, interaction: 'read' | 'search') => Access | null
}

/**
 * @param what needs the grant, for the refusal
 * @throws Problem `forbidden` unless every type of the chart may be read and searched without a filter,
 * `not_found` for a patient who is not the token's
 */
export function checkCompleteChart({ patientId, accessTo }: CompleteChart, what: string): void {
  for (const type of chartTypes) {
    for (const interaction of ['read', 'search'] as const) {
      const access = accessTo(type, interaction)
      if (access === null || filtersOf(access.grants) !== null) {
        throw new Problem('forbidden', {
          message: `${what} needs access to the complete chart, but this token can’t see all of ${type}.`,
          detail: `incomplete chart: ${interaction} of ${type}`,
        })
      }
      // Somebody else is as good as nobody.
      if (grantsFor(access, patientId).length === 0) throw new Problem('not_found')
    }
  }
}

/** Outside of all charts, and named in a CCD. */
const namedInCcd: readonly FhirType[] = [
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Location',
  'Medication',
]

/** The CCD is the whole chart and those whom it names. @throws Problem `forbidden` or `not_found`, as `$everything` does */
export function checkCcd(chart: CompleteChart): void {
  checkCompleteChart(chart, 'The CCD')
  for (const type of namedInCcd) {
    if (chart.accessTo(type, 'read') !== null) continue
    throw new Problem('forbidden', {
      message: `The CCD refers to ${type}, which this token can’t see.`,
      detail: `incomplete chart: read of ${type}`,
    })
  }
}
