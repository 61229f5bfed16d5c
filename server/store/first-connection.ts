/** The first database connection of a program. Its errors name the setting that an operator has to fix. */
import type pg from 'pg'
import { DatabaseClient, DatabaseConnectionError } from './database-client.ts'
import { DatabaseUrlError, describeServers, parseDatabaseUrl } from './database-url.ts'
import { retryTransient } from './retry.ts'

export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_MIGRATION_URL'

/** The message names the setting, the reason and, if there is one, the fix. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
  readonly code: string | undefined
  /** Trying again cannot help: the URL, the user or the database is wrong. */
  readonly isRefusal: boolean
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.code = (cause as { code?: string } | undefined)?.code
    this.isRefusal =
      cause instanceof DatabaseUrlError || isUnknownParameter(cause) || /^(28|3D|42501)/.test(this.code ?? '')
  }
}

const connectMs = 30_000

/** The server is starting or has no free connection. A refused connection is not repeated: the address may be wrong. */
function isBusy(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === '57P03' || code === '53300' || /^Connection terminated/.test(message ?? '')
}

/** Recognizes PgBouncer's error for a parameter that it does not pass on. */
function isUnknownParameter(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter')
}

/** @throws DatabaseStartError when there is no connection */
export async function withFirstClient<Result>(
  setting: DatabaseSetting,
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connect = async () => {
    const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: connectMs })
    await client.connect()
    return client
  }
  let client: pg.Client
  try {
    client = await retryTransient(connect, isBusy)
  } catch (error) {
    throw explain(setting, url, error)
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function explain(setting: DatabaseSetting, url: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof DatabaseUrlError) return new DatabaseStartError(`${setting} ${error.message}.`, error)
  if (error instanceof DatabaseConnectionError)
    return new DatabaseStartError(`${setting}: ${error.message}.`, error)
  const { code } = error as NodeJS.ErrnoException
  if (isUnknownParameter(error))
    return new DatabaseStartError(
      `${setting} leads to a connection pooler that refuses its parameters (${error.message}): remove them from the URL.`,
      error,
    )
  // The code is an SQLSTATE, so the server responded.
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code))
    return new DatabaseStartError(
      `The database at ${setting} refused the connection: ${error.message}.`,
      error,
    )
  const servers = describeServers(parseDatabaseUrl(url))
  if (code !== undefined || /^(timeout expired|Connection terminated)/.test(error.message))
    return new DatabaseStartError(
      `${setting}: ${servers} cannot be reached (${code ?? error.message}).`,
      error,
    )
  return error
}
