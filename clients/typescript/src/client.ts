import createClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type { components, operations, paths } from './schema.ts'
export type Schemas = components['schemas']
export type SandpiperClient = Client<paths>

export interface SandpiperOptions {
  /** Ends in `/api/v1`, for the sandbox in `/sandbox/api/v1`. */
  baseUrl: string | undefined
  apiKey: string | undefined
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>
  /** In place of a timer. */
  wait?: (seconds: number) => Promise<void>
  /** Sent again so many times at most when the answer says `Retry-After`; 3 when left out. */
  retriesMax?: number
  /** An answer that says to wait longer, such as until a practice's day ends, is returned at once; 120 when left out. */
  waitSecondsMax?: number
}

/**
 * A client of one key, and so of one practice. Answers are `{ data }` or `{ error }`, as openapi-fetch gives them.
 * @throws without address or key, and in a browser: a key must not be in anything that a user can open
 */
export function createSandpiperClient({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  wait = sleep,
  retriesMax = 3,
  waitSecondsMax = 120,
}: SandpiperOptions): SandpiperClient {
  if (!baseUrl) throw new TypeError('baseUrl is missing')
  if (!apiKey) throw new TypeError('apiKey is missing')
  if (typeof document !== 'undefined') {
    throw new TypeError('An API key belongs on a server: this client is not made in a browser.')
  }
  const options: ClientOptions = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: (request) => sendPatiently(request, { fetch, wait, retriesMax, waitSecondsMax }),
  }
  return createClient<paths>(options)
}

interface Patience {
  fetch: (request: Request) => Promise<Response>
  wait: (seconds: number) => Promise<void>
  retriesMax: number
  waitSecondsMax: number
}

async function sendPatiently(request: Request, patience: Patience): Promise<Response> {
  const { fetch, wait, retriesMax, waitSecondsMax } = patience
  const mayRepeat = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key')
  for (let retries = 0; ; retries++) {
    // A body can be read once; what may be sent again is kept.
    const answer = await fetch(mayRepeat ? request.clone() : request)
    const seconds = retryAfter(answer)
    if (seconds === null || seconds > waitSecondsMax || !mayRepeat || retries >= retriesMax) return answer
    await answer.body?.cancel()
    await wait(seconds)
  }
}

function retryAfter({ status, headers }: Response): number | null {
  if (status !== 429 && status !== 503) return null
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))

export interface Page {
  limit: number
  offset: number
}

interface ListAnswer<Each> {
  data?: { data: Each[]; page: { hasMore: boolean } }
  error?: { error: { code: string; message: string; correlationId: string } }
}

/** A refusal of the API, with its code and the correlation id to tell support. */
export class SandpiperError extends Error {
  readonly code: string
  readonly correlationId: string

  constructor({ code, message, correlationId }: { code: string; message: string; correlationId: string }) {
    super(`${code}: ${message} (correlation id ${correlationId})`)
    this.name = 'SandpiperError'
    this.code = code
    this.correlationId = correlationId
  }
}

/**
 * Every record of a list, page by page, until there is no more.
 * @throws SandpiperError when a page is refused
 */
export async function* listAll<Each>(
  getPage: (page: Page) => Promise<ListAnswer<Each>>,
  limit = 100,
): AsyncGenerator<Each> {
  for (let offset = 0; ; ) {
    const { data, error } = await getPage({ limit, offset })
    if (error) throw new SandpiperError(error.error)
    if (!data) throw new Error('the page has neither data nor an error')
    yield* data.data
    if (!data.page.hasMore) return
    offset += data.data.length
  }
}
