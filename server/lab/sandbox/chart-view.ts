/** A chart as its page shows it: lists, series of measurements, a timeline. Pure. */
import type * as fhir from 'fhir/r4.js'
import type { FhirType } from '../../contract/fhir/registry.ts'
import type { PatientRecord } from '../../contract/rest/records.ts'
import type { ChartPart, ChartReadings } from './chart-searches.ts'
import { type GrowthChart, growthCharts } from './growth-charts.ts'
import { type Series, seriesOf } from './series.ts'

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

export type ListedPart = Exclude<ChartPart, 'laboratory' | 'vitalSigns'>

export type ChartView = Readonly<{
  patient: PatientRecord
  lists: Readonly<Record<ListedPart, ChartList>>
  laboratory: readonly Series[]
  vitalSigns: readonly Series[]
  /** Of the young. */
  growth: readonly GrowthChart[]
  timeline: readonly ChartItem[]
}>

const timelineMax = 40
/** What a timeline tells: what happened on a day. */
const timelineParts: readonly ListedPart[] = [
  'visits',
  'problems',
  'medications',
  'immunizations',
  'procedures',
  'documents',
]

export function toChartView(patient: PatientRecord, readings: ChartReadings, now: Date): ChartView {
  const medications = new Map(
    readings.medications.included.map(({ type, id, content }) => [
      `${type}/${id}`,
      JSON.parse(content) as fhir.Medication,
    ]),
  )
  const list = (part: ListedPart): ChartList => ({
    items: readings[part].matches.map(({ content }) => toItem(JSON.parse(content), medications)),
    total: readings[part].total,
  })
  const lists: ChartView['lists'] = {
    problems: list('problems'),
    allergies: list('allergies'),
    medications: list('medications'),
    immunizations: list('immunizations'),
    visits: list('visits'),
    procedures: list('procedures'),
    documents: list('documents'),
  }
  const observations = (part: 'laboratory' | 'vitalSigns') =>
    readings[part].matches.map(({ content }) => JSON.parse(content) as fhir.Observation)
  const vitalSigns = seriesOf(observations('vitalSigns'))
  return {
    patient,
    lists,
    laboratory: seriesOf(observations('laboratory')),
    vitalSigns,
    growth: growthCharts(patient, vitalSigns, now),
    timeline: timelineParts
      .flatMap((part) => lists[part].items)
      .filter(({ date }) => date !== null)
      .sort((a, b) => order(b).localeCompare(order(a)))
      .slice(0, timelineMax),
  }
}

/** Total: two of a day stand by their name. */
const order = ({ date, type, id }: ChartItem) => `${date?.slice(0, 19)} ${type}/${id}`

type Listed =
  | fhir.Condition
  | fhir.AllergyIntolerance
  | fhir.MedicationRequest
  | fhir.Immunization
  | fhir.Encounter
  | fhir.Procedure
  | fhir.DocumentReference

function toItem(resource: Listed, medications: ReadonlyMap<string, fhir.Medication>): ChartItem {
  const type = resource.resourceType
  return { type, id: resource.id ?? '', ...wordsOf(resource, medications) }
}

type Words = Pick<ChartItem, 'title' | 'detail' | 'status' | 'date'>

function wordsOf(resource: Listed, medications: ReadonlyMap<string, fhir.Medication>): Words {
  switch (resource.resourceType) {
    case 'Condition':
      return {
        title: textOf(resource.code),
        detail: textOrNull(resource.category?.[0]),
        status: codeOf(resource.clinicalStatus),
        date: resource.onsetDateTime ?? resource.recordedDate ?? null,
      }
    case 'AllergyIntolerance':
      return {
        title: textOf(resource.code),
        detail: resource.reaction?.[0]?.manifestation.map(textOf).join(', ') || null,
        status: codeOf(resource.clinicalStatus),
        date: resource.onsetDateTime ?? resource.recordedDate ?? null,
      }
    case 'MedicationRequest': {
      const referred = medications.get(resource.medicationReference?.reference ?? '')
      return {
        title: textOf(resource.medicationCodeableConcept ?? referred?.code),
        detail: resource.dosageInstruction?.[0]?.text ?? null,
        status: resource.status,
        date: resource.authoredOn ?? null,
      }
    }
    case 'Immunization':
      return {
        title: textOf(resource.vaccineCode),
        detail: textOrNull(resource.statusReason),
        status: resource.status,
        date: resource.occurrenceDateTime ?? null,
      }
    case 'Encounter':
      return {
        title: textOrNull(resource.type?.[0]) ?? resource.class.display ?? 'Visit',
        detail: resource.reasonCode?.map(textOf).join(', ') || null,
        status: resource.status,
        date: resource.period?.start ?? null,
      }
    case 'Procedure':
      return {
        title: textOf(resource.code),
        detail: null,
        status: resource.status,
        date: resource.performedDateTime ?? resource.performedPeriod?.start ?? null,
      }
    case 'DocumentReference':
      return {
        title: resource.description ?? textOf(resource.type),
        detail: resource.content.map(({ attachment }) => attachment.contentType ?? '').join(', ') || null,
        status: resource.status,
        date: resource.date ?? null,
      }
  }
}

function textOf(concept: fhir.CodeableConcept | undefined): string {
  return textOrNull(concept) ?? 'Not named'
}

function textOrNull(concept: fhir.CodeableConcept | undefined): string | null {
  return concept?.text ?? concept?.coding?.find(({ display }) => display)?.display ?? codeOf(concept)
}

function codeOf(concept: fhir.CodeableConcept | undefined): string | null {
  return concept?.coding?.[0]?.code ?? null
}
