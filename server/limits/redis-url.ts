/**
 * REDIS_URL: one Valkey or Redis, a Sentinel's choice of several, or a Cluster; with or without TLS.
 *   redis://user:password@host:6379/0               rediss:// with TLS
 *   redis+sentinel://user:password@h1:26379,h2/name  rediss+sentinel://
 *   redis+cluster://user:password@h1:6379,h2         rediss+cluster://
 */

export type RedisNode = Readonly<{ host: string; port: number }>

export type RedisAddress = Readonly<{
  kind: 'single' | 'sentinel' | 'cluster'
  /** Of the server, of the Sentinels, or of some nodes of the Cluster. */
  nodes: readonly RedisNode[]
  username: string | undefined
  password: string | undefined
  database: number
  /** What the Sentinels call the primary. */
  primary: string | undefined
  sentinelUsername: string | undefined
  sentinelPassword: string | undefined
  /** Null without TLS; paths of files otherwise. Certificate and host name are always checked. */
  tls: Readonly<{ rootCertificate?: string; certificate?: string; key?: string }> | null
}>

/** Holds nothing of the URL’s user or password. */
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
  const given = new URLSearchParams(query)
  for (const name of given.keys())
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
    sentinelUsername: given.get('sentinel_username') ?? undefined,
    sentinelPassword: given.get('sentinel_password') ?? undefined,
    tls: readTls(secure !== undefined, given),
  }
}

function readTls(secure: boolean, given: URLSearchParams): RedisAddress['tls'] {
  const files = Object.entries(tlsFiles).flatMap(([parameter, name]) => {
    const path = given.get(parameter)
    return path ? [[name, path] as const] : []
  })
  if (!secure && files.length > 0) refuse('has certificates without TLS: say rediss://')
  if (given.has('sslcert') !== given.has('sslkey'))
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
