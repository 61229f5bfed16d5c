import { beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase

// Whoever asks first makes the template.
beforeAll(async () => {
  database = await testDatabase('cast')
})

test('the database that every test copies is at most 30 MB', async () => {
  const { rows } = await database.pool.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::int AS bytes',
  )

  expect(rows[0]?.bytes).toBeLessThanOrEqual(30_000_000)
})
