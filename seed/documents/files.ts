/** Documents, and their bytes where these lie beside the resource: the same for the same document on every machine. */
import { createHash } from 'node:crypto'
import type { Attachment } from 'fhir/r4.js'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'
import { escapeXml } from '../resources/elements.ts'
import type { EventOf } from '../timeline/events.ts'
import { pdf } from './pdf.ts'
import { scanPng } from './png.ts'

export interface DocumentFile {
  /** Id of the DocumentReference. */
  readonly documentId: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

type DocumentEvent = EventOf<'document'>

const fiveMegabytes = 5_000_000

/** Undefined when the resource itself holds the document's text. */
export function documentBytes(event: DocumentEvent, patientName: string): Uint8Array | undefined {
  const { file, title, at, text } = event
  const lines = text.split('\n')
  switch (file) {
    case 'pdf':
      return pdf([title, `Patient: ${patientName}`, `Date: ${at.slice(0, 10)}`, '', ...lines])
    case 'png':
      return scanPng(320, 200)
    case 'ccda':
      return encode(clinicalDocument(event, patientName))
    case 'text':
      return encode(`${title}\nPatient: ${patientName}\n\n${text}\n`)
    case 'large':
      return encode(monitorLog(title))
    case undefined:
      return undefined
  }
}

/** The same in the document and in the report that it holds. */
export function attachment(event: DocumentEvent, id: string, bytes: Uint8Array | undefined): Attachment {
  const content = bytes ?? encode(event.text)
  return {
    contentType: event.contentType,
    ...(bytes
      ? { url: `${basePlaceholder}/DocumentReference/${id}/$attachment` }
      : { data: Buffer.from(content).toString('base64') }),
    size: content.byteLength,
    // R4 asks for SHA-1: https://hl7.org/fhir/R4/datatypes.html#Attachment
    hash: createHash('sha1').update(content).digest('base64'),
    title: event.title,
    creation: event.at,
  }
}

/** One line a second, cut at five million bytes. */
function monitorLog(title: string): string {
  const header = `${title}; synthetic; second;pulse;saturation\n`
  const parts = [header]
  let length = header.length
  for (let second = 0; length < fiveMegabytes; second++) {
    const line = `${String(second).padStart(6, '0')};${64 + ((second * 7) % 23)};${95 + (second % 5)}\n`
    parts.push(line)
    length += line.length
  }
  return parts.join('').slice(0, fiveMegabytes)
}

/** A small C-CDA of one section, as another practice may have sent it: https://www.hl7.org/ccdasearch/ */
function clinicalDocument({ title, type, at, text }: DocumentEvent, patientName: string): string {
  const escapeText = (words: string) => escapeXml(words).replaceAll('"', '&quot;')
  const paragraphs = text.split('\n').map((line) => `          <paragraph>${escapeText(line)}</paragraph>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3">
  <realmCode code="US"/>
  <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
  <templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>
  <code code="${type.code}" codeSystem="2.16.840.1.113883.6.1" displayName="${escapeText(type.display ?? '')}"/>
  <title>${escapeText(title)}</title>
  <effectiveTime value="${at.slice(0, 10).replaceAll('-', '')}"/>
  <confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/>
  <languageCode code="en-US"/>
  <recordTarget>
    <patientRole>
      <patient><name>${escapeText(patientName)}</name></patient>
    </patientRole>
  </recordTarget>
  <component>
    <structuredBody>
      <component>
        <section>
          <title>Summary</title>
          <text>
${paragraphs.join('\n')}
          </text>
        </section>
      </component>
    </structuredBody>
  </component>
</ClinicalDocument>
`
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
