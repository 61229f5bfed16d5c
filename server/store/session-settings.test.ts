/** A database whose server has PostgreSQL's own defaults is brought to what our measurements rest on. */
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { migrate } from './migrations.ts'
import { prepareDatabaseUrls } from './roles.ts'
import { findStatementsForSuperuser } from './session-settings.ts'

/** What `initdb` gives a database of one's own, which the tests' server is not started with. */
const defaults = {
  jit: 'on',
  plan_cache_mode: 'auto',
  TimeZone: 'America/New_York',
  DateStyle: 'SQL, DMY',
  log_min_error_statement: 'error',
  log_error_verbosity: 'default',
}

const database = await testDatabase('schema')
const name = new URL(database.ownerUrl).pathname.slice(1)
const admin: pg.Client = new pg.Client({ connectionString: inject('testServer').adminUrl })
await admin.connect()
beforeEach(async () => {
  for (const [setting, value] of Object.entries(defaults))
    await admin.query(`ALTER DATABASE ${name} SET ${setting} TO '${value}'`)
})
afterAll(() => admin.end())

async function settingsOf(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `SELECT current_setting('jit') AS jit, current_setting('plan_cache_mode') AS plans, current_setting('TimeZone') AS "TimeZone",
       current_setting('DateStyle') AS "DateStyle"`,
  )
  await client.end()
  return rows[0]
}

const ours = { jit: 'off', plans: 'force_generic_plan', TimeZone: 'UTC', DateStyle: 'ISO, MDY' }

describe('a database with the defaults of an ordinary PostgreSQL', () => {
  test('has our settings for every connection once it is migrated by its owner', async () => {
    const { ownerUrl, appUrl, appRole } = database

    await migrate({ ownerUrl, appRole })
    await migrate({ ownerUrl, appRole })

    expect(await settingsOf(appUrl)).toEqual(ours)
    const urls = await prepareDatabaseUrls({ databaseUrl: appUrl, migrationUrl: ownerUrl })
    expect(urls.appUrl).toBe(appUrl)
  })

  test('that nobody may change is used with our settings for each connection', async () => {
    const { ownerUrl, appUrl } = database

    const urls = await prepareDatabaseUrls({ databaseUrl: appUrl, migrationUrl: ownerUrl })

    expect(await settingsOf(appUrl)).toMatchObject({ jit: 'on' })
    expect(await settingsOf(urls.appUrl)).toEqual(ours)
  })

  test('keeps the role of a user that owns the tables', async () => {
    const { appUrl } = await prepareDatabaseUrls({ databaseUrl: inject('testServer').adminUrl })

    const client = new pg.Client({ connectionString: appUrl })
    await client.connect()
    const { rows } = await client.query(`SELECT current_user::text AS role`)
    await client.end()
    expect(rows[0].role).toBe('sandpiper_app')
  })

  test('names what only a superuser can set', async () => {
    const { ownerUrl, appRole } = database
    await migrate({ ownerUrl, appRole })
    const fresh = new pg.Pool({ connectionString: database.appUrl })

    const statements = await findStatementsForSuperuser(fresh)
    await fresh.end()

    expect(statements).toEqual([
      `ALTER DATABASE ${name} SET log_min_error_statement TO 'panic';`,
      `ALTER DATABASE ${name} SET log_error_verbosity TO 'terse';`,
    ])
  })
})

test('a database that does not store UTF-8 is refused with what to do', async () => {
  await admin.query(`CREATE DATABASE ${name}_latin TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'`)
  const url = new URL(inject('testServer').adminUrl)
  url.pathname = `/${name}_latin`

  const refused = prepareDatabaseUrls({ databaseUrl: url.href }).finally(() =>
    admin.query(`DROP DATABASE ${name}_latin WITH (FORCE)`),
  )

  await expect(refused).rejects.toThrow('the database stores text as LATIN1, and Sandpiper needs UTF8')
})
