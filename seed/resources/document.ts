/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-documentreference.html */
import { createHash } from 'node:crypto'
import type { Attachment, DocumentReference } from 'fhir/r4.js'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'
import { documentCategories, namingSystems, profiles } from '../codes/codes.ts'
import type { DocumentEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, practitioner, subject } from './clinical-elements.ts'
import { concept } from './elements.ts'

/** @param bytes of a document whose content lies beside it; its text stands in the resource otherwise. */
export function documentResource(
  event: DocumentEvent,
  context: Context,
  bytes: Uint8Array | undefined,
): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id: context.id,
    meta: clinicalMeta(profiles.document, event.sensitive),
    identifier: [{ system: namingSystems.document, value: context.id.toUpperCase() }],
    status: event.status ?? 'current',
    docStatus: 'final',
    type: concept(event.type),
    category: [concept(documentCategories.clinicalNote)],
    subject: subject(context),
    date: event.at.length === 10 ? `${event.at}T12:00:00Z` : event.at,
    author: [practitioner(context.clinicianId)],
    custodian: { reference: `Organization/${context.organizationId}` },
    description: event.title,
    content: [{ attachment: attachment(event, context.id, bytes), format: { ...event.format } }],
    context: {
      ...(event.visit ? { encounter: [context.reference(event.visit)] } : {}),
      period: { start: event.at, ...(event.until ? { end: event.until } : {}) },
    },
  }
}

/** The same in the document and in the report that it holds. */
export function attachment(
  event: DocumentEvent,
  documentId: string,
  bytes: Uint8Array | undefined,
): Attachment {
  const content = bytes ?? new TextEncoder().encode(event.text ?? '')
  return {
    contentType: event.contentType,
    ...(bytes === undefined
      ? { data: Buffer.from(content).toString('base64') }
      : { url: `${basePlaceholder}/DocumentReference/${documentId}/$attachment` }),
    size: content.byteLength,
    // R4 asks for SHA-1: https://hl7.org/fhir/R4/datatypes.html#Attachment
    hash: createHash('sha1').update(content).digest('base64'),
    title: event.title,
    creation: event.at,
  }
}
