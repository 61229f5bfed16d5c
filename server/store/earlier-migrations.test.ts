/** A database that ran migrations in an earlier wording can be upgraded, and its schema is then that of any other. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { withDatabaseClient } from './database-client.ts'
import { EARLIER_MIGRATIONS } from './earlier-migrations.ts'
import { checkSchema, MIGRATIONS_FOLDER, migrate, readMigrations } from './migrations.ts'

const UPGRADE = '20261207010000_same_schema_everywhere'

it('upgrades a database whose migrations ran in an earlier wording, to the schema of a fresh one', async () => {
  const [fresh, upgraded] = [await testDatabase('empty'), await testDatabase('empty')]
  onTestFinished(async () => void (await Promise.all([fresh.close(), upgraded.close()])))
  await migrate({ ownerUrl: fresh.ownerUrl })
  await migrate({ ownerUrl: upgraded.ownerUrl, folder: folderBefore(UPGRADE) })
  await withDatabaseClient(upgraded.ownerUrl, undoLaterWording)
  await expect(checkSchema({ appUrl: upgraded.appUrl })).rejects.toThrow(
    /lacks \d+ migrations.*sandpiper migrate/s,
  )

  expect(await migrate({ ownerUrl: upgraded.ownerUrl })).toContain(UPGRADE)

  expect(await withDatabaseClient(upgraded.ownerUrl, describeSchema)).toEqual(
    await withDatabaseClient(fresh.ownerUrl, describeSchema),
  )
  await checkSchema({ appUrl: upgraded.appUrl })
})

it('names only migrations that exist', () => {
  const names = readMigrations(MIGRATIONS_FOLDER).map(({ name }) => name)

  for (const today of EARLIER_MIGRATIONS.values()) expect(names).toContain(today)
})

function folderBefore(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-earlier-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const each of readMigrations(MIGRATIONS_FOLDER).filter((migration) => migration.name < name))
    cpSync(join(MIGRATIONS_FOLDER, each.name), join(folder, each.name), { recursive: true })
  return folder
}

/** What the earlier wording of these migrations left, and its checksums. */
async function undoLaterWording(client: pg.Client): Promise<void> {
  await client.query(`
    ALTER FUNCTION portal.live_after_grant() RESET plan_cache_mode;
    ALTER FUNCTION portal.mend_live(uuid[]) RESET plan_cache_mode;
    DO $$
    DECLARE each record;
    BEGIN
      FOR each IN SELECT p.parent, m.name, p.parent || to_char(m.month AT TIME ZONE 'UTC', '_YYYY_MM') AS digits
                  FROM (VALUES ('activity'), ('phi_audit')) p (parent), LATERAL log.months(p.parent) m LOOP
        EXECUTE format('ALTER TABLE log.%I RENAME TO %I', each.name, each.digits);
        EXECUTE format('ALTER INDEX log.%I RENAME TO %I', each.name || '_pkey', each.digits || '_pkey');
      END LOOP;
    END $$;
    CREATE OR REPLACE FUNCTION log.month_name(parent text, month timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
      SELECT parent || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM') $$;
    DROP FUNCTION log.bound_of(oid)`)
  for (const [checksum, name] of EARLIER_MIGRATIONS)
    await client.query('UPDATE "_prisma_migrations" SET checksum = $1 WHERE migration_name = $2', [
      checksum,
      name,
    ])
}

/** Functions with their settings, partitions and their indexes' first words, and rights on functions. */
async function describeSchema(client: pg.Client) {
  const { rows: functions } = await client.query(
    `SELECT n.nspname || '.' || p.proname AS name, pg_get_functiondef(p.oid) AS definition, p.proacl::text
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname IN ('portal', 'clinical', 'log') ORDER BY 1, p.oid::regprocedure::text`,
  )
  const { rows: relations } = await client.query(
    `SELECT c.oid::regclass::text AS name, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('portal', 'clinical', 'log') AND c.relkind IN ('r', 'p', 'i', 'I', 'v') ORDER BY 1`,
  )
  return { functions, relations }
}
