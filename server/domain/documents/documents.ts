/** Registers documents through the APIs, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-documentreference.html */

import { randomUUID } from 'node:crypto'
import type * as fhir from 'fhir/r4.js'
import { identifierSystems, writtenCodes } from '../../contract/fhir/codes.ts'
import { basePlaceholder } from '../../contract/fhir/type-row.ts'
import type { NewDocument } from '../../contract/rest/bodies.ts'
import { codingOf, documentTypeSystem, documentTypes } from '../../contract/rest/record-codes.ts'
import type { Core } from '../core.ts'
import { createRecord, practiceOf } from '../records/create-record.ts'
import { checkPast } from '../records/moments.ts'
import type { Outcome, Writer } from '../records/writer.ts'

/** @throws Problem `validation` (an unknown reference, a date in the future), `forbidden`, `unavailable` */
export async function register(core: Core, writer: Writer, document: NewDocument): Promise<Outcome> {
  const { patientId, encounterId, authorId } = document
  checkPast('authoredAt', document.authoredAt, writer.now)
  const practice = await practiceOf(core, writer)
  return createRecord(
    core,
    writer,
    {
      resource: toResource(document, { id: randomUUID(), practice }),
      patientId,
      authorId,
      references: [
        { field: 'patientId', type: 'Patient', id: patientId },
        ...(encounterId === undefined
          ? []
          : [{ field: 'encounterId', type: 'Encounter' as const, id: encounterId, patientId }]),
        ...(authorId === undefined
          ? []
          : [{ field: 'authorId', type: 'Practitioner' as const, id: authorId }]),
      ],
    },
    practice,
  )
}

function toResource(
  document: NewDocument,
  { id, practice }: { id: string; practice: fhir.Reference },
): fhir.DocumentReference & { id: string } {
  const { patientId, encounterId, authorId, title, contentType, size, sha256, authoredAt } = document
  const type = codingOf(documentTypeSystem, documentTypes, document.type)
  return {
    resourceType: 'DocumentReference',
    id,
    identifier: [{ system: identifierSystems.uri, value: hashUri(sha256) }],
    status: 'current',
    type: { coding: [type], text: type.display ?? type.code },
    category: [{ coding: [{ ...writtenCodes.clinicalNote }] }],
    subject: { reference: `Patient/${patientId}` },
    // A FHIR instant has seconds and an offset, and so do the times of the request body.
    date: authoredAt,
    author: [authorId === undefined ? practice : { reference: `Practitioner/${authorId}` }],
    custodian: practice,
    description: title,
    content: [
      {
        attachment: {
          contentType,
          url: `${basePlaceholder}/DocumentReference/${id}/$attachment`,
          size,
          title,
          creation: authoredAt,
        },
      },
    ],
    ...(encounterId !== undefined && { context: { encounter: [{ reference: `Encounter/${encounterId}` }] } }),
  }
}

/**
 * The hash as a URI, because R4's own element for hashes only allows SHA-1.
 * https://www.rfc-editor.org/rfc/rfc6920#section-3
 */
const hashUri = (sha256: string): string =>
  `ni:///sha-256;${Buffer.from(sha256, 'hex').toString('base64url')}`
