/** What `sandpiper doctor` says of a PostgreSQL that archives its write-ahead log, and of one that cannot. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { checkArchiving } from '../../server/cli/doctor-checks.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import { archiving, createDebianPostgres } from '../support/debian-postgres.ts'

test('sandpiper doctor warns when PostgreSQL cannot archive its log', async () => {
  const primary = await createDebianPostgres({ settings: archiving })
  onTestFinished(primary.remove)
  const pool = new pg.Pool({ connectionString: primary.url(APP_ROLE), max: 1 })
  onTestFinished(() => pool.end())
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
