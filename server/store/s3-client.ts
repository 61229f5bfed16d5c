/**
 * The S3 calls that we need, for AWS or any S3-compatible server:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 * Uploads carry an MD5, so that the server rejects bytes that were damaged on the way.
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
  /** Every object key begins with it. It is empty or ends with a slash. */
  prefix: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html */
  encryption: z.enum(['AES256', 'aws:kms', 'none']),
})
export type S3Settings = z.output<typeof s3Settings>

/** The object storage is unreachable or returned an error. The message contains no object key and no secret. */
export class ObjectStorageError extends Error {
  override name = 'ObjectStorageError'
  readonly code = 'EOBJECTSTORAGE'
}

/** A transaction may have wrapped the storage's error as its cause. */
export function findStorageError(error: unknown): ObjectStorageError | null {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return [error, cause].find((each) => each instanceof ObjectStorageError) ?? null
}

/** Limits one request with its retries, and a download only until its response begins. */
const requestMsDefault = 60_000
const retriesMax = 4

type S3Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer> | string
}

export function createS3Client(settings: S3Settings, { requestMs = requestMsDefault } = {}) {
  const { endpoint, bucket, prefix, encryption, region, accessKeyId, secretAccessKey } = settings
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: retriesMax })
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const encrypted: Readonly<Record<string, string>> =
    encryption === 'none' ? {} : { 'x-amz-server-side-encryption': encryption }

  /** @returns the response if its status is a success or listed in `also` */
  async function send({ method, key, query = {}, headers = {}, body }: S3Call, also: readonly number[] = []) {
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
      if (response.ok || also.includes(response.status)) return response
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

  const withMd5 = (bytes: Buffer) => ({
    body: new Uint8Array(bytes),
    headers: { 'content-md5': createHash('md5').update(bytes).digest('base64') },
  })

  async function put(key: string, bytes: Buffer): Promise<void> {
    const { body, headers } = withMd5(bytes)
    await readBody(send({ method: 'PUT', key, body, headers: { ...headers, ...encrypted } }))
  }

  /** @returns the id of the upload */
  async function beginUpload(key: string): Promise<string> {
    const text = await readBody(send({ method: 'POST', key, query: { uploads: '' }, headers: encrypted }))
    const [id] = valuesOf(text, 'UploadId')
    if (id === undefined) throw new ObjectStorageError('the object storage began no upload')
    return id
  }

  /** @param number from 1. @returns its ETag */
  async function putPart(key: string, uploadId: string, number: number, bytes: Buffer): Promise<string> {
    const query = { partNumber: String(number), uploadId }
    const response = await send({ method: 'PUT', key, query, ...withMd5(bytes) })
    await response.arrayBuffer()
    return response.headers.get('etag') ?? ''
  }

  async function completeUpload(key: string, uploadId: string, etags: readonly string[]): Promise<void> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const headers = { 'content-type': 'application/xml' }
    const text = await readBody(send({ method: 'POST', key, query: { uploadId }, body, headers }))
    // S3 may send the status 200 first and fail afterwards: the error is then in the body.
    if (/<Error>/.test(text)) throw new ObjectStorageError('the object storage did not complete an upload')
  }

  async function abortUpload(key: string, uploadId: string): Promise<void> {
    await readBody(send({ method: 'DELETE', key, query: { uploadId } }, [404]))
  }

  /** @returns null if there is no such object */
  async function sizeOf(key: string): Promise<number | null> {
    const response = await send({ method: 'HEAD', key }, [404])
    return response.ok ? Number(response.headers.get('content-length')) : null
  }

  /** Reads the bytes from `first` to `last`, both included. @returns null if there is no such object */
  async function get(key: string, range?: { first: number; last: number }): Promise<Readable | null> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` }
    const response = await send({ method: 'GET', key, ...(headers && { headers }) }, [404])
    if (response.ok && response.body) return Readable.fromWeb(response.body as WebStream)
    // A missing bucket is a wrong setting and does not mean that the object is missing.
    if ((await response.text()).includes('<Code>NoSuchBucket</Code>'))
      throw new ObjectStorageError('the bucket does not exist')
    return null
  }

  /** Yields keys without our prefix, one page of the listing at a time (about 1,000 keys). */
  async function* pages(folder: string): AsyncGenerator<string[], void> {
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: prefix + folder,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const text = await readBody(send({ method: 'GET', query }))
      yield valuesOf(text, 'Key').map((key) => key.slice(prefix.length))
      token = valuesOf(text, 'NextContinuationToken')[0]
    } while (token !== undefined)
  }

  async function list(folder: string): Promise<string[]> {
    const keys: string[] = []
    for await (const page of pages(folder)) keys.push(...page)
    return keys
  }

  /** Lists uploads that were neither completed nor aborted. */
  async function listUploads(folder: string): Promise<{ key: string; uploadId: string }[]> {
    const text = await readBody(send({ method: 'GET', query: { uploads: '', prefix: prefix + folder } }))
    const ids = valuesOf(text, 'UploadId')
    return valuesOf(text, 'Key').map((key, at) => ({
      key: key.slice(prefix.length),
      uploadId: ids[at] ?? '',
    }))
  }

  async function remove(key: string): Promise<void> {
    await readBody(send({ method: 'DELETE', key }, [404]))
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

/** Reads the body to its end: otherwise its connection cannot serve the next request. */
const readBody = async (response: Promise<Response>): Promise<string> => (await response).text()

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

/** Captures the bucket and the prefix of `s3://bucket/prefix`. */
const addressPattern =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+)?\/?)?$/

/** @returns null if the text is not such an address. `prefix` is empty or ends with a slash */
export function parseObjectAddress(address: string): { bucket: string; prefix: string } | null {
  const [, bucket, path = ''] = addressPattern.exec(address) ?? []
  return bucket === undefined ? null : { bucket, prefix: path && `${path}/` }
}

// Contents are stored in the database or in object storage.

export const contentPlaces = ['database', 'object'] as const
export type ContentPlace = (typeof contentPlaces)[number]

export interface ContentStorage {
  /** New contents are written here. */
  readonly place: ContentPlace
  /** Null if no bucket is configured. */
  readonly objects: S3Client | null
  /** The public origin of the installation that owns the bucket. */
  readonly owner: string
}

export const inDatabase: ContentStorage = { place: 'database', objects: null, owner: '' }
