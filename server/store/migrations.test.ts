import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { checkSchema, migrate, migrationStatus } from './migrations.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await testDatabase('empty')
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-migrations-'))
  write('1_birds', 'CREATE SCHEMA portal; CREATE TABLE portal.bird (name text)')
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

describe('migrating', () => {
  it('applies each migration once, in order, also when two processes begin at the same moment', async () => {
    write('2_more_birds', "INSERT INTO portal.bird VALUES ('sanderling')")

    const applied = await Promise.all([apply(), apply(), apply()])

    expect(applied.flat()).toEqual(['1_birds', '2_more_birds'])
    expect(await birds()).toEqual(['sanderling'])
    expect(await apply()).toEqual([])
  })

  it('lets the server read and write rows, and neither change tables nor what was recorded', async () => {
    await migrate({ ownerUrl: database.ownerUrl })

    const asServer = (sql: string) => database.pool.query(sql)

    expect((await asServer('DELETE FROM portal.api_key')).rowCount).toBe(0)
    await expect(asServer('DROP TABLE portal.api_key')).rejects.toThrow('must be owner')
    await expect(asServer("UPDATE portal.audit_event SET action = ''")).rejects.toThrow('denied')
    await expect(asServer('DELETE FROM portal.audit_event')).rejects.toThrow('denied')
    for (const log of ['log.activity', 'log.phi_audit']) {
      await expect(asServer(`UPDATE ${log} SET correlation_id = gen_random_uuid()`)).rejects.toThrow('denied')
      await expect(asServer(`DELETE FROM ${log}`)).rejects.toThrow('denied')
      await expect(asServer(`TRUNCATE ${log}`)).rejects.toThrow('denied')
    }
    await expect(asServer('DELETE FROM log.activity_day')).rejects.toThrow('denied')
    await expect(asServer('SELECT * FROM _prisma_migrations')).rejects.toThrow('denied')
  })

  it('lets the server enqueue a job and see it', async () => {
    await migrate({ ownerUrl: database.ownerUrl })

    await database.pool.query("SELECT graphile_worker.add_job('greet')")

    const { rows } = await database.pool.query('SELECT task_identifier FROM graphile_worker.jobs')
    const { rowCount } = await database.pool.query('UPDATE graphile_worker._private_jobs SET attempts = 1')
    expect(rows).toEqual([{ task_identifier: 'greet' }])
    expect(rowCount).toBe(1)
  })

  it('refuses a history whose file was edited, and changes nothing', async () => {
    await apply()
    write('1_birds', 'CREATE SCHEMA portal; CREATE TABLE portal.bird (name text, eggs int)')
    write('2_more_birds', "INSERT INTO portal.bird VALUES ('sanderling')")

    await expect(apply()).rejects.toThrow(/1_birds is not the one that was applied.*new migration/s)

    expect(await birds()).toEqual([])
    expect(await status()).toEqual(['1_birds edited', '2_more_birds pending'])
  })

  it('keeps nothing of a migration that fails, and applies it once it is mended', async () => {
    write('2_more_birds', "INSERT INTO portal.bird VALUES ('sanderling'); SELECT 1 / 0")

    await expect(apply()).rejects.toThrow(/2_more_birds does not apply.*division by zero/s)

    expect(await birds()).toEqual([])
    expect(await status()).toEqual(['1_birds applied', '2_more_birds pending'])
    write('2_more_birds', "INSERT INTO portal.bird VALUES ('sanderling')")
    expect(await apply()).toEqual(['2_more_birds'])
  })

  it('refuses to go on after a migration that failed in another tool', async () => {
    await apply()
    await database.ownerPool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'y', '2_more_birds', 'no disk')`,
    )

    await expect(apply()).rejects.toThrow(/2_more_birds failed earlier.*no disk/s)
  })

  it('leaves a database of a newer release as it is, so that a release can be rolled back', async () => {
    write(
      '2_more_birds',
      'CREATE TABLE portal.nest (name text); GRANT SELECT ON portal.nest TO sandpiper_app',
    )
    await apply()
    rmSync(join(folder, '2_more_birds'), { recursive: true })

    expect(await apply()).toEqual([])

    await expect(database.pool.query('DELETE FROM portal.nest')).resolves.toMatchObject({ rowCount: 0 })
    await database.ownerPool.query('REVOKE DELETE ON portal.nest FROM sandpiper_app')
    await apply()
    await expect(database.pool.query('DELETE FROM portal.nest')).rejects.toThrow('denied')
    expect(await check()).toEqual(['2_more_birds'])
  })

  it('refuses a database that another branch has migrated', async () => {
    write('2_more_birds', 'SELECT 1')
    await apply()
    rmSync(join(folder, '2_more_birds'), { recursive: true })
    write('2_other_birds', 'SELECT 1')

    await expect(apply()).rejects.toThrow(/2_more_birds.*does not know, and lacks 2_other_birds/)
  })

  it('tells a user who does not own the tables which variable names the owner', async () => {
    await apply()
    write('2_more_birds', 'ALTER TABLE portal.bird ADD COLUMN eggs int')

    const asServer = migrate({ ownerUrl: database.appUrl, folder })

    await expect(asServer).rejects.toThrow(/permission denied.*must own.*DATABASE_MIGRATION_URL/s)
    await expect(asServer).rejects.toMatchObject({ name: 'DatabaseRoleError' })
  })
})

describe('a server that only serves', () => {
  it('refuses a database without tables or with pending migrations, naming the command', async () => {
    await expect(check()).rejects.toThrow(/lacks a migration of this release.*1_birds.*npm run db:migrate/)
    await apply()
    write('2_more_birds', 'SELECT 1')

    await expect(check()).rejects.toThrow(
      /lacks a migration of this release.*2_more_birds.*npm run db:migrate/,
    )
    expect(await status()).toEqual(['1_birds applied', '2_more_birds pending'])
  })

  it('refuses a database whose record of access is in part in object storage', async () => {
    await database.ownerPool.query(
      `CREATE SCHEMA log; CREATE TABLE log.access_archive AS SELECT '2026-01/1.ndjson.gz' AS key`,
    )
    await apply()

    await expect(check()).rejects.toThrow(/months of the record of access are in object storage/)
  })
})

function write(name: string, sql: string) {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'migration.sql'), sql)
}

const check = () => checkSchema({ appUrl: database.appUrl, folder })
const apply = () => migrate({ ownerUrl: database.ownerUrl, folder })

async function status() {
  const states = await migrationStatus({ ownerUrl: database.ownerUrl, folder })
  return states.map(({ name, state }) => `${name} ${state}`)
}

async function birds() {
  const { rows } = await database.ownerPool.query('SELECT name FROM portal.bird')
  return rows.map(({ name }) => name)
}
