/** What a summary is made of, asked for at once. */
import type * as fhir from 'fhir/r4.js'
import type { Parameter } from '../../search/compile.ts'
import type { Call } from '../call.ts'
import { getPatient, search } from './chart.ts'
import { toMedication } from './chart-items.ts'
import type { McpCore } from './mcp-core.ts'
import type { SummaryParts } from './summary.ts'

/** Of each section: far more than fits, and enough to hold the last of each kind. */
const most = 200

/** @throws Problem `not_found` */
export async function readSummaryParts(core: McpCore, call: Call, patientId: string): Promise<SummaryParts> {
  const patient = await getPatient(core, call, patientId)
  const of = <Resource>(
    type: 'Condition' | 'AllergyIntolerance' | 'MedicationRequest' | 'Observation',
    ...parameters: Parameter[]
  ) => search<Resource>(core, call, { type, patientId, parameters, limit: most })
  const [problems, allergies, orders, vitals, labs] = await Promise.all([
    of<fhir.Condition>('Condition', ['clinical-status', 'active,recurrence,relapse']),
    of<fhir.AllergyIntolerance>('AllergyIntolerance', ['clinical-status', 'active']),
    of<fhir.MedicationRequest>(
      'MedicationRequest',
      ['status', 'active'],
      ['_include', 'MedicationRequest:medication'],
    ),
    of<fhir.Observation>('Observation', ['category', 'vital-signs']),
    of<fhir.Observation>('Observation', ['category', 'laboratory']),
  ])
  const medications = medicationsOf(orders.included)
  return {
    patient,
    problems: problems.resources,
    allergies: allergies.resources,
    medications: orders.resources.map((order) => toMedication(order, medications)),
    vitals: vitals.resources,
    labs: labs.resources,
  }
}

/** By `Medication/id`, as orders refer to them. */
export function medicationsOf(included: readonly fhir.FhirResource[]): ReadonlyMap<string, fhir.Medication> {
  return new Map(
    included.flatMap((each) => (each.resourceType === 'Medication' ? [[`Medication/${each.id}`, each]] : [])),
  )
}
