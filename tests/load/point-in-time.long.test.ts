/** A base backup and the write-ahead log bring back the moment before an accident, as docs/operations/backup.md says. */
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { checkArchiving } from '../../server/cli/doctor-checks.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import {
  archiving,
  createDebianPostgres,
  fillDebianPostgres,
  recoverTo,
  takeBaseBackup,
} from '../support/debian-postgres.ts'
import { expectReady, newKeyring, startOn } from './failover.ts'
import { startPatientWriters } from './patient-writers.ts'

const closing: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('everything that was acknowledged before the accident is there, once, and nothing of the accident', async () => {
  const keys = newKeyring()
  const primary = await createDebianPostgres({ settings: archiving })
  closing.push(primary.remove)
  await fillDebianPostgres(primary)
  const base = takeBaseBackup(primary)
  const running = await startOn(primary.url(APP_ROLE), { encryptionKeys: keys })
  const writers = await startPatientWriters(running.services, { origin: running.server.origin, count: 4 })
  const { Patient: before = 0 } = await running.services.store.datasets.counts(writers.datasetId)
  await expect.poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 }).toBeGreaterThan(30)
  await writers.stop()
  expect(writers.faults).toEqual([])
  const moment = await primary.asAdmin(async (client) => {
    const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at')
    return (rows[0] as { at: Date }).at
  })

  // Somebody with the owner's rights, a second later.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const ownerPool = new pg.Pool({ connectionString: primary.url('postgres'), max: 1 })
  await ownerPool.query('TRUNCATE clinical.resource CASCADE')
  await ownerPool.query('DELETE FROM portal.api_key')
  await ownerPool.query('SELECT pg_switch_wal()')
  await expect
    .poll(
      async () => {
        const { rows } = await ownerPool.query(
          'SELECT last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) AS done FROM pg_stat_archiver',
        )
        return rows[0]?.done
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  await ownerPool.end()
  await running.close()
  primary.signal('SIGKILL')

  const recovered = await recoverTo(primary, base, moment)
  closing.push(recovered.remove)
  const again = await startOn(recovered.url(APP_ROLE), { encryptionKeys: keys })
  closing.push(again.close)
  await expectReady(again)

  const { Patient: after = 0 } = await again.services.store.datasets.counts(writers.datasetId)
  expect(after - before).toBe(writers.acknowledged.size)
  const there = await again.services.prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM clinical.resource WHERE dataset_id = ${writers.datasetId} AND id = ANY (${[...writers.acknowledged.values()]})`
  expect(new Set(there.map(({ id }) => id))).toEqual(new Set(writers.acknowledged.values()))
  expect(await again.services.prisma.apiKey.count()).toBeGreaterThan(0)
  expect((await again.services.sealer.verify()).intact).toBe(true)
}, 240_000)

test('sandpiper doctor warns when PostgreSQL cannot archive its log', async () => {
  const primary = await createDebianPostgres({ settings: archiving })
  closing.push(primary.remove)
  const pool = new pg.Pool({ connectionString: primary.url(APP_ROLE), max: 1 })
  closing.push(() => pool.end())
  const check = () => checkArchiving(pool, { PUBLIC_ORIGIN: 'https://portal.example' })
  const archive = (command: string) =>
    primary.asAdmin(async (client) => {
      await client.query(`ALTER SYSTEM SET archive_command = '${command}'`)
      await client.query('SELECT pg_reload_conf()')
    })
  const endSegment = () =>
    primary.asAdmin(async (client) => {
      await client.query('SELECT pg_create_restore_point($1)', ['test'])
      await client.query('SELECT pg_switch_wal()')
    })

  await endSegment()
  await expect.poll(check).toMatchObject({ state: 'ok', finding: expect.stringContaining('last archived') })
  await archive('false')
  await endSegment()
  await expect.poll(check, { timeout: 30_000 }).toMatchObject({
    state: 'warning',
    finding: expect.stringMatching(/^PostgreSQL cannot archive [0-9A-F]{24}/),
  })
  await archive('')
  await expect.poll(check).toMatchObject({ state: 'warning', finding: expect.stringContaining('off') })
})
