/**
 * The calls of S3 that we need, to a bucket of AWS or of any server that speaks the same:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 * Bytes are sent with their MD5, so that what arrives is what was sent.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { z } from 'zod'

export const s3Settings = z.strictObject({
  /** Base URL of the service; the bucket is the first part of the path. */
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  /** Before every key: empty, or ends with a slash. */
  prefix: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html */
  encryption: z.enum(['AES256', 'aws:kms', 'none']),
})
export type S3Settings = z.output<typeof s3Settings>

/** The object storage cannot be reached, or does not do what it was asked. The message names neither key nor secret. */
export class ObjectStorageError extends Error {
  override name = 'ObjectStorageError'
  readonly code = 'EOBJECTSTORAGE'
}

/** The error of the storage itself, be it wrapped by a transaction or not. */
export function findStorageError(error: unknown): ObjectStorageError | null {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return [error, cause].find((each) => each instanceof ObjectStorageError) ?? null
}

/** Of one request with its attempts; of a download, until it begins. */
const requestMsDefault = 60_000
const attemptsAgain = 4

type Order = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer> | string
}

export function createS3Client(settings: S3Settings, { requestMs = requestMsDefault } = {}) {
  const { endpoint, bucket, prefix, encryption, region, accessKeyId, secretAccessKey } = settings
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: attemptsAgain })
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const encrypted: Readonly<Record<string, string>> =
    encryption === 'none' ? {} : { 'x-amz-server-side-encryption': encryption }

  /** @returns the response when it is a success, or one of `fine` */
  async function send({ method, key, query = {}, headers = {}, body }: Order, fine: readonly number[] = []) {
    const path =
      key === undefined ? base : `${base}/${(prefix + key).split('/').map(encodeURIComponent).join('/')}`
    const url = `${path}?${new URLSearchParams(query)}`
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), requestMs)
    try {
      const init = {
        method,
        headers: { ...headers },
        signal: giveUp.signal,
        ...(body !== undefined && { body }),
      }
      const response = await aws.fetch(url, init)
      if (response.ok || fine.includes(response.status)) return response
      const [, code = ''] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(await response.text()) ?? []
      throw new ObjectStorageError(
        `the object storage answered ${method} with ${response.status} ${code}`.trim(),
      )
    } catch (error) {
      if (error instanceof ObjectStorageError) throw error
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      const why = giveUp.signal.aborted
        ? `no answer within ${requestMs / 1_000} s`
        : (code ?? 'no connection')
      throw new ObjectStorageError(`the object storage cannot be reached (${why})`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  const bytesOf = (bytes: Buffer) => ({
    body: new Uint8Array(bytes),
    headers: { 'content-md5': createHash('md5').update(bytes).digest('base64') },
  })

  async function put(key: string, bytes: Buffer): Promise<void> {
    const { body, headers } = bytesOf(bytes)
    await finished(send({ method: 'PUT', key, body, headers: { ...headers, ...encrypted } }))
  }

  /** @returns the id of the upload */
  async function beginUpload(key: string): Promise<string> {
    const text = await finished(send({ method: 'POST', key, query: { uploads: '' }, headers: encrypted }))
    const [id] = valuesOf(text, 'UploadId')
    if (id === undefined) throw new ObjectStorageError('the object storage began no upload')
    return id
  }

  /** @param number from 1. @returns its ETag */
  async function putPart(key: string, uploadId: string, number: number, bytes: Buffer): Promise<string> {
    const query = { partNumber: String(number), uploadId }
    const response = await send({ method: 'PUT', key, query, ...bytesOf(bytes) })
    await response.arrayBuffer()
    return response.headers.get('etag') ?? ''
  }

  async function completeUpload(key: string, uploadId: string, etags: readonly string[]): Promise<void> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const headers = { 'content-type': 'application/xml' }
    const text = await finished(send({ method: 'POST', key, query: { uploadId }, body, headers }))
    // It may fail after it has begun to answer with 200.
    if (/<Error>/.test(text)) throw new ObjectStorageError('the object storage did not complete an upload')
  }

  async function abortUpload(key: string, uploadId: string): Promise<void> {
    await finished(send({ method: 'DELETE', key, query: { uploadId } }, [404]))
  }

  /** Null when there is none. */
  async function sizeOf(key: string): Promise<number | null> {
    const response = await send({ method: 'HEAD', key }, [404])
    return response.ok ? Number(response.headers.get('content-length')) : null
  }

  /** Bytes from `first` to `last`, both included; null when there is no such object. */
  async function get(key: string, range?: { first: number; last: number }): Promise<Readable | null> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` }
    const response = await send({ method: 'GET', key, ...(headers && { headers }) }, [404])
    if (response.ok && response.body) return Readable.fromWeb(response.body as WebStream)
    // Without its bucket nothing is known to be missing.
    if ((await response.text()).includes('<Code>NoSuchBucket</Code>'))
      throw new ObjectStorageError('the bucket does not exist')
    return null
  }

  /** Keys without our prefix, as the service lists them: some 1,000 at a time. */
  async function* pages(below: string): AsyncGenerator<string[], void> {
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: prefix + below,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const text = await finished(send({ method: 'GET', query }))
      yield valuesOf(text, 'Key').map((key) => key.slice(prefix.length))
      token = valuesOf(text, 'NextContinuationToken')[0]
    } while (token !== undefined)
  }

  async function list(below: string): Promise<string[]> {
    const keys: string[] = []
    for await (const page of pages(below)) keys.push(...page)
    return keys
  }

  /** Of uploads that were neither completed nor aborted. */
  async function listUploads(below: string): Promise<{ key: string; uploadId: string }[]> {
    const text = await finished(send({ method: 'GET', query: { uploads: '', prefix: prefix + below } }))
    const ids = valuesOf(text, 'UploadId')
    return valuesOf(text, 'Key').map((key, at) => ({
      key: key.slice(prefix.length),
      uploadId: ids[at] ?? '',
    }))
  }

  async function remove(key: string): Promise<void> {
    await finished(send({ method: 'DELETE', key }, [404]))
  }

  return {
    put,
    beginUpload,
    putPart,
    completeUpload,
    abortUpload,
    sizeOf,
    get,
    pages,
    list,
    listUploads,
    remove,
  }
}

export type S3Client = ReturnType<typeof createS3Client>

/** To the end, so that its connection serves the next request. */
async function finished(response: Promise<Response>): Promise<string> {
  return (await response).text()
}

function valuesOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value = '']) =>
    unescapeXml(value),
  )
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => text.replace(/[&<>"]/g, (each) => entities[each] ?? each)
const unescapeXml = (text: string) =>
  text
    .replace(/&quot;|&#34;/g, '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** `s3://bucket/prefix` in two parts. */
const addressPattern =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+)?\/?)?$/

/** @returns the prefix empty, or with a slash at its end; null for a text that is not an address */
export function parseObjectAddress(address: string): { bucket: string; prefix: string } | null {
  const [, bucket, path = ''] = addressPattern.exec(address) ?? []
  return bucket === undefined ? null : { bucket, prefix: path && `${path}/` }
}

// Where the bytes of contents are, and the bucket for those in object storage.

export const contentPlaces = ['database', 'object'] as const
export type ContentPlace = (typeof contentPlaces)[number]

export interface ContentStorage {
  /** Where new contents go. */
  readonly place: ContentPlace
  /** Null: no bucket is set. */
  readonly objects: S3Client | null
  /** Of the bucket: the public origin of its installation. */
  readonly owner: string
}

export const inDatabase: ContentStorage = { place: 'database', objects: null, owner: '' }
