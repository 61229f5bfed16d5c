import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, it } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { withDatabaseClient } from './database-client.ts'
import { createPool } from './pool.ts'
import { PoolerError } from './pooler.ts'
import { servingUrls } from './serving-urls.ts'

const database = await testDatabase('schema')
const other = await testDatabase('schema')
afterAll(() => Promise.all([database.close(), other.close()]))

it('two databases, and two users, are refused', async () => {
  const admin = new URL(inject('testServer').adminUrl)
  admin.pathname = new URL(database.appUrl).pathname
  const user = `sandpiper_test_${randomUUID().slice(0, 8)}`
  await withDatabaseClient(admin.href, (client) => client.query(`CREATE ROLE ${user} LOGIN`))
  const asOther = new URL(database.appUrl)
  asOther.username = user
  const start = (direct: string) =>
    servingUrls({ DATABASE_URL: database.appUrl, DATABASE_DIRECT_URL: direct }).catch((error) => error)

  const [elsewhere, another] = [await start(other.appUrl), await start(asOther.href)]

  await withDatabaseClient(admin.href, (client) => client.query(`DROP ROLE ${user}`))
  expect([elsewhere, another].every((error) => error instanceof PoolerError)).toBe(true)
  expect(elsewhere.message).toContain('lead to different databases')
  expect(another.message).toContain(`and DATABASE_DIRECT_URL as ${user}`)
})

it('work without a limit has none, also where the role has one', async () => {
  const { pathname } = new URL(database.ownerUrl)
  await database.ownerPool.query(`ALTER DATABASE ${pathname.slice(1)} SET statement_timeout TO '3s'`)
  const pool = createPool({ connectionString: database.appUrl, max: 1, statementTimeoutMs: 0 })

  const { rows } = await pool.query('SHOW statement_timeout')

  await pool.end()
  expect(rows).toEqual([{ statement_timeout: '0' }])
})
