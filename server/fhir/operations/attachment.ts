/**
 * `DocumentReference/{id}/$attachment`: the stored bytes, for callers who may read the document. Attachments can come from
 * anyone, so browsers must not run them: no script, no sniffing, and only safe types are shown inline.
 */
import { createHash } from 'node:crypto'
import { accessTo } from '../../auth/access.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import { isUnchanged, parseRange, type Range } from '../../http/conditions.ts'
import { checkId } from '../../http/fhir-answer.ts'
import type { Parameter } from '../../search/compile.ts'
import { compileRead } from '../../search/compile.ts'
import type { StoredDocument } from '../../store/documents.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { ccdAnswer } from './ccda.ts'
import { findOnDemand } from './on-demand.ts'

export async function attachment(
  { call, store, ccd, ask, readParameters }: HandlerCall,
  type: FhirType,
  id: string,
): Promise<Answer> {
  const { headers } = call.request
  const { resource, document, made } = await ask(async (principal, liveness) => {
    const access = accessTo(principal, type, 'read')
    const ordinal = ordinalOf(await readParameters())
    checkId(id)
    const { datasetId } = principal.practice
    const found = await store.read(datasetId, compileRead(access, id), liveness)
    if (!found.alive) return { ...found, document: null, made: null }
    if (found.resource === null) {
      const onDemand =
        ordinal === 0 ? await findOnDemand(ccd.open, principal, liveness, id) : { alive: true, ccd: null }
      return { alive: onDemand.alive, resource: null, document: null, made: onDemand.ccd }
    }
    const { resource } = found
    const bytes = await store.documents.find(datasetId, { type, id, ordinal }, liveness)
    const document = bytes.document ?? inlineDocument(resource.content, ordinal)
    return { alive: bytes.alive, resource, document, made: null }
  })
  if (made !== null) return ccdAnswer(call.request, made)
  if (resource === null || document === null) throw new Problem('not_found')
  const contentType = mediaType.test(document.contentType) ? document.contentType : 'application/octet-stream'
  const etag = `"${document.sha256}"`
  const always = {
    'Content-Type': contentType,
    'Content-Disposition': dispositionOf(contentType, id),
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'Accept-Ranges': 'bytes',
    ETag: etag,
  }
  const disclosed = { count: 1, patientId: resource.patientId }
  if (isUnchanged(headers, { etag, lastModified: null })) {
    return { ...disclosed, status: 304, headers: always, body: null }
  }
  const range = rangeOf(headers, etag, document.size)
  const body = call.request.method === 'HEAD' ? null : await openBytes(document, range ?? undefined)
  if (range === null) {
    const complete = { ...always, 'Content-Length': String(document.size) }
    return { ...disclosed, status: 200, headers: complete, body }
  }
  const { first, last } = range
  const part = {
    ...always,
    'Content-Length': String(last - first + 1),
    'Content-Range': `bytes ${first}-${last}/${document.size}`,
  }
  return { ...disclosed, status: 206, headers: part, body }
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-media-type. Any other text could be an invalid header. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/

/** The bytes in the DocumentReference itself, in `content.attachment.data`. */
function inlineDocument(content: Buffer, ordinal: number): StoredDocument | null {
  const { content: parts } = JSON.parse(content.toString()) as {
    content?: { attachment?: Record<string, unknown> }[]
  }
  const { data, contentType } = (Array.isArray(parts) && parts[ordinal]?.attachment) || {}
  if (typeof data !== 'string') return null
  const bytes = Buffer.from(data, 'base64')
  return {
    contentType: typeof contentType === 'string' ? contentType : '',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async *bytes({ first, last } = { first: 0, last: bytes.length - 1 }) {
      yield bytes.subarray(first, last + 1)
    },
  }
}

/** `?ordinal=1` is the second attachment of a document; the default is the first. */
function ordinalOf(parameters: readonly Parameter[]): number {
  const [parameter] = parameters
  if (parameter === undefined) return 0
  const [name, value] = parameter
  if (parameters.length > 1 || name !== 'ordinal' || !/^\d{1,3}$/.test(value)) {
    throw new Problem('validation', {
      message: 'The only parameter is ordinal, given once: a whole number from 0 to 999.',
      field: 'ordinal',
      fhirIssue: 'value',
    })
  }
  return Number(value)
}

const shown = /^(text\/plain|image\/(png|jpeg|gif|webp)|application\/pdf)\b/i

const dispositionOf = (contentType: string, id: string): string =>
  `${shown.test(contentType) ? 'inline' : 'attachment'}; filename="${id.replace(/[^\w.-]/g, '_')}"`

/** With `If-Range` for another version, the whole file is sent. https://www.rfc-editor.org/rfc/rfc9110#name-if-range */
function rangeOf(headers: Headers, etag: string, size: number): Range | null {
  const condition = headers.get('if-range')
  if (condition !== null && condition.trim() !== etag) return null
  return parseRange(headers.get('range'), size)
}

/**
 * Streams the bytes with backpressure.
 * @throws if the first piece cannot be read, so that the response can still have an error status
 */
async function openBytes(document: StoredDocument, range: Range | undefined) {
  const pieces = document.bytes(range)
  let next: Promise<IteratorResult<Buffer, void>> | null = Promise.resolve(await pieces.next())
  return () =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await (next ?? pieces.next())
        next = null
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return()
      },
    })
}
