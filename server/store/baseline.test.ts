/** A database that the migrations before the baseline made goes on from the newest of them, and from no earlier one. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import {
  checkSchema,
  MIGRATIONS_FOLDER,
  migrate,
  migrationStatus,
  NEWEST_BEFORE_BASELINE,
} from './migrations.ts'

const first = '20261120000001_portal'
const earlier = '20261207020000_feedback_and_changelog_emails_end'
const next = '20270101000000_nest'

it('at the newest of them it is recognized and goes on with every row, also when two processes begin at once', async () => {
  const database = await databaseMadeBy(first, earlier, NEWEST_BEFORE_BASELINE)
  const { appUrl, ownerUrl } = database
  const rows = await describeRows(database)
  const folder = folderWithNext()
  await expect(checkSchema({ appUrl })).rejects.toThrow(
    /lacks a migration.*0001_baseline.*sandpiper migrate.*with this release/,
  )

  const applied = await Promise.all([migrate({ ownerUrl, folder }), migrate({ ownerUrl, folder })])

  expect(applied.flat()).toEqual(['0001_baseline', next])
  expect(rows.length).toBeGreaterThan(10)
  expect(await describeRows(database)).toEqual(rows)
  // The release before finds what it applied, and can be rolled back to.
  expect(await historyOf(database)).toEqual([first, earlier, NEWEST_BEFORE_BASELINE, '0001_baseline', next])
  expect(await checkSchema({ appUrl, folder })).toEqual([])
  expect(await migrationStatus({ ownerUrl, folder })).toEqual([
    { name: '0001_baseline', state: 'applied' },
    { name: next, state: 'applied' },
  ])
  expect(await migrate({ ownerUrl, folder })).toEqual([])
})

it('at an earlier one it is refused by its name, with what to do, and nothing is changed', async () => {
  const database = await databaseMadeBy(first, earlier)
  const { appUrl, ownerUrl } = database
  const rows = await describeRows(database)

  const attempts = [
    () => migrate({ ownerUrl }),
    () => checkSchema({ appUrl }),
    () => migrationStatus({ ownerUrl }),
  ]
  for (const attempt of attempts)
    await expect(attempt()).rejects.toThrow(
      `stands at migration ${earlier}, and this release begins after ${NEWEST_BEFORE_BASELINE}. First migrate it with the release before`,
    )

  expect(await historyOf(database)).toEqual([first, earlier])
  expect(await describeRows(database)).toEqual(rows)
})

it('is refused while one of them is half applied', async () => {
  const database = await databaseMadeBy(first, NEWEST_BEFORE_BASELINE)
  await database.ownerPool.query(
    'UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1',
    [NEWEST_BEFORE_BASELINE],
  )

  await expect(migrate({ ownerUrl: database.ownerUrl })).rejects.toThrow(
    `${NEWEST_BEFORE_BASELINE} failed earlier`,
  )
})

/** The pinned people, with a history as those migrations left it. */
async function databaseMadeBy(...migrations: string[]): Promise<TestDatabase> {
  const database = await testDatabase()
  await database.ownerPool.query('DELETE FROM _prisma_migrations')
  await database.ownerPool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     SELECT gen_random_uuid(), md5(name), name, now() - interval '1 day' + number * interval '1 second', now(), 1
     FROM unnest($1::text[]) WITH ORDINALITY AS made (name, number)`,
    [migrations],
  )
  return database
}

function folderWithNext(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-baseline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
  mkdirSync(join(folder, next))
  writeFileSync(join(folder, next, 'migration.sql'), 'CREATE TABLE portal.nest (id uuid PRIMARY KEY)')
  return folder
}

async function historyOf({ ownerPool }: TestDatabase): Promise<string[]> {
  const { rows } = await ownerPool.query(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY started_at',
  )
  return rows.map(({ name }) => name)
}

/** Of each table that has rows: how many, and a hash of them. */
async function describeRows({ ownerPool }: TestDatabase) {
  const { rows: tables } = await ownerPool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('portal', 'clinical', 'log') AND c.relkind = 'r' ORDER BY 1`,
  )
  const described = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await ownerPool.query(
        `SELECT count(*)::int AS count, md5(string_agg(r::text, ',' ORDER BY r::text)) AS hash FROM ${name} r`,
      )
      return { name, ...rows[0] }
    }),
  )
  return described.filter(({ count }) => count > 0)
}
