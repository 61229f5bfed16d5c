/** Generates the bytes of documents. The same document has the same bytes on every machine. */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Attachment } from 'fhir/r4.js'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'
import { escapeXml } from '../resources/elements.ts'
import type { EventOf } from '../timeline/events.ts'

export interface DocumentFile {
  /** The id of the DocumentReference. */
  readonly documentId: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

type DocumentEvent = EventOf<'document'>

const fiveMegabytes = 5_000_000

/** @returns undefined if the resource itself contains the text */
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

/** The attachment element, the same in the DocumentReference and its report. */
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

/** A log with a line for each second, truncated at five million bytes. */
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

/** A small C-CDA document with one section, as if from another practice: https://www.hl7.org/ccdasearch/ */
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

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A one-page PDF of text lines, written by hand: https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf */

/** Letters beyond Latin-1 become question marks: the built-in fonts have no others. */
function pdf(lines: readonly string[]): Uint8Array {
  const shown = lines.flatMap(wrapped).slice(0, 52)
  const text = shown.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  const stream = `BT /F1 11 Tf 14 TL 60 750 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const file = `${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0))
}

const escaped = (line: string): string =>
  line.replace(/[^\x20-\xff]/g, '?').replace(/[\\()]/g, (letter) => `\\${letter}`)

function wrapped(line: string): string[] {
  if (line.length <= 92) return [line]
  const cut = line.lastIndexOf(' ', 92)
  const at = cut > 0 ? cut : 92
  return [line.slice(0, at), ...wrapped(line.slice(at).trimStart())]
}

/**
 * A grey PNG that stands for a scan: https://www.w3.org/TR/png-3/. Its data is stored and not compressed, because
 * compressors differ between versions and the bytes must not.
 */
function scanPng(width: number, height: number): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const border = x < 4 || y < 4 || x >= width - 4 || y >= height - 4
      const line = y % 18 < 2 && x > 24 && x < width - 24 - ((y * 37) % 90)
      rows[y * (width + 1) + 1 + x] = border ? 90 : line ? 60 : 245 - ((x * 3 + y * 5) % 7)
    }
  }
  const header = Buffer.concat([number32(width), number32(height), Buffer.of(8, 0, 0, 0, 0)])
  return Buffer.concat([
    Buffer.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk('IHDR', header),
    chunk('IDAT', stored(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([number32(data.length), named, number32(crc32(named))])
}

/** zlib with stored blocks, RFC 1950 and RFC 1951. */
function stored(data: Buffer): Buffer {
  const blocks: Buffer[] = [Buffer.of(0x78, 0x01)]
  for (let at = 0; at < data.length; at += 65_535) {
    const part = data.subarray(at, at + 65_535)
    const head = Buffer.alloc(5, at + part.length >= data.length ? 1 : 0)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(~part.length & 0xffff, 3)
    blocks.push(head, part)
  }
  let a = 1
  let b = 0
  for (const byte of data) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return Buffer.concat([...blocks, number32(((b << 16) | a) >>> 0)])
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
