/** Bytes of the documents that lie beside their resources, the same for the same document on every machine. */
import type { DocumentEvent } from '../timeline/events.ts'
import { clinicalDocument } from './clinical-document.ts'
import { pdf } from './pdf.ts'
import { scanPng } from './png.ts'

export interface DocumentFile {
  /** Id of the DocumentReference. */
  readonly documentId: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** @throws when the event names no kind of file that there is. */
export function documentFile(event: DocumentEvent, documentId: string, patientName: string): DocumentFile {
  return { documentId, contentType: event.contentType, bytes: content(event, patientName) }
}

const fiveMegabytes = 5_000_000

function content(event: DocumentEvent, patientName: string): Uint8Array {
  const lines = (event.text ?? '').split('\n')
  switch (event.file) {
    case 'pdf':
      return pdf([event.title, `Patient: ${patientName}`, `Date: ${event.at.slice(0, 10)}`, '', ...lines])
    case 'png':
      return scanPng(320, 200)
    case 'ccda':
      return bytes(clinicalDocument(event, patientName))
    case 'text':
      return bytes(`${event.title}\nPatient: ${patientName}\n\n${lines.join('\n')}\n`)
    case 'large':
      return large(event.title)
    default:
      throw new Error(`no such kind of file: ${event.file}`)
  }
}

/** A monitor's log of one line a second, cut at five million bytes. */
function large(title: string): Uint8Array {
  const header = `${title}; synthetic; second;pulse;saturation\n`
  const parts = [header]
  let length = header.length
  for (let second = 0; length < fiveMegabytes; second++) {
    const line = `${String(second).padStart(6, '0')};${64 + ((second * 7) % 23)};${95 + (second % 5)}\n`
    parts.push(line)
    length += line.length
  }
  return bytes(parts.join('').slice(0, fiveMegabytes))
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
