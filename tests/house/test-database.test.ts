import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'

test('the database that every test copies is at most 20 MB', async () => {
  const { pool } = await testDatabase('cast')

  const { rows } = await pool.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::int AS bytes',
  )

  expect(rows[0]?.bytes).toBeLessThanOrEqual(20 * 1024 * 1024)
})
