/** The REST record of a document, from the stored FHIR text. https://hl7.org/fhir/R4/documentreference.html */
import type * as fhir from 'fhir/r4.js'
import type { DocumentRecord } from '../../contract/rest/records.ts'
import { conceptCoding, identifierIn, idIn } from '../../search/fhir-elements.ts'

export function toDocument(content: string): DocumentRecord {
  const document = JSON.parse(content) as fhir.DocumentReference
  const attachment = document.content[0]?.attachment
  return {
    id: document.id ?? '',
    patientId: idIn(document.subject, 'Patient') ?? '',
    encounterId: idIn(document.context?.encounter?.[0], 'Encounter'),
    title: attachment?.title ?? document.description ?? null,
    type: conceptCoding(document.type),
    contentType: attachment?.contentType ?? null,
    size: attachment?.size ?? null,
    sha256: hashIn(identifierIn(document.identifier, 'uri')),
    authoredAt: attachment?.creation ?? document.date ?? null,
    authorId: idIn(document.author?.[0], 'Practitioner'),
    status: document.status,
    lastUpdated: document.meta?.lastUpdated ?? '',
  }
}

/** https://www.rfc-editor.org/rfc/rfc6920#section-3 */
function hashIn(uri: string | null): string | null {
  const [, hash] = /^ni:\/\/\/sha-256;([\w-]{43})$/.exec(uri ?? '') ?? []
  return hash === undefined ? null : Buffer.from(hash, 'base64url').toString('hex')
}
