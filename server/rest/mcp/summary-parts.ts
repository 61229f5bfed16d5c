/** What a summary is made of, asked for at once. */
import type * as fhir from 'fhir/r4.js'
import { accessAt } from '../../auth/principal.ts'
import { summarySectionClass } from '../../contract/keys/class-coverage.ts'
import { mayRead } from '../../contract/keys/key-access.ts'
import type { SummarySection } from '../../contract/mcp/records.ts'
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
  const of = async <Resource>(
    section: SummarySection,
    type: 'Condition' | 'AllergyIntolerance' | 'MedicationRequest' | 'Observation',
    ...parameters: Parameter[]
  ) => {
    const access = call.principal && accessAt(call.principal, core.clock())
    if (!mayRead(access, summarySectionClass[section])) return { resources: [], included: [] }
    return search<Resource>(core, call, { type, patientId, parameters, limit: most })
  }
  const [problems, allergies, orders, vitals, labs] = await Promise.all([
    of<fhir.Condition>('problems', 'Condition', ['clinical-status', 'active,recurrence,relapse']),
    of<fhir.AllergyIntolerance>('allergies', 'AllergyIntolerance', ['clinical-status', 'active']),
    of<fhir.MedicationRequest>(
      'medications',
      'MedicationRequest',
      ['status', 'active'],
      ['_include', 'MedicationRequest:medication'],
    ),
    of<fhir.Observation>('vitals', 'Observation', ['category', 'vital-signs']),
    of<fhir.Observation>('labs', 'Observation', ['category', 'laboratory']),
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
