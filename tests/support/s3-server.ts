/**
 * A small S3 server of our own, for what must be quick or needs a fault at one moment. It speaks as much as our client
 * does, and knows neither signatures nor multipart uploads: tests/support/swift.ts is a real one.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Settings } from '../../server/store/s3-client.ts'

type Order = { method: string; key: string }

export type LocalS3 = {
  settings: S3Settings
  /** As an operator sets them. */
  environment: Record<string, string>
  /** By their keys in the bucket. */
  objects: Map<string, Buffer>
  /** `METHOD key` of every request. */
  requests: string[]
  /** Connections end at once. */
  away: boolean
  /** Called before a request is answered, which waits for it. */
  before: (order: Order) => Promise<void> | void
  /** Bytes of one download after which its connection ends; null: all are sent. */
  breakAfter: number | null
  stop(): Promise<void>
}

const bucket = 'clinic-documents'
const pageKeys = 100

export async function startLocalS3(): Promise<LocalS3> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings: S3Settings = {
    endpoint,
    region: 'us-east-1',
    bucket,
    prefix: 'sandpiper/',
    accessKeyId: 'tester',
    secretAccessKey: 'a-secret-of-this-test',
    encryption: 'AES256',
  }
  const s3: LocalS3 = {
    settings,
    environment: {
      DOCUMENT_URL: `s3://${bucket}/sandpiper`,
      DOCUMENT_STORAGE: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'clinic-exports',
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    objects: new Map(),
    requests: [],
    away: false,
    before: () => {},
    breakAfter: null,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '' } = request
    const { pathname, searchParams } = new URL(url, endpoint)
    const key = decodeURIComponent(pathname.slice(bucket.length + 2))
    const body = Buffer.concat(await request.toArray())
    s3.requests.push(`${method} ${key}`)
    await s3.before({ method, key })
    if (s3.away) return void response.destroy()
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return end(response, 403)
    if (!pathname.startsWith(`/${bucket}`)) return end(response, 404, '<Code>NoSuchBucket</Code>')
    if (method === 'GET' && key === '') return end(response, 200, list(searchParams))
    if (method === 'PUT') return put(response, key, body, headers)
    if (method === 'DELETE') {
      s3.objects.delete(key)
      return end(response, 204)
    }
    const object = s3.objects.get(key)
    if (object === undefined) return end(response, 404, '<Code>NoSuchKey</Code>')
    const [, first = '0', last = String(object.length - 1)] =
      /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const bytes = object.subarray(Number(first), Number(last) + 1)
    response.writeHead(headers.range ? 206 : 200, { 'content-length': bytes.length })
    if (method === 'HEAD' || s3.breakAfter === null) return void response.end(method === 'HEAD' ? '' : bytes)
    const part = bytes.subarray(0, s3.breakAfter)
    s3.breakAfter = null
    response.write(part, () => setTimeout(() => response.destroy(), 20))
  }

  function put(
    response: ServerResponse,
    key: string,
    body: Buffer,
    headers: IncomingMessage['headers'],
  ): void {
    const digest = createHash('md5').update(body).digest('base64')
    if (headers['content-md5'] !== digest || headers['x-amz-server-side-encryption'] !== 'AES256')
      end(response, 400, '<Code>BadDigest</Code>')
    else {
      s3.objects.set(key, body)
      end(response, 200)
    }
  }

  function list(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? ''
    const keys = [...s3.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort()
    const page = keys.slice(0, pageKeys)
    const next = keys.length > pageKeys ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult>${page.map((key) => `<Key>${key}</Key>`).join('')}${next}</ListBucketResult>`
  }

  return s3
}

function end(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status).end(text)
}
