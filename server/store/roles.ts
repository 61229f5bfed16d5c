/**
 * Two roles: the owner migrates and seeds, the other serves requests. A flaw in the server can then
 * neither drop a table nor rewrite the audit trail.
 */
import type pg from 'pg'
import { addOptions, markPooled } from './database-url.ts'
import { type DatabaseSetting, DatabaseStartError, withFirstClient } from './first-connection.ts'
import { isPooled, refusePooler } from './pooler.ts'
import { withSettings } from './session-settings.ts'

/** The role the server acts as when no one named another. */
export const APP_ROLE = 'sandpiper_app'

const SCHEMAS = ['portal', 'clinical', 'log', 'graphile_worker']

/** What differs from "read and write every row". */
const NARROWER: Readonly<Record<string, string>> = {
  // Append only; the sealer fills in the chain.
  'portal.audit_event': 'SELECT, INSERT, UPDATE (chain_hash, chain_number)',
  'portal.audit_head': 'SELECT, INSERT, UPDATE (written_to)',
  // What was offered, signed and executed is written once, and kept.
  'portal.agreement': 'SELECT, INSERT, UPDATE',
  'portal.agreement_version': 'SELECT, INSERT',
  'portal.agreement_signature': 'SELECT, INSERT',
  'portal.agreement_executed': 'SELECT, INSERT',
  'portal.agreement_event': 'SELECT, INSERT',
  'portal.workflow_event': 'SELECT, INSERT',
  // What was told of an incident stays, and what stood there before an edit.
  'portal.incident': 'SELECT, INSERT, UPDATE',
  'portal.incident_update': 'SELECT, INSERT, UPDATE',
  'portal.incident_revision': 'SELECT, INSERT',
  // Who called what, and who saw whose record, is written once.
  'log.activity': 'SELECT, INSERT',
  'log.phi_audit': 'SELECT, INSERT',
  'log.export_patients': 'SELECT, INSERT',
  // Functions of the owner write it, while they empty a month.
  'log.access_archive': 'SELECT',
  'log.activity_day': 'SELECT, INSERT, UPDATE',
  // Who stopped what, and why, stays.
  'portal.practice_stop': 'SELECT, INSERT, UPDATE',
  'portal.withheld_patient': 'SELECT, INSERT, UPDATE',
  'portal.withhold_request': 'SELECT, INSERT, UPDATE',
  // Triggers write it, with the owner's rights.
  'clinical.live': 'SELECT',
  'portal.live_source': 'SELECT',
  'portal.live_key_source': 'SELECT',
  'portal.live_token_source': 'SELECT',
}

/** Rows go to a partition through its table, which has rights of its own; pg_dump reads the partitions one by one. */
const PARTITION = 'SELECT'

export type DatabaseUrls = Awaited<ReturnType<typeof prepareDatabaseUrls>>

/** The server cannot be given a role of its own; the message says what to do. */
export class DatabaseRoleError extends Error {
  override name = 'DatabaseRoleError'
}

/**
 * From the configured URLs to the two the program works with. With `DATABASE_URL` alone, its user owns
 * the tables, and the server's connections take on a role made here.
 * @throws DatabaseRoleError when that role can be neither made nor taken on, DatabaseSettingsError, PoolerError when the
 *   tables' owner would connect by way of a pooler
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
    // By way of a pooler it has the settings only after the first migration, and is checked when it is used.
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
    /** Owner of the tables: migrations and seed. */
    ownerUrl: databaseUrl,
    /** What the server connects with. */
    appUrl: await withSettings(appUrl),
    appRole: APP_ROLE,
  }
}

/**
 * What a process connects with that only serves: as the user of `DATABASE_URL` when that user owns no table, else as
 * the role that was made beside it when the database was migrated. Makes nothing, and needs no owner.
 * @throws DatabaseRoleError when the owner's user cannot take on that role, DatabaseSettingsError
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

/** The same URL, its connections acting as the role from their first statement. */
export function withRole(url: string, role: string): string {
  return addOptions(url, [`-c role=${role}`])
}

/** Empties a month of the record of access: a server that was taken over could, so it may not. */
const ARCHIVE = 'log.archive_access(timestamptz, jsonb)'

/**
 * Renews what the server's role may do, for every table there is. Tables with row security, which the
 * job queue's are, get a policy that lets the role see every row.
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
  for (const each of schemas) {
    const schema = client.escapeIdentifier(each.name)
    statements.push(
      `GRANT USAGE ON SCHEMA ${schema} TO ${name}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`,
      `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${name}`,
    )
  }
  const { rows: functions } = await client.query('SELECT to_regprocedure($1) AS name', [ARCHIVE])
  if (functions[0]?.name) statements.push(`REVOKE EXECUTE ON FUNCTION ${ARCHIVE} FROM ${name}`)
  // Enough to see whether the schema is that of the release (checkSchema); not what a failed migration logged.
  const { rows: history } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`)
  if (history[0]?.name)
    statements.push(
      `GRANT SELECT (migration_name, checksum, finished_at, rolled_back_at, started_at) ON _prisma_migrations TO ${name}`,
    )
  // One text is one transaction: the role never stands there with half its rights.
  await client.query(statements.join(';\n'))
}

async function createAppRole(client: pg.Client): Promise<void> {
  const name = client.escapeIdentifier(APP_ROLE)
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`CREATE ROLE ${name} NOLOGIN`).catch(ignoreTwin)
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

/** Another process made the role in the same moment. */
function ignoreTwin(error: { code?: string }): void {
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
