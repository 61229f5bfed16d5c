/**
 * The client of every PostgreSQL connection. It uses TLS as the URL says, finds the primary among several servers, and
 * rejects read-only servers. PostgreSQL reports at login, and at every change, whether a server is read-only:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'
import { isTracing } from '../tracing/spans.ts'
import {
  type DatabaseAddress,
  type DatabaseServer,
  DatabaseUrlError,
  describeServer,
  parseDatabaseUrl,
} from './database-url.ts'
import { createServerChoice, type ServerChoice } from './server-choice.ts'
import { createStatementNames } from './statement-names.ts'
import { tracedQuery } from './traced-query.ts'

type DatabaseClientConfig = Omit<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'options' | 'connectionString'
> & {
  connectionString: string
  /** Shared by the connections of a pool. By default each client creates its own. */
  choice?: ServerChoice
}

/** No server of the URL can be used. `code` is that of the cause, or 08001 if there are several causes. */
export class DatabaseConnectionError extends Error {
  override name = 'DatabaseConnectionError'
  readonly code: string
  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** The time limit for finding out whether a server is the primary. */
const askMs = 2_000
const readOnlySqlState = '25006'
const readOnlyParameters: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only'])

export class DatabaseClient extends pg.Client {
  readonly #address: DatabaseAddress
  readonly #choice: ServerChoice
  /** The driver reads this object when it starts TLS, so the client fills in the certificates just before. */
  readonly #tls: ConnectionOptions | null
  /** Parameters with which the server reports that it is read-only. */
  readonly #readOnly = new Set<string>()
  #server: DatabaseServer | null = null
  #open = false
  #ended = false

  constructor({ connectionString, choice, ...config }: DatabaseClientConfig) {
    const address = parseDatabaseUrl(connectionString)
    const { applicationName, database, options, password, pooled, servers, tls, user } = address
    const tlsOptions: ConnectionOptions | null = tls.mode === 'disable' ? null : {}
    super({
      ...config,
      host: servers[0]?.host,
      port: servers[0]?.port,
      user,
      password,
      database,
      ssl: tlsOptions ?? false,
      ...(tls.direct && { sslnegotiation: 'direct' as const }),
      ...(applicationName && { application_name: applicationName }),
      // A pooler refuses session options, because another client would get the connection with them next.
      ...(pooled
        ? { statement_timeout: false as const }
        : { options: withoutLimit(options, config.statement_timeout) }),
    })
    this.#address = address
    this.#choice = choice ?? createChoice({ connectionString, ...config })
    this.#tls = tlsOptions
    this.#readBytes()
    // A lost connection fails the running statement and every later one; an error event without a listener would end the
    // process. Set here because a server that shuts down can send its error together with ReadyForQuery.
    this.on('error', () => this.#forgetServer())
    if (!pooled) this.#watch()
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
  // biome-ignore lint/suspicious/noExplicitAny: two kinds of callback in the driver's own types
  override connect(callback?: any): any {
    const connected = this.#connect()
    if (callback === undefined) return connected
    connected.then(
      () => callback(null, this),
      (error) => callback(error),
    )
  }

  // biome-ignore lint/suspicious/noExplicitAny: a dozen signatures in the driver's own types
  override query(...args: any[]): any {
    if (!isTracing()) return super.query.apply(this, args as never)
    return tracedQuery((...given) => super.query.apply(this, given as never), args)
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override end(callback?: any): any {
    this.#ended = true
    return callback === undefined ? super.end() : super.end(callback)
  }

  /** Drops the connection: pending queries fail, and a pool removes the client. */
  cut(): void {
    // A pool reads this flag on release, which can happen before the stream's `close` event.
    Object.assign(this, { _queryable: false })
    streamOf(this).destroy()
  }

  async #connect(): Promise<pg.Client> {
    const server = await this.#choice.find()
    // The time limit or a call of `end` came while the primary was being looked for.
    if (this.#ended || streamOf(this).destroyed) throw new Error('timeout expired')
    this.#server = server
    Object.assign(this, server)
    if (this.#tls) Object.assign(this.#tls, readTlsFiles(this.#address))
    try {
      await super.connect()
    } catch (error) {
      this.#forgetServer()
      this.cut()
      throw describeFailure(error, server, this.#address)
    }
    if (this.#readOnly.size > 0) {
      this.#forgetServer()
      void super.end()
      throw readOnlyServer(server)
    }
    this.#open = true
    return this
  }

  /** The next connection asks all servers: a lost one may mean that another server is the primary by now. */
  #forgetServer(): void {
    if (this.#server !== null) this.#choice.forget(this.#server)
  }

  /** Replaces the driver's parser, which turns every field into a string. */
  #readBytes(): void {
    const connection = this.connection as unknown as NodeJS.EventEmitter & { attachListeners: unknown }
    connection.attachListeners = (stream: NodeJS.ReadableStream) => {
      const parser = new BytesParser()
      stream.on('data', (received: Buffer) =>
        parser.parse(received, (message) =>
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
        ),
      )
    }
    this.setTypeParser(pg.types.builtins.TEXT, (value: string) => value)
  }

  #watch(): void {
    const connection = this.connection as unknown as NodeJS.EventEmitter
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (!readOnlyParameters.has(parameterName ?? '')) return
      if (parameterValue === 'on') this.#readOnly.add(parameterName ?? '')
      else this.#readOnly.delete(parameterName ?? '')
      if (this.#readOnly.size > 0 && this.#open) this.cut()
    })
    // Cutting later lets the statement fail with its own error first.
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnlySqlState && this.#open) setImmediate(() => this.cut())
    })
  }
}

/** The driver does not send a limit of 0, so without this option the role's limit would apply. */
function withoutLimit(options: string | undefined, limit: number | false | undefined): string | undefined {
  return limit === 0 ? [options, '-c statement_timeout=0'].filter(Boolean).join(' ') : options
}

function streamOf(client: pg.Client) {
  return (client.connection as unknown as { stream: { destroy(): void; destroyed: boolean } }).stream
}

/** Creates a choice that several connections share, such as those of a pool. */
export function createChoice({ connectionString, ...config }: DatabaseClientConfig): ServerChoice {
  const { servers } = parseDatabaseUrl(connectionString)
  const fixedChoice = (server: DatabaseServer): ServerChoice => ({ find: async () => server, forget() {} })
  return createServerChoice(
    servers,
    async (server) => {
      const client = new DatabaseClient({
        ...config,
        connectionString,
        choice: fixedChoice(server),
        connectionTimeoutMillis: askMs,
      })
      await client.connect()
      await client.end()
    },
    (errors) => {
      const codes = new Set(errors.map((error) => (error as { code?: string }).code ?? ''))
      const [code] = codes
      const reasons = errors.map((error) => (error instanceof Error ? error.message : String(error)))
      return new DatabaseConnectionError(reasons.join('; '), (codes.size === 1 && code) || '08001', errors[0])
    },
  )
}

/** Runs `work` on its own connection and closes it. */
export async function withDatabaseClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new DatabaseClient({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Reads the files for each connection, so that certificates can be renewed while the server runs. */
function readTlsFiles({ tls }: DatabaseAddress): ConnectionOptions {
  return {
    ...(tls.mode === 'no-verify' && { rejectUnauthorized: false }),
    ...(tls.mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...readCertificates(tls, DatabaseUrlError),
  }
}

/** @param Fault the class of the error that is thrown if a file cannot be read */
export function readCertificates(
  files: { rootCertificate?: string | undefined; certificate?: string | undefined; key?: string | undefined },
  Fault: new (message: string) => Error,
) {
  const read = (parameter: string, path: string | undefined) => {
    try {
      return path === undefined ? undefined : readFileSync(path, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Fault(`names a file in ${parameter} that cannot be read: ${path} (${code})`)
    }
  }
  const ca = read('sslrootcert', files.rootCertificate)
  const cert = read('sslcert', files.certificate)
  const key = read('sslkey', files.key)
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}

function readOnlyServer(server: DatabaseServer): Error {
  return new DatabaseConnectionError(
    `${describeServer(server)} is a standby, or takes no writes`,
    readOnlySqlState,
    undefined,
  )
}

// Resource texts go from PostgreSQL to the HTTP response as bytes: decoding and encoding a string would cost several
// times as much as a copy. https://www.postgresql.org/docs/current/protocol-message-formats.html

/** A text column of this name is returned as a Buffer; all others as the driver parses them. */
const bytesColumn = 'contentBytes'

type Message = { name: string; length: number; fields?: { name: string }[] }

/** Members that the driver's types do not include. */
type DriverParser = {
  parse(received: Buffer, take: (message: Message) => void): void
  handlePacket(offset: number, code: number, length: number, received: Buffer): Message
}

const [rowDescription, dataRow] = ['T', 'D'].map((letter) => letter.charCodeAt(0))

class BytesParser extends (Parser as unknown as new () => DriverParser) {
  /** Index of the bytes column in the current rows; -1 if they have none. */
  #place = -1

  override handlePacket(offset: number, code: number, length: number, received: Buffer): Message {
    if (code === dataRow && this.#place >= 0) return readRow(received, offset, length, this.#place)
    const message = super.handlePacket(offset, code, length, received)
    if (code === rowDescription)
      this.#place = message.fields?.findIndex(({ name }) => name === bytesColumn) ?? -1
    return message
  }
}

function readRow(received: Buffer, offset: number, length: number, place: number) {
  const fields = new Array<string | Buffer | null>(received.readInt16BE(offset))
  let at = offset + 2
  for (let index = 0; index < fields.length; index += 1) {
    const size = received.readInt32BE(at)
    const start = at + 4
    at = start + Math.max(size, 0)
    if (size < 0) fields[index] = null
    // A copy, because the driver reuses its buffer for later messages.
    else if (index === place) fields[index] = Buffer.from(received.subarray(start, at))
    else fields[index] = received.toString('utf8', start, at)
  }
  return { name: 'dataRow', length, fields } as unknown as Message
}

/** Explanations of TLS errors that an operator can fix, by Node's error code. */
const tlsReasons: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; name its authority in sslrootcert',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that sslrootcert does not name',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is of an authority that sslrootcert does not name',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that sslrootcert does not name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that sslrootcert does not name',
}

/** Adds the server's name if there are several servers, and explains certificate errors. */
function describeFailure(error: unknown, server: DatabaseServer, { servers }: DatabaseAddress): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseConnectionError) return error
  const { code } = error as NodeJS.ErrnoException
  const tlsReason =
    tlsReasons[code ?? ''] ??
    (error.message === 'The server does not support SSL connections' ? 'it does not offer TLS' : undefined)
  if (tlsReason !== undefined)
    return new DatabaseConnectionError(`${describeServer(server)}: ${tlsReason}`, '08001', error)
  if (servers.length === 1) return error
  return new DatabaseConnectionError(
    `${describeServer(server)}: ${error.message || code}`,
    code ?? '08001',
    error,
  )
}

// Prisma uses our pool, and its statements get names.

/** Each length of a list makes a different SQL text, so long lists would use up the names. */
const valuesMax = 32

/**
 * PostgreSQL parses and plans an unnamed statement each time, which takes several times as long as running most of
 * Prisma's statements. Statements without values, such as BEGIN, need no plan and get no name.
 */
export function createPrismaAdapter(pool: pg.Pool): PrismaPg {
  const nameOf = createStatementNames('prisma')
  return new PrismaPg(pool, {
    schema: 'portal',
    statementNameGenerator: ({ sql, args }) =>
      args.length > 0 && args.length <= valuesMax ? nameOf(sql, sql).name : '',
  })
}
