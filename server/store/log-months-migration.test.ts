/** What becomes of the logs of an installation that has rows when it gets the release with partitions. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { type Log, logs, logTools, monthName, monthStart } from '../../tests/support/log-months.ts'
import { sealAccess, verifyAccess } from '../audit/access-seal.ts'
import { createPortalAudit } from '../audit/portal-audit.ts'
import { findMonthEnds } from './log-months.ts'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from './migrations.ts'

let database: TestDatabase
const { asOwner, insert, places } = logTools(() => database)

let before: string

beforeAll(async () => {
  before = mkdtempSync(join(tmpdir(), 'sandpiper-before-'))
  for (const { name } of readMigrations(MIGRATIONS_FOLDER).filter(({ name }) => name < '20261205010000'))
    cpSync(join(MIGRATIONS_FOLDER, name), join(before, name), { recursive: true })
})

beforeEach(async () => {
  database = await testDatabase('empty')
  await migrate({ ownerUrl: database.ownerUrl, folder: before })
})

afterAll(() => rmSync(before, { recursive: true }))

const contents = async (log: Log) =>
  asOwner(`SELECT count(*)::int AS rows, min(id)::text AS first, max(id)::text AS last,
    md5(string_agg(row_to_json(r)::text, ',' ORDER BY id)) AS hash FROM log.${log} r`)

it('keeps every row where it is, the numbers go on, and the seals of its record of access hold', async () => {
  const { prisma, pool } = database
  const portalAudit = createPortalAudit({ clock: () => new Date() })
  const proving = { prisma, pool, portalAudit, archiveStorage: null }
  const times = ['2021-03-31T23:59:59.999Z', '2025-01-01T00:00:00Z', '2026-10-31T23:59:59.999Z']
  const sameTime = ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z']
  for (const log of logs) await insert(log, ...times, ...sameTime, new Date())
  await sealAccess(proving)
  const was = await Promise.all(logs.map(contents))
  const [files] = await asOwner(
    `SELECT pg_relation_filenode('log.activity') AS activity, pg_relation_filenode('log.phi_audit') AS access`,
  )

  await migrate({ ownerUrl: database.ownerUrl })

  expect(await Promise.all(logs.map(contents))).toEqual(was)
  expect(
    await asOwner(
      `SELECT pg_relation_filenode('log.activity_before') AS activity, pg_relation_filenode('log.phi_audit_before') AS access`,
    ),
  ).toEqual([files])
  for (const log of logs) {
    await insert(log, new Date(), monthStart(2))
    const [{ last } = { last: '' }] = await asOwner<{ last: string }>(
      `SELECT max(id)::text AS last FROM log.${log}`,
    )
    expect(last).toBe('8')
    expect(await places(log)).toEqual([...Array(7).fill('before'), monthName(2)])
    // Every index of the table is one that the old rows have, too.
    const [{ missing } = { missing: 1 }] = await asOwner<{ missing: number }>(
      `SELECT count(*)::int AS missing FROM pg_index i WHERE i.indrelid = 'log.${log}'::regclass AND NOT EXISTS (
         SELECT FROM pg_inherits h JOIN pg_index c ON c.indexrelid = h.inhrelid
         WHERE h.inhparent = i.indexrelid AND c.indrelid = 'log.${log}_before'::regclass)`,
    )
    expect(missing).toBe(0)
  }
  await sealAccess(proving)
  expect(await verifyAccess(proving)).toMatchObject({ intact: true, seals: 2, rows: 8 })
  await asOwner(`UPDATE log.phi_audit SET count = 2 WHERE id = 4`)
  expect(await verifyAccess(proving)).toMatchObject({ intact: false })
})

it('takes rows all the time while it is converted', async () => {
  for (const log of logs) await insert(log, new Date())
  let finished = false
  const writing = logs.map(async (log) => {
    let written = 1
    for (; !finished; written++) await insert(log, new Date())
    return written
  })

  await migrate({ ownerUrl: database.ownerUrl })
  finished = true

  const written = await Promise.all(writing)
  for (const [index, log] of logs.entries())
    expect(
      await asOwner(`SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM log.${log}`),
    ).toEqual([{ n: written[index], ids: written[index] }])
})

it('with rows of a wrong clock in the future is converted as well', async () => {
  await insert('activity', new Date(), '2041-05-31T23:59:59.999Z')

  await migrate({ ownerUrl: database.ownerUrl })

  expect(await places('activity')).toEqual(['before', 'before'])
  expect(await findMonthEnds({ pool: database.pool })).toContainEqual({
    log: 'activity',
    end: new Date('2041-06-01T00:00:00Z'),
  })
})
