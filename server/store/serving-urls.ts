/**
 * The database URLs of a serving process: one for requests, which may lead to a pooler, and one that leads to PostgreSQL
 * itself, for connections that outlast a transaction.
 */
import { markPooled, parseDatabaseUrl } from './database-url.ts'
import { withFirstClient } from './first-connection.ts'
import { isPooled, PoolerError, provePooler, proveSameDatabase, refusePooler } from './pooler.ts'
import { ownsTables, servingUrl } from './roles.ts'
import { withSettings } from './session-settings.ts'

export type ServingUrls = Awaited<ReturnType<typeof servingUrls>>

/**
 * Only checks; it changes nothing in the database.
 * @throws DatabaseStartError, DatabaseRoleError, DatabaseSettingsError, PoolerError
 */
export async function servingUrls({
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: configured,
}: {
  DATABASE_URL: string
  DATABASE_DIRECT_URL?: string | undefined
}) {
  const pooled = await withFirstClient('DATABASE_URL', databaseUrl, isPooled)
  if (configured === undefined) {
    if (pooled) refuseAlone()
    const appUrl = await servingUrl(databaseUrl)
    return { appUrl, directUrl: appUrl }
  }
  await withFirstClient('DATABASE_DIRECT_URL', configured, (client) =>
    refusePooler('DATABASE_DIRECT_URL', client),
  )
  const directUrl = await servingUrl(configured, 'DATABASE_DIRECT_URL')
  const appUrl = pooled ? await pooledUrl(databaseUrl) : await servingUrl(databaseUrl)
  await withFirstClient('DATABASE_URL', appUrl, (client) =>
    withFirstClient('DATABASE_DIRECT_URL', directUrl, (direct) => proveSameDatabase(client, direct)),
  )
  return {
    /** For the short statements and transactions of requests. */
    appUrl,
    /** For access records, jobs, locks and exports. Without a pooler it equals `appUrl`. */
    directUrl,
  }
}

/** @throws PoolerError, DatabaseSettingsError */
async function pooledUrl(databaseUrl: string): Promise<string> {
  if (parseDatabaseUrl(databaseUrl).options !== undefined)
    throw new PoolerError(
      'DATABASE_URL has options, and leads to a pooler, which does not pass them on: set them for the role, ' +
        'with ALTER ROLE … SET.',
    )
  const url = markPooled(databaseUrl)
  await withFirstClient('DATABASE_URL', url, async (client) => {
    await provePooler(client)
    if (await ownsTables(client))
      throw new PoolerError(
        'the user of DATABASE_URL owns the tables, and cannot take on a plain role behind a pooler: name the ' +
          'user that owns nothing, as deploy/sql/users.sql makes it.',
      )
  })
  return withSettings(url)
}

function refuseAlone(): never {
  throw new PoolerError(
    'DATABASE_DIRECT_URL is missing: DATABASE_URL leads to a connection pooler (PgBouncer), and records, jobs, ' +
      'locks and exports need connections that last. Set it to the address of PostgreSQL itself, with the same ' +
      'user and database.',
  )
}
