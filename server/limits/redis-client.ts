/** The connection to Valkey or Redis. It reconnects by itself, after pauses that differ between processes. */
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { readCertificates } from '../store/database-client.ts'
import { createBackoff } from '../store/retry.ts'

type RedisClient = Redis | Cluster

const connectMs = 2_000
/** The most redirections of a command in a Cluster before it fails. */
const redirectionsMax = 3

/**
 * @param commandTimeoutMilliseconds a server that takes longer counts as unavailable
 * @param onError called with the reason if the connection fails; another attempt follows
 * @throws RedisUrlError
 */
export function connectRedis(
  url: string,
  commandTimeoutMilliseconds: number,
  onError: (reason: string) => void,
): RedisClient {
  const backoff = createBackoff()
  const pause = () => backoff.next()
  const client = url.startsWith('/')
    ? new Redis({ ...baseOptions(null, commandTimeoutMilliseconds), path: url, retryStrategy: pause })
    : connectTo(parseRedisUrl(url), commandTimeoutMilliseconds, pause)
  client.on('ready', () => backoff.reset())
  client.on('error', (error) => onError(describeError(error)))
  return client
}

/** Describes an error so that an operator can fix it, instead of the library's own message. */
export function describeError(error: unknown): string {
  const { lastNodeError, message } = error as { lastNodeError?: Error; message?: string }
  const reason = lastNodeError?.message ?? message ?? String(error)
  if (/^(MOVED|CROSSSLOT)/.test(reason)) return 'REDIS_URL leads to a Cluster: say redis+cluster://'
  if (reason.includes('cluster support disabled')) return 'REDIS_URL leads to no Cluster: say redis://'
  return reason
}

function connectTo(address: RedisAddress, commandTimeout: number, pause: () => number): RedisClient {
  const { kind, nodes, username, password, database, primary, tls } = address
  const options: RedisOptions = {
    ...baseOptions(tls, commandTimeout),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  }
  if (kind === 'cluster')
    return new Cluster([...nodes], {
      redisOptions: options,
      clusterRetryStrategy: pause,
      enableOfflineQueue: false,
      maxRedirections: redirectionsMax,
      slotsRefreshTimeout: connectMs,
      // Uses host names instead of addresses, because certificates name hosts.
      dnsLookup: (name, callback) => callback(null, name),
    })
  const single: RedisOptions = { ...options, db: database, retryStrategy: pause }
  if (kind === 'single') return new Redis({ ...single, ...nodes[0] })
  const { sentinelUsername, sentinelPassword } = address
  return new Redis({
    ...single,
    sentinels: [...nodes],
    name: primary as string,
    sentinelRetryStrategy: pause,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { sentinelTLS: readCertificates(tls, RedisUrlError), enableTLSForSentinelMode: true }),
  })
}

function baseOptions(tls: RedisAddress['tls'], commandTimeout: number): RedisOptions {
  return {
    connectionName: 'sandpiper',
    // Commands fail immediately without a server: this process then counts requests alone.
    enableOfflineQueue: false,
    commandTimeout,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 0,
    // A primary that became a replica does not close its connections.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...(tls && { tls: readCertificates(tls, RedisUrlError) }),
  }
}

/**
 * REDIS_URL: one Valkey or Redis, a Sentinel's choice of several, or a Cluster; with or without TLS.
 *   redis://user:password@host:6379/0               rediss:// with TLS
 *   redis+sentinel://user:password@h1:26379,h2/name  rediss+sentinel://
 *   redis+cluster://user:password@h1:6379,h2         rediss+cluster://
 */

type RedisNode = Readonly<{ host: string; port: number }>

type RedisAddress = Readonly<{
  kind: 'single' | 'sentinel' | 'cluster'
  /** The server, the Sentinels, or some nodes of the Cluster. */
  nodes: readonly RedisNode[]
  username: string | undefined
  password: string | undefined
  database: number
  /** The name of the primary in the Sentinels' configuration. */
  primary: string | undefined
  sentinelUsername: string | undefined
  sentinelPassword: string | undefined
  /** Paths of files, or null without TLS. Certificate and host name are always checked. */
  tls: Readonly<{ rootCertificate?: string; certificate?: string; key?: string }> | null
}>

/** The message does not contain the URL’s user or password. */
export class RedisUrlError extends Error {
  override name = 'RedisUrlError'
}

const shape =
  /^redis(s)?(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const tlsFiles = { sslrootcert: 'rootCertificate', sslcert: 'certificate', sslkey: 'key' } as const
const parameters: readonly string[] = [...Object.keys(tlsFiles), 'sentinel_username', 'sentinel_password']

/** @throws RedisUrlError */
export function parseRedisUrl(url: string): RedisAddress {
  const [, secure, type, userInfo, authority = '', path = '', query = ''] =
    shape.exec(url) ?? refuse('must be a redis:// URL, such as redis://127.0.0.1:6379')
  const kind = (type ?? 'single') as RedisAddress['kind']
  const options = new URLSearchParams(query)
  for (const name of options.keys())
    if (!parameters.includes(name))
      refuse(`has the parameter ${name}, which Sandpiper does not know. Known are ${parameters.join(', ')}`)
  const hosts = authority.split(',')
  if (kind === 'single' && hosts.length > 1)
    refuse('names several hosts: say redis+sentinel:// or redis+cluster://')
  const [username, password] = (userInfo ?? '').split(/:(.*)/s)
  const segments = path === '' ? [] : path.split('/')
  const primary = kind === 'sentinel' ? decode(segments.shift()) : undefined
  if (kind === 'sentinel' && !primary)
    refuse('does not name the primary: redis+sentinel://host:26379/name-of-the-primary')
  if (segments.length > (kind === 'cluster' ? 0 : 1))
    refuse(kind === 'cluster' ? 'names a database, and a Cluster has only one' : 'has too many parts')
  return {
    kind,
    nodes: hosts.map((host) => readNode(host, kind === 'sentinel' ? 26_379 : 6_379)),
    username: decode(username) || undefined,
    password: decode(password) || undefined,
    database: readDatabase(segments[0] ?? ''),
    primary,
    sentinelUsername: options.get('sentinel_username') ?? undefined,
    sentinelPassword: options.get('sentinel_password') ?? undefined,
    tls: readTls(secure !== undefined, options),
  }
}

function readTls(secure: boolean, parameters: URLSearchParams): RedisAddress['tls'] {
  const files = Object.entries(tlsFiles).flatMap(([parameter, name]) => {
    const path = parameters.get(parameter)
    return path ? [[name, path] as const] : []
  })
  if (!secure && files.length > 0) refuse('has certificates without TLS: say rediss://')
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    refuse('has only one of sslcert and sslkey: a client certificate needs both')
  return secure ? Object.fromEntries(files) : null
}

function readNode(text: string, defaultPort: number): RedisNode {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? refuse('names a host that cannot be read')
  const number = port === '' ? defaultPort : Number(port)
  if (number < 1 || number > 65_535) refuse('names a port that is none')
  return { host: bracketed ?? plain ?? '', port: number }
}

function readDatabase(text: string): number {
  if (!/^\d{0,4}$/.test(text)) refuse('names a database that is no number')
  return Number(text)
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return refuse('has a % that is not followed by two hexadecimal digits')
  }
}

function refuse(reason: string): never {
  throw new RedisUrlError(reason)
}
