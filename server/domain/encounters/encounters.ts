/** Starts encounters through the APIs, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-encounter.html */

import { randomUUID } from 'node:crypto'
import type * as fhir from 'fhir/r4.js'
import { writtenCodes } from '../../contract/fhir/codes.ts'
import type { NewEncounter } from '../../contract/rest/bodies.ts'
import {
  codingOf,
  encounterClasses,
  encounterClassSystem,
  encounterTypeSystem,
  encounterTypes,
} from '../../contract/rest/record-codes.ts'
import type { Core } from '../core.ts'
import { createRecord, practiceOf } from '../records/create-record.ts'
import { checkPast } from '../records/moments.ts'
import type { Outcome, Writer } from '../records/writer.ts'

/** @throws Problem `validation` (an unknown reference, a start in the future), `forbidden`, `unavailable` */
export async function start(core: Core, writer: Writer, encounter: NewEncounter): Promise<Outcome> {
  const { patientId, practitionerId, locationId } = encounter
  checkPast('start', encounter.start, writer.now)
  const practice = await practiceOf(core, writer)
  const resource = toResource(encounter, {
    id: randomUUID(),
    start: encounter.start ?? writer.now.toISOString(),
    practice,
  })
  return createRecord(
    core,
    writer,
    {
      resource,
      patientId,
      authorId: practitionerId,
      references: [
        { field: 'patientId', type: 'Patient', id: patientId },
        ...(practitionerId === undefined
          ? []
          : [{ field: 'practitionerId', type: 'Practitioner' as const, id: practitionerId }]),
        ...(locationId === undefined
          ? []
          : [{ field: 'locationId', type: 'Location' as const, id: locationId }]),
      ],
    },
    practice,
  )
}

function toResource(
  encounter: NewEncounter,
  { id, start, practice }: { id: string; start: string; practice: fhir.Reference },
): fhir.Encounter & { id: string } {
  const { patientId, practitionerId, locationId, reason } = encounter
  const type = codingOf(encounterTypeSystem, encounterTypes, encounter.type)
  return {
    resourceType: 'Encounter',
    id,
    status: 'in-progress',
    class: codingOf(encounterClassSystem, encounterClasses, encounter.class),
    type: [{ coding: [type], text: type.display ?? type.code }],
    subject: { reference: `Patient/${patientId}` },
    ...(practitionerId !== undefined && {
      participant: [
        {
          type: [{ coding: [{ ...writtenCodes.primaryPerformer }] }],
          period: { start },
          individual: { reference: `Practitioner/${practitionerId}` },
        },
      ],
    }),
    period: { start },
    ...(reason !== undefined && { reasonCode: [{ text: reason }] }),
    ...(locationId !== undefined && { location: [{ location: { reference: `Location/${locationId}` } }] }),
    serviceProvider: practice,
  }
}
