/**
 * The owner role migrates and seeds; the app role serves requests. So a flaw in the server can neither drop a table nor
 * rewrite the audit trail.
 */
import type pg from 'pg'
import { addOptions, markPooled } from './database-url.ts'
import { type DatabaseSetting, DatabaseStartError, withFirstClient } from './first-connection.ts'
import { isPooled, refusePooler } from './pooler.ts'
import { withSettings } from './session-settings.ts'

/** The default role of the server. */
export const APP_ROLE = 'sandpiper_app'

const SCHEMAS = ['portal', 'clinical', 'log', 'graphile_worker']

/** Tables on which the app role has fewer rights than reading and writing every row. */
const NARROWER: Readonly<Record<string, string>> = {
  // Rows are only added; the sealer fills in the chain columns.
  'portal.audit_event': 'SELECT, INSERT, UPDATE (chain_hash, chain_number)',
  'portal.audit_head': 'SELECT, INSERT, UPDATE (written_to)',
  // What was offered, signed and executed never changes.
  'portal.agreement': 'SELECT, INSERT, UPDATE',
  'portal.agreement_version': 'SELECT, INSERT',
  'portal.agreement_signature': 'SELECT, INSERT',
  'portal.agreement_executed': 'SELECT, INSERT',
  'portal.agreement_event': 'SELECT, INSERT',
  'portal.workflow_event': 'SELECT, INSERT',
  // Published incident updates stay, with their texts before each edit.
  'portal.incident': 'SELECT, INSERT, UPDATE',
  'portal.incident_update': 'SELECT, INSERT, UPDATE',
  'portal.incident_revision': 'SELECT, INSERT',
  // Log rows never change.
  'log.activity': 'SELECT, INSERT',
  'log.phi_audit': 'SELECT, INSERT',
  'log.export_patients': 'SELECT, INSERT',
  // Only functions of the owner write it, when they archive a month.
  'log.access_archive': 'SELECT',
  'log.activity_day': 'SELECT, INSERT, UPDATE',
  // Rows about stopped access and withheld charts cannot be deleted.
  'portal.practice_stop': 'SELECT, INSERT, UPDATE',
  'portal.withheld_patient': 'SELECT, INSERT, UPDATE',
  'portal.withhold_request': 'SELECT, INSERT, UPDATE',
  // Only triggers write it, with the owner's rights.
  'clinical.live': 'SELECT',
  'portal.live_source': 'SELECT',
  'portal.live_key_source': 'SELECT',
  'portal.live_token_source': 'SELECT',
}

/** Partitions are written through their table, which has its own rights. pg_dump reads each partition directly. */
const PARTITION = 'SELECT'

export type DatabaseUrls = Awaited<ReturnType<typeof prepareDatabaseUrls>>

/** The server cannot get its own role. The message says what to do. */
export class DatabaseRoleError extends Error {
  override name = 'DatabaseRoleError'
}

/**
 * Turns the configured URLs into one for the owner and one for the server. If only `DATABASE_URL` is set, its user owns the
 * tables, and the server's connections switch to the app role, which this function creates.
 * @throws DatabaseRoleError if the role cannot be created or used, DatabaseSettingsError, PoolerError if the owner would
 *   connect through a pooler
 */
export async function prepareDatabaseUrls({
  databaseUrl,
  migrationUrl,
}: {
  databaseUrl: string
  migrationUrl?: string | undefined
}) {
  if (migrationUrl) {
    const { appRole, pooled } = await withFirstClient('DATABASE_URL', databaseUrl, async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT current_user::text AS name')
      return { appRole: rows[0]?.name ?? APP_ROLE, pooled: await isPooled(client) }
    })
    await withFirstClient('DATABASE_MIGRATION_URL', migrationUrl, (client) =>
      refusePooler('DATABASE_MIGRATION_URL', client),
    )
    // Through a pooler the settings only exist after the first migration. Processes check them when they start.
    const appUrl = pooled ? markPooled(databaseUrl) : await withSettings(databaseUrl)
    return { ownerUrl: migrationUrl, appUrl, appRole }
  }
  const appUrl = withRole(databaseUrl, APP_ROLE)
  await withFirstClient('DATABASE_URL', databaseUrl, async (client) => {
    await refusePooler('DATABASE_URL, in place of DATABASE_MIGRATION_URL,', client)
    await createAppRole(client)
  })
  await withFirstClient(
    'DATABASE_URL',
    appUrl,
    async (client) => void (await client.query('SELECT 1')),
  ).catch(refuse)
  return {
    /** For migrations and the seed, as the owner of the tables. */
    ownerUrl: databaseUrl,
    /** For the server. */
    appUrl: await withSettings(appUrl),
    appRole: APP_ROLE,
  }
}

/**
 * The URL for a process that only serves. It uses the user of `DATABASE_URL`, or the app role if that user owns the tables.
 * Creates nothing.
 * @throws DatabaseRoleError if the owner cannot switch to the app role, DatabaseSettingsError
 */
export async function servingUrl(databaseUrl: string, setting: DatabaseSetting = 'DATABASE_URL') {
  const owns = await withFirstClient(setting, databaseUrl, ownsTables)
  if (!owns) return withSettings(databaseUrl)
  const url = withRole(databaseUrl, APP_ROLE)
  await withFirstClient(setting, url, async (client) => void (await client.query('SELECT 1'))).catch(refuse)
  return withSettings(url)
}

export async function ownsTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT coalesce(bool_or(pg_has_role(c.relowner, 'USAGE')), false) AS owns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p')`,
    [SCHEMAS],
  )
  return rows[0]?.owns ?? false
}

/** Makes the URL's connections use the role from their first statement. */
export function withRole(url: string, role: string): string {
  return addOptions(url, [`-c role=${role}`])
}

/** Deletes a month of the access record, so an attacker who controls the server must not be able to call it. */
const ARCHIVE = 'log.archive_access(timestamptz, jsonb)'

/**
 * Renews the role's rights on all tables. Tables with row security, such as those of the job queue, get a policy that lets
 * the role see every row.
 */
export async function grantToAppRole(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role)
  const { rows } = await client.query<{
    schema: string
    table: string
    partition: boolean
    secured: boolean
    policed: boolean
  }>(
    `SELECT n.nspname AS schema, c.relname AS table, c.relispartition AS partition, c.relrowsecurity AS secured,
       EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = $2) AS policed
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY 1, 2`,
    [SCHEMAS, role],
  )
  const { rows: schemas } = await client.query<{ name: string }>(
    'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY ($1)',
    [SCHEMAS],
  )
  const statements = rows.flatMap(({ schema, table, partition, secured, policed }) => {
    const target = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`
    const narrower = partition ? PARTITION : NARROWER[`${schema}.${table}`]
    return [
      ...(narrower ? [`REVOKE ALL ON ${target} FROM ${name}`] : []),
      `GRANT ${narrower ?? 'SELECT, INSERT, UPDATE, DELETE'} ON ${target} TO ${name}`,
      ...(secured && !policed ? [`CREATE POLICY ${name} ON ${target} TO ${name} USING (true)`] : []),
    ]
  })
  for (const { name: schemaName } of schemas) {
    const schema = client.escapeIdentifier(schemaName)
    statements.push(
      `GRANT USAGE ON SCHEMA ${schema} TO ${name}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`,
      `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${name}`,
    )
  }
  const { rows: functions } = await client.query('SELECT to_regprocedure($1) AS name', [ARCHIVE])
  if (functions[0]?.name) statements.push(`REVOKE EXECUTE ON FUNCTION ${ARCHIVE} FROM ${name}`)
  // Enough for checkSchema, without the logs of failed migrations.
  const { rows: history } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`)
  if (history[0]?.name)
    statements.push(
      `GRANT SELECT (migration_name, checksum, finished_at, rolled_back_at, started_at) ON _prisma_migrations TO ${name}`,
    )
  // One query is one transaction, so the role never has only half of its rights.
  await client.query(statements.join(';\n'))
}

async function createAppRole(client: pg.Client): Promise<void> {
  const name = client.escapeIdentifier(APP_ROLE)
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`CREATE ROLE ${name} NOLOGIN`).catch(ignoreExisting)
    const { rows } = await client.query<{ member: boolean }>(
      `SELECT rolsuper OR pg_has_role(current_user, $1, 'MEMBER') AS member
       FROM pg_roles WHERE rolname = current_user`,
      [APP_ROLE],
    )
    if (!rows[0]?.member) await client.query(`GRANT ${name} TO CURRENT_USER`)
  } catch (error) {
    refuse(error)
  }
}

/** Another process has created the role at the same time. */
function ignoreExisting(error: { code?: string }): void {
  if (error.code !== '42710' && error.code !== '23505') throw error
}

function refuse(error: unknown): never {
  const cause = error instanceof DatabaseStartError ? error.cause : error
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new DatabaseRoleError(
    `the server must not act as the owner of its tables, and the user of DATABASE_URL cannot be given the ` +
      `role ${APP_ROLE} (${reason}). Let an administrator run: CREATE ROLE ${APP_ROLE} NOLOGIN; ` +
      `GRANT ${APP_ROLE} TO <that user>; — or set DATABASE_MIGRATION_URL to the owner and DATABASE_URL to a ` +
      'plain user.',
    { cause: error },
  )
}
