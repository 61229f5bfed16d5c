/** Converts events to resources. Ids are numbered by time within type and patient, so that documentation can quote them. */
import type { DocumentReference, FhirResource, Provenance } from 'fhir/r4.js'
import { terms } from '../codes/codes.ts'
import { attachment, type DocumentFile, documentBytes } from '../documents/files.ts'
import type { Subject } from '../timeline/chart.ts'
import type { ClinicalEvent, EventKind } from '../timeline/events.ts'
import { bodies, kinds } from './bodies.ts'
import { type Context, clinicalMeta, concept, practitioner } from './elements.ts'
import { organization } from './practice.ts'

/** Limits the targets of a Provenance, to keep it at a few kilobytes. */
const targetsMax = 100

export function patientRecord(subject: Subject, events: readonly ClinicalEvent[]) {
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
  const visitClinicians = new Map(
    events.flatMap((event) => (event.kind === 'encounter' ? [[event.key, event.clinicianId]] : [])),
  )
  const patientName = [...(person.names[0]?.given ?? []), person.names[0]?.family].join(' ')
  const files: DocumentFile[] = []
  const contents = new Map<string, DocumentReference['content']>()
  for (const event of ordered) {
    if (event.kind !== 'document') continue
    const documentId = ids.get(event.key)?.id ?? ''
    const bytes = documentBytes(event, patientName)
    if (bytes) files.push({ documentId, contentType: event.contentType, bytes })
    const content = { attachment: attachment(event, documentId, bytes), format: { ...event.format } }
    contents.set(event.key, [content])
  }

  function toResource(event: ClinicalEvent): FhirResource {
    const id = ids.get(event.key)?.id ?? ''
    const context: Context = {
      patientId: person.id,
      patientName,
      clinicianId: (event.visit && visitClinicians.get(event.visit)) ?? subject.clinicianId,
      id,
      reference: (key) => ({ reference: address(key) }),
    }
    const build = bodies[event.kind] as (event: ClinicalEvent, context: Context) => object
    const [resourceType] = kinds[event.kind]
    const meta = clinicalMeta(profileOf(event), event.sensitive)
    const resource = { resourceType, id, meta, ...build(event, context) } as FhirResource
    if (resource.resourceType === 'DocumentReference') resource.content = contents.get(event.key) ?? []
    if (resource.resourceType === 'DiagnosticReport' && event.kind === 'report')
      resource.presentedForm = contents.get(event.document ?? '')?.map((content) => content.attachment)
    return resource
  }

  return {
    resources: [...ordered.map(toResource), ...authorships(subject, short, ordered, address)],
    /** The documents whose bytes are not in their resources. */
    files,
  }
}

function profileOf(event: ClinicalEvent): string {
  switch (event.kind) {
    case 'observation':
      return terms.observationProfiles[event.profile]
    case 'condition':
      return event.role === 'diagnosis' ? terms.profiles.diagnosis : terms.profiles.problem
    case 'report':
      return event.profile === 'lab' ? terms.profiles.reportLab : terms.profiles.reportNote
    default:
      return terms.profiles[event.kind]
  }
}

/** Sorts by time. Events at the same time keep their order. */
function inOrder(events: readonly ClinicalEvent[]): ClinicalEvent[] {
  const moment = (event: ClinicalEvent) => event.at.slice(0, 16)
  return events.toSorted((a, b) => (moment(a) < moment(b) ? -1 : moment(a) > moment(b) ? 1 : 0))
}

/**
 * A Provenance for each visit with its resources, and one for all other resources, including the Patient:
 * https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-provenance.html
 */
function authorships(
  { person, clinicianId, until }: Subject,
  short: string,
  events: readonly ClinicalEvent[],
  address: (key: string) => string,
): Provenance[] {
  const alone = { recorded: `${until}T12:00:00Z`, clinicianId, targets: [`Patient/${person.id}`] }
  const groups = new Map([['', alone]])
  for (const event of events) {
    if (event.kind === 'encounter')
      groups.set(event.key, { recorded: event.end, clinicianId: event.clinicianId, targets: [] })
  }
  for (const event of events) {
    const group = groups.get(event.kind === 'encounter' ? event.key : (event.visit ?? ''))
    group?.targets.push(address(event.key))
  }
  const { author, transmitter } = terms.provenanceRoles
  let count = 0
  return [...groups.values()].flatMap(({ recorded, clinicianId: by, targets }) =>
    chunks(targets, targetsMax).map((chunk) => ({
      resourceType: 'Provenance',
      id: `pv-${short}-${++count}`,
      meta: clinicalMeta(terms.profiles.provenance),
      target: chunk.map((reference) => ({ reference })),
      recorded,
      agent: [
        { type: concept(author), who: practitioner(by), onBehalfOf: organization },
        { type: concept(transmitter), who: organization },
      ],
    })),
  )
}

function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
}
