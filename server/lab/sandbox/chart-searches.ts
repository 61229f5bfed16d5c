/** The FHIR searches that make a chart's page, each with `patient`; the newest of each. */
import type { FhirType } from '../../contract/fhir/registry.ts'
import type { Parameter } from '../../search/compile.ts'
import type { Found } from './sandbox-reads.ts'

type ChartSearch = { readonly type: FhirType; readonly parameters: readonly Parameter[] }

const few: Parameter = ['_count', '50']
const many: Parameter = ['_count', '500']

export const chartSearches = {
  problems: { type: 'Condition', parameters: [few] },
  allergies: { type: 'AllergyIntolerance', parameters: [few] },
  medications: { type: 'MedicationRequest', parameters: [few, ['_include', 'MedicationRequest:medication']] },
  immunizations: { type: 'Immunization', parameters: [few] },
  visits: { type: 'Encounter', parameters: [few] },
  procedures: { type: 'Procedure', parameters: [few] },
  documents: { type: 'DocumentReference', parameters: [few] },
  laboratory: { type: 'Observation', parameters: [many, ['category', 'laboratory']] },
  vitalSigns: { type: 'Observation', parameters: [many, ['category', 'vital-signs']] },
} as const satisfies Record<string, ChartSearch>

export type ChartPart = keyof typeof chartSearches
export type ChartReadings = Readonly<Record<ChartPart, Found>>
