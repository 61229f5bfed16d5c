/** Responds with a file of an export, or a range of it, compressed if the client accepts that. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../contract/http/problems.ts'
import type { FoundFile } from '../../domain/bulk-exports/bulk-exports.ts'
import type { ExportStorage } from '../../domain/bulk-exports/export-storage.ts'
import type { ExportFile } from '../../domain/bulk-exports/export-types.ts'
import { takesGzip } from '../../http/compression.ts'
import { isUnchanged, parseRange, type Range } from '../../http/conditions.ts'
import { outcomeText } from '../../http/fhir-answer.ts'

const ndjson = { 'Content-Type': 'application/fhir+ndjson' } as const

/** @throws Problem `not_found`, `range_not_satisfiable` */
export async function fileAnswer(
  request: Request,
  { exportId, attempt, file, issues }: FoundFile,
  storage: ExportStorage,
) {
  if (file === null) {
    const lines = issues.map(
      (diagnostics) => `${outcomeText([{ severity: 'error', code: 'exception', diagnostics }])}\n`,
    )
    return { status: 200, headers: { ...ndjson }, body: lines.join('') }
  }
  // A range counts the bytes that are sent, so compressed bytes if the file is sent compressed.
  const compressed = file.gzip && takesGzip(request.headers)
  const size = compressed ? file.storedBytes : file.bytes
  const etag = `"${exportId}-${attempt}-${file.name}${compressed ? '-gzip' : ''}"`
  const always = {
    ...ndjson,
    ...(compressed && { 'Content-Encoding': 'gzip' }),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    Vary: 'Accept-Encoding',
  }
  if (isUnchanged(request.headers, { etag, lastModified: null })) {
    return { status: 304, headers: always, body: null }
  }
  const condition = request.headers.get('if-range')
  const range =
    condition !== null && condition.trim() !== etag ? null : parseRange(request.headers.get('range'), size)
  const { first, last } = range ?? { first: 0, last: size - 1 }
  const headers = {
    ...always,
    'Content-Length': String(last - first + 1),
    ...(range && { 'Content-Range': `bytes ${first}-${last}/${size}` }),
  }
  const status = range === null ? 200 : 206
  if (request.method === 'HEAD') return { status, headers, body: null }
  const stored = await open(storage, { exportId, attempt }, file, compressed, range)
  return { status, headers, body: () => Readable.toWeb(stored) as ReadableStream<Uint8Array> }
}

async function open(
  storage: ExportStorage,
  run: { exportId: string; attempt: number },
  file: ExportFile,
  compressed: boolean,
  range: Range | null,
): Promise<Readable> {
  const direct = compressed || !file.gzip
  const stored = await storage.read(run, file.name, direct && range !== null ? range : undefined)
  // The file was removed after it was found.
  if (stored === null) throw new Problem('not_found')
  if (direct) return stored
  const plain = stored.pipe(createGunzip())
  stored.on('error', (error) => plain.destroy(error))
  plain.on('close', () => stored.destroy())
  return range === null ? plain : Readable.from(cut(plain, range))
}

/** Cuts a range out of a stream that can only be read from its beginning. */
async function* cut(stream: Readable, { first, last }: Range): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const from = Math.max(0, first - at)
    const until = Math.min(chunk.length, last + 1 - at)
    if (from < until) yield chunk.subarray(from, until)
    at += chunk.length
    if (at > last) return
  }
}
