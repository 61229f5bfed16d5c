/** The connection to Valkey or Redis. It comes back by itself, after pauses that differ from process to process. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { createBackoff } from '../store/backoff.ts'
import { parseRedisUrl, type RedisAddress, RedisUrlError } from './redis-url.ts'

type RedisClient = Redis | Cluster

const connectMs = 2_000
/** How often a Cluster sends a command on to another node before it counts as failed. */
const redirectionsMax = 3

/**
 * @param commandTimeoutMilliseconds a server that takes longer is as good as away
 * @param onError told why there is no connection; another attempt follows
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

/** What a person can mend, in place of what the library says of itself. */
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
      // Certificates name hosts, not the addresses behind them.
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
    ...(tls && { sentinelTLS: readTlsFiles(tls), enableTLSForSentinelMode: true }),
  })
}

function baseOptions(tls: RedisAddress['tls'], commandTimeout: number): RedisOptions {
  return {
    connectionName: 'sandpiper',
    // Nothing waits for a server that is away: requests go on, counted by this process.
    enableOfflineQueue: false,
    commandTimeout,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 0,
    // A primary that became a replica keeps its connections.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...(tls && { tls: readTlsFiles(tls) }),
  }
}

function readTlsFiles({
  rootCertificate,
  certificate,
  key,
}: NonNullable<RedisAddress['tls']>): ConnectionOptions {
  return {
    ...(rootCertificate !== undefined && { ca: readTlsFile('sslrootcert', rootCertificate) }),
    ...(certificate !== undefined && { cert: readTlsFile('sslcert', certificate) }),
    ...(key !== undefined && { key: readTlsFile('sslkey', key) }),
  }
}

function readTlsFile(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new RedisUrlError(`names a file in ${parameter} that cannot be read: ${path} (${code})`)
  }
}
