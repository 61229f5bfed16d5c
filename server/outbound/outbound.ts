/**
 * The only code that fetches URLs of other hosts: https on port 443, three seconds and 256 kB in all. A name is
 * resolved once and the connection goes to that address, so that DNS rebinding leads nowhere. Each redirect is checked
 * again. The caller gets one vague reason, the log the real one.
 */
import { lookup } from 'node:dns/promises'
import { type RequestOptions, request } from 'node:https'
import { isIP } from 'node:net'
import { fetchedBytesMax } from '../contract/http/parsers.ts'
import { Problem } from '../contract/http/problems.ts'
import { isPublicAddress } from './address-guard.ts'

export type Fetched = Readonly<{
  status: number
  contentType: string
  /** By header name in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}>

export type Outbound = {
  /**
   * @param options `readsBody: false` only checks that a page responds, and does not wait for its body
   * @throws Problem `unavailable`, with the real reason as its detail
   */
  get(url: string, options?: { accept?: string; readsBody?: boolean }): Promise<Fetched>
}

type OutboundOptions = {
  /** Returns all addresses of a name. */
  resolve?: (hostname: string) => Promise<readonly string[]>
  /** Whether a connection to this address is allowed. */
  isAllowed?: (address: string) => boolean
  /** Names that lead to a port of this machine and are not resolved. */
  localHosts?: ReadonlyMap<string, string>
  /** Responds in place of hosts that do not exist, without a connection; null for any other host. */
  answerFor?: (url: URL) => Fetched | null
  /** For tests: the port of the connection, and the certificate authority to trust. */
  connection?: Pick<RequestOptions, 'ca' | 'port'>
  withinMs?: number
}

type Wanted = { accept: string; readsBody: boolean }

const redirectsMax = 3
const vague = 'The URL could not be fetched.'

export function createOutbound({
  resolve = resolveAll,
  isAllowed = isPublicAddress,
  localHosts = new Map(),
  answerFor = () => null,
  connection = {},
  withinMs = 3_000,
}: OutboundOptions = {}): Outbound {
  const get: Outbound['get'] = async (address, { accept = 'application/json', readsBody = true } = {}) => {
    const wanted = { accept, readsBody }
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(refused('took too long')), withinMs)
    try {
      let url = checkUrl(address)
      for (let redirects = 0; ; redirects++) {
        const fetched = await getOnce(url, wanted, abort.signal)
        const location = fetched.headers.location
        if (fetched.status < 300 || fetched.status > 399 || location === undefined) return fetched
        if (redirects === redirectsMax) throw refused('too many redirects')
        url = checkUrl(location, url)
      }
    } catch (error) {
      if (abort.signal.aborted) throw refused('took too long')
      throw error instanceof Problem ? error : refused(reasonOf(error), error)
    } finally {
      clearTimeout(timer)
    }
  }

  async function getOnce(url: URL, wanted: Wanted, signal: AbortSignal): Promise<Fetched> {
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const port = localHosts.get(hostname)
    if (port !== undefined) return send(url, { host: '127.0.0.1', port }, wanted, signal)
    const answered = answerFor(url)
    if (answered !== null) return answered
    const addresses = await untilAborted(resolve(hostname), signal)
    // A name with one forbidden address is refused: it may be an attempt to reach an internal host.
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw refused('address not allowed')
    return send(url, { host: addresses[0] as string, port: 443 }, wanted, signal)
  }

  function send(
    url: URL,
    to: RequestOptions,
    { accept, readsBody }: Wanted,
    signal: AbortSignal,
  ): Promise<Fetched> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...to,
          servername: isIP(url.hostname) === 0 ? url.hostname : '',
          path: `${url.pathname}${url.search}`,
          method: 'GET',
          headers: { host: url.host, accept, 'accept-encoding': 'identity', 'user-agent': 'Sandpiper' },
          agent: false,
          signal,
          ...connection,
        },
        (answer) => {
          const chunks: Buffer[] = []
          let length = 0
          answer.on('data', (chunk: Buffer) => {
            length += chunk.length
            if (length > fetchedBytesMax) {
              outgoing.destroy(refused('too large'))
              return
            }
            chunks.push(chunk)
          })
          answer.on('error', reject)
          const finish = () =>
            resolve({
              status: answer.statusCode ?? 0,
              contentType: answer.headers['content-type'] ?? '',
              headers: Object.fromEntries(
                Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
              ),
              body: Buffer.concat(chunks, length),
            })
          if (readsBody) {
            answer.on('end', finish)
            return
          }
          finish()
          outgoing.destroy()
        },
      )
      outgoing.on('error', reject)
      outgoing.end()
    })
  }

  return { get }
}

/** Parses `name=port[,name=port…]` from the environment. */
export function readLocalHosts(text = ''): ReadonlyMap<string, string> {
  const pairs = text.split(',').filter(Boolean)
  return new Map(pairs.map((pair) => pair.split('=') as [string, string]))
}

function checkUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw refused('not a URL')
  const url = new URL(text, base)
  if (url.protocol !== 'https:') throw refused('not https')
  if (url.port !== '') throw refused('not on port 443')
  if (url.username !== '' || url.password !== '') throw refused('holds credentials')
  return url
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname]
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)
}

/** A DNS lookup cannot be aborted: without this, a silent name server would hold the request up. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(refused('took too long'))
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'connection failed'

const refused = (detail: string, cause?: unknown): Problem =>
  new Problem('unavailable', { message: vague, detail: `outbound: ${detail}`, cause })
