/**
 * Parses a database URL in PostgreSQL's notation, with several hosts, `target_session_attrs` and `sslmode`. The driver
 * supports one host only and ignores unknown parameters; here each parameter is honored or refused.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */

/** `host` is the folder of a Unix socket if it begins with a slash. */
export type DatabaseServer = Readonly<{ host: string; port: number }>

/** `verify-ca` accepts any host with a certificate of the authority. `no-verify` encrypts without checking the server. */
export type TlsMode = 'disable' | 'no-verify' | 'verify-ca' | 'verify-full'

export type DatabaseAddress = Readonly<{
  /** In order of preference. */
  servers: readonly DatabaseServer[]
  user: string | undefined
  password: string | undefined
  database: string | undefined
  /** Command-line options for each connection: `-c name=value`. */
  options: string | undefined
  applicationName: string | undefined
  tls: Readonly<{
    mode: TlsMode
    direct: boolean
    rootCertificate?: string
    certificate?: string
    key?: string
  }>
  /** The URL leads to a connection pooler, which assigns a server connection for one transaction at a time. */
  pooled: boolean
}>

/** The URL is invalid. The message contains neither its user nor its password. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseUrlError'
}

/** Only `markPooled` sets it. */
const pooledParameter = 'sandpiper_pooled'

const parameters: ReadonlySet<string> = new Set([
  'host',
  'port',
  'application_name',
  'options',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  pooledParameter,
])

const shape = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

/** @throws DatabaseUrlError */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const [, userInfo, authority = '', path = '', query = ''] =
    shape.exec(url) ?? refuse('is not a postgresql:// URL')
  const options = new URLSearchParams(query)
  for (const name of options.keys())
    if (!parameters.has(name))
      refuse(
        `has the parameter ${name}, which Sandpiper does not know: remove it. Known are ` +
          [...parameters].filter((known) => known !== pooledParameter).join(', '),
      )
  checkSessionAttributes(options.get('target_session_attrs'))
  const [user, password] = (userInfo ?? '').split(/:(.*)/s)
  return {
    servers: readServers(authority, options),
    user: decode(user) || undefined,
    password: decode(password) || undefined,
    database: decode(path) || undefined,
    options: options.get('options') || undefined,
    applicationName: options.get('application_name') || undefined,
    tls: readTls(options),
    pooled: options.has(pooledParameter),
  }
}

/** Every connection writes, so a standby cannot be used. */
function checkSessionAttributes(value: string | null): void {
  if (value === null || value === 'read-write' || value === 'primary') return
  refuse(
    `has target_session_attrs=${value}, and Sandpiper writes on every connection: leave it out, or say ` +
      'read-write or primary',
  )
}

function readServers(authority: string, parameters: URLSearchParams): DatabaseServer[] {
  const named = parameters.get('host')
  const listed =
    named === null
      ? authority.split(',').map(splitPort)
      : named.split(',').map((host) => ({ host, port: '' }))
  const ports = parameters.get('port')?.split(',') ?? []
  if (ports.length > 1 && ports.length !== listed.length)
    refuse(`names ${listed.length} hosts and ${ports.length} ports`)
  return listed.map(({ host, port }, index) => ({
    host: host || 'localhost',
    port: readPort((ports.length > 1 ? ports[index] : ports[0]) ?? port),
  }))
}

/** `db1`, `db1:5433`, `[2001:db8::1]:5433` or a folder of sockets, percent-encoded. */
function splitPort(text: string): { host: string; port: string } {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d*))?$/.exec(text) ?? refuse('names a host that cannot be read')
  return { host: bracketed ?? decode(plain) ?? '', port }
}

function readPort(text: string): number {
  const port = text === '' ? 5432 : Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse('names a port that is none')
  return port
}

function readTls(parameters: URLSearchParams): DatabaseAddress['tls'] {
  const files = {
    ...(parameters.get('sslrootcert') && { rootCertificate: parameters.get('sslrootcert') as string }),
    ...(parameters.get('sslcert') && { certificate: parameters.get('sslcert') as string }),
    ...(parameters.get('sslkey') && { key: parameters.get('sslkey') as string }),
  }
  const negotiation = parameters.get('sslnegotiation') ?? 'postgres'
  if (negotiation !== 'postgres' && negotiation !== 'direct')
    refuse('has an sslnegotiation other than postgres or direct')
  const direct = negotiation === 'direct'
  const mode = readMode(parameters.get('sslmode'), direct || Object.keys(files).length > 0)
  if (mode === 'disable' && (direct || Object.keys(files).length > 0))
    refuse('has certificates or sslnegotiation=direct together with sslmode=disable')
  if (mode === 'verify-ca' && files.rootCertificate === undefined)
    refuse(
      'has sslmode=verify-ca without sslrootcert: any authority of the Internet could vouch for the server',
    )
  if ((files.certificate === undefined) !== (files.key === undefined))
    refuse('has only one of sslcert and sslkey: a client certificate needs both')
  return { mode, direct, ...files }
}

/** @param needsTls other parameters of the URL only make sense with TLS */
function readMode(sslmode: string | null, needsTls: boolean): TlsMode {
  switch (sslmode) {
    case null:
      return needsTls ? 'verify-full' : 'disable'
    case 'disable':
    case 'no-verify':
    case 'verify-ca':
    case 'verify-full':
      return sslmode
    // Without a check of the server, an attacker in between could read the encrypted connection.
    case 'require':
      return 'verify-full'
    default:
      return refuse(
        'has an sslmode that may end without TLS, or is none: say verify-full, verify-ca, no-verify or disable',
      )
  }
}

export function describeServers({ servers }: DatabaseAddress): string {
  return servers.map(describeServer).join(', ')
}

export function describeServer({ host, port }: DatabaseServer): string {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Adds PostgreSQL command-line options for each connection to the URL. */
export function addOptions(url: string, options: readonly string[]): string {
  return changeParameters(url, (parameters) =>
    parameters.set('options', [parameters.get('options'), ...options].filter(Boolean).join(' ')),
  )
}

/** Marks the URL as that of a pooler. */
export function markPooled(url: string): string {
  return changeParameters(url, (parameters) => parameters.set(pooledParameter, '1'))
}

function changeParameters(url: string, change: (options: URLSearchParams) => void): string {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  change(parameters)
  // PostgreSQL's own library does not decode + as a space.
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('has a % that is not followed by two hexadecimal digits')
  }
}

function refuse(reason: string): never {
  throw new DatabaseUrlError(reason)
}
