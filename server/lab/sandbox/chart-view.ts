/** A chart as its page lists it. Pure. */
import type * as fhir from 'fhir/r4.js'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { whatOf, whenOf, wordsOf } from '../../contract/fhir/resource-words.ts'
import type { PatientRecord } from '../../contract/rest/records.ts'
import type { Parameter } from '../../search/compile.ts'
import type { Found } from './sandbox-reads.ts'

export type ChartItem = Readonly<{
  type: FhirType
  id: string
  title: string
  detail: string | null
  /** In the words of FHIR. */
  status: string | null
  /** As it is recorded: a year, a day or an instant; null when it is not. */
  date: string | null
}>

/** The newest, and how many there are. */
export type ChartList = Readonly<{ items: readonly ChartItem[]; total: number }>

export type ChartView = ReturnType<typeof toChartView>

export function toChartView(patient: PatientRecord, readings: ChartReadings) {
  const medications = new Map(
    readings.medications.included.map(({ type, id, content }) => [
      `${type}/${id}`,
      JSON.parse(content.toString()) as fhir.Medication,
    ]),
  )
  const lists = Object.entries(readings).map(([part, { matches, total }]) => [
    part,
    { items: matches.map(({ content }) => toItem(JSON.parse(content.toString()), medications)), total },
  ])
  return { patient, lists: Object.fromEntries(lists) as Record<ChartPart, ChartList> }
}

type Listed =
  | fhir.Condition
  | fhir.AllergyIntolerance
  | fhir.MedicationRequest
  | fhir.Immunization
  | fhir.Encounter
  | fhir.Procedure
  | fhir.DocumentReference
  | fhir.Observation

function toItem(resource: Listed, medications: ReadonlyMap<string, fhir.Medication>): ChartItem {
  const { resourceType: type, id = '' } = resource
  return {
    ...{ type, id },
    title: titleOf(resource, medications) ?? 'Not named',
    detail: detailOf(resource) || null,
    status: 'clinicalStatus' in resource ? codeOf(resource.clinicalStatus) : statusOf(resource),
    date: whenOf({ ...resource }),
  }
}

function titleOf(resource: Listed, medications: ReadonlyMap<string, fhir.Medication>): string | null {
  if (resource.resourceType === 'DocumentReference' && resource.description) return resource.description
  const reference = resource.resourceType === 'MedicationRequest' && resource.medicationReference?.reference
  const medication = reference ? medications.get(reference) : undefined
  return whatOf({ ...(medication ?? resource) })
}

function detailOf(resource: Listed): string | null | undefined {
  switch (resource.resourceType) {
    case 'Condition':
      return wordsOf(resource.category)
    case 'AllergyIntolerance':
      return resource.reaction?.[0]?.manifestation.map(wordsOf).join(', ')
    case 'MedicationRequest':
      return resource.dosageInstruction?.[0]?.text
    case 'Immunization':
      return wordsOf(resource.statusReason)
    case 'Encounter':
      return resource.reasonCode?.map(wordsOf).join(', ')
    case 'DocumentReference':
      return resource.content.map(({ attachment }) => attachment.contentType ?? '').join(', ')
    case 'Observation':
      return measuredOf(resource) ?? resource.component?.map(measuredOf).join(', ')
    default:
      return null
  }
}

function measuredOf({
  valueQuantity: quantity,
  valueString,
  valueCodeableConcept: concept,
}: fhir.Observation | fhir.ObservationComponent): string | null {
  if (quantity === undefined) return valueString ?? wordsOf(concept)
  return `${quantity.value ?? '–'} ${quantity.unit ?? quantity.code ?? ''}`.trim()
}

const statusOf = (resource: Listed) =>
  'status' in resource && resource.resourceType !== 'Observation' ? resource.status : null

const codeOf = (concept: fhir.CodeableConcept | undefined): string | null =>
  concept?.coding?.[0]?.code ?? null

/** The FHIR searches that make a chart's page, each with `patient`; the newest of each. */
type ChartSearch = { readonly type: FhirType; readonly parameters: readonly Parameter[] }

const few: Parameter = ['_count', '50']

export const chartSearches = {
  problems: { type: 'Condition', parameters: [few] },
  allergies: { type: 'AllergyIntolerance', parameters: [few] },
  medications: { type: 'MedicationRequest', parameters: [few, ['_include', 'MedicationRequest:medication']] },
  immunizations: { type: 'Immunization', parameters: [few] },
  visits: { type: 'Encounter', parameters: [few] },
  procedures: { type: 'Procedure', parameters: [few] },
  documents: { type: 'DocumentReference', parameters: [few] },
  laboratory: { type: 'Observation', parameters: [few, ['category', 'laboratory']] },
  vitalSigns: { type: 'Observation', parameters: [few, ['category', 'vital-signs']] },
} as const satisfies Record<string, ChartSearch>

type ChartPart = keyof typeof chartSearches
export type ChartReadings = Readonly<Record<ChartPart, Found>>
