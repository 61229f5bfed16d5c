/** Events → resources. Ids count up within type and patient in the order of time, so that documentation can quote them. */
import type { FhirResource } from 'fhir/r4.js'
import { type DocumentFile, documentFile } from '../documents/files.ts'
import type { ClinicalEvent, DocumentEvent, EventKind } from '../timeline/events.ts'
import type { Subject } from '../timeline/subject.ts'
import { allergyResource } from './allergy.ts'
import { coverageResource, deviceResource, relatedPersonResource } from './around-patient.ts'
import { carePlanResource, careTeamResource, goalResource } from './care.ts'
import type { Context } from './clinical-elements.ts'
import { conditionResource } from './condition.ts'
import { attachment, documentResource } from './document.ts'
import { encounterResource } from './encounter.ts'
import { immunizationResource } from './immunization.ts'
import { medicationDispenseResource, medicationRequestResource } from './medication.ts'
import { observationResource } from './observation.ts'
import { organizationId } from './practice.ts'
import { procedureResource } from './procedure.ts'
import { provenanceResource } from './provenance.ts'
import { questionnaireResponseResource } from './questionnaire-response.ts'
import { reportResource } from './report.ts'
import { serviceRequestResource } from './service-request.ts'
import { specimenResource } from './specimen.ts'

const kinds: Readonly<Record<EventKind, readonly [type: FhirResource['resourceType'], prefix: string]>> = {
  coverage: ['Coverage', 'cv'],
  relatedPerson: ['RelatedPerson', 'rp'],
  encounter: ['Encounter', 'en'],
  condition: ['Condition', 'co'],
  allergy: ['AllergyIntolerance', 'al'],
  immunization: ['Immunization', 'im'],
  order: ['ServiceRequest', 'sr'],
  specimen: ['Specimen', 'sp'],
  observation: ['Observation', 'ob'],
  document: ['DocumentReference', 'do'],
  report: ['DiagnosticReport', 'dr'],
  prescription: ['MedicationRequest', 'mr'],
  dispense: ['MedicationDispense', 'md'],
  procedure: ['Procedure', 'pc'],
  answers: ['QuestionnaireResponse', 'qr'],
  goal: ['Goal', 'go'],
  carePlan: ['CarePlan', 'cp'],
  careTeam: ['CareTeam', 'ct'],
  device: ['Device', 'de'],
}

/** A document may be large; its authorship must stay one resource of a few kilobytes. */
const targetsMax = 100

interface PatientRecord {
  readonly resources: readonly FhirResource[]
  /** Bytes of the documents that are not in their resources. */
  readonly files: readonly DocumentFile[]
}

export function patientRecord(subject: Subject, events: readonly ClinicalEvent[]): PatientRecord {
  const { person } = subject
  const short = person.id.replace(/^pt-/, '')
  const ordered = inOrder(events)
  const ids = new Map<string, { type: string; id: string }>()
  const counts = new Map<EventKind, number>()
  for (const { kind, key } of ordered) {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (ids.has(key)) throw new Error(`two events of ${person.id} are called ${key}`)
    const [type, prefix] = kinds[kind]
    ids.set(key, { type, id: `${prefix}-${short}-${count}` })
  }
  const address = (key: string) => {
    const found = ids.get(key)
    if (found === undefined) throw new Error(`no event of ${person.id} is called ${key}`)
    return `${found.type}/${found.id}`
  }
  const { clinicianId } = subject
  const visitClinicians = new Map(
    events.flatMap((event) => (event.kind === 'encounter' ? [[event.key, event.clinicianId]] : [])),
  )
  const context = (event: ClinicalEvent): Context => ({
    patientId: person.id,
    patientName: [...(person.names[0]?.given ?? []), person.names[0]?.family].join(' '),
    organizationId,
    clinicianId: (event.visit && visitClinicians.get(event.visit)) ?? clinicianId,
    id: ids.get(event.key)?.id ?? '',
    reference: (key) => ({ reference: address(key) }),
  })
  const documents = new Map(
    ordered.flatMap((event) => (event.kind === 'document' ? [[event.key, event] as const] : [])),
  )
  const files = new Map(
    [...documents.values()].flatMap((event) =>
      event.file === undefined
        ? []
        : [
            [
              event.key,
              documentFile(event, ids.get(event.key)?.id ?? '', context(event).patientName),
            ] as const,
          ],
    ),
  )
  const attached = (key: string | undefined) => {
    const event = key === undefined ? undefined : documents.get(key)
    return event ? [attachment(event, ids.get(event.key)?.id ?? '', files.get(event.key)?.bytes)] : []
  }
  const resources = ordered.map((event) => toResource(event, context(event), files, attached))
  return {
    resources: [...resources, ...authorships(subject, short, ordered, address)],
    files: [...files.values()],
  }
}

function toResource(
  event: ClinicalEvent,
  context: Context,
  files: ReadonlyMap<string, DocumentFile>,
  attached: (key: string | undefined) => ReturnType<typeof attachment>[],
): FhirResource {
  switch (event.kind) {
    case 'encounter':
      return encounterResource(event, context)
    case 'condition':
      return conditionResource(event, context)
    case 'observation':
      return observationResource(event, context)
    case 'specimen':
      return specimenResource(event, context)
    case 'report':
      return reportResource(event, context, attached(event.document))
    case 'order':
      return serviceRequestResource(event, context)
    case 'prescription':
      return medicationRequestResource(event, context)
    case 'dispense':
      return medicationDispenseResource(event, context)
    case 'immunization':
      return immunizationResource(event, context)
    case 'procedure':
      return procedureResource(event, context)
    case 'allergy':
      return allergyResource(event, context)
    case 'document':
      return documentResource(event satisfies DocumentEvent, context, files.get(event.key)?.bytes)
    case 'answers':
      return questionnaireResponseResource(event, context)
    case 'carePlan':
      return carePlanResource(event, context)
    case 'careTeam':
      return careTeamResource(event, context)
    case 'goal':
      return goalResource(event, context)
    case 'coverage':
      return coverageResource(event, context)
    case 'relatedPerson':
      return relatedPersonResource(event, context)
    case 'device':
      return deviceResource(event, context)
  }
}

/** By time; what happens at once stays in the order it was told. */
function inOrder(events: readonly ClinicalEvent[]): ClinicalEvent[] {
  const moment = (event: ClinicalEvent) => event.at.slice(0, 16)
  return events
    .map((event, index) => ({ event, index, moment: moment(event) }))
    .sort((a, b) => (a.moment < b.moment ? -1 : a.moment > b.moment ? 1 : a.index - b.index))
    .map(({ event }) => event)
}

/** One for every visit with all that came of it, and one for what stands by itself, the Patient included. */
function authorships(
  subject: Subject,
  short: string,
  events: readonly ClinicalEvent[],
  address: (key: string) => string,
): FhirResource[] {
  const groups = new Map<string, { recorded: string; clinicianId: string; targets: string[] }>()
  const stamp = `${subject.until}T12:00:00Z`
  groups.set('', {
    recorded: stamp,
    clinicianId: subject.clinicianId,
    targets: [`Patient/${subject.person.id}`],
  })
  for (const event of events) {
    if (event.kind === 'encounter') {
      groups.set(event.key, { recorded: event.end, clinicianId: event.clinicianId, targets: [] })
    }
  }
  for (const event of events) {
    const group = groups.get(event.kind === 'encounter' ? event.key : (event.visit ?? ''))
    group?.targets.push(address(event.key))
  }
  let count = 0
  return [...groups.values()].flatMap(({ recorded, clinicianId, targets }) =>
    chunks(targets, targetsMax).map((chunk) =>
      provenanceResource({
        id: `pv-${short}-${++count}`,
        targets: chunk,
        recorded,
        clinicianId,
        organizationId,
      }),
    ),
  )
}

function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
}
