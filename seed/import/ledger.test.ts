/** What the ledger costs the database while it grows. */
import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { type Entry, openLedger } from './ledger.ts'

const batches = 12
const batchSize = 100

test('a batch reads no more of the ledger than it asks for, however much is in it', async () => {
  const { ownerPool } = await testDatabase('schema')
  const client = await ownerPool.connect()
  await client.query('BEGIN') // so that its statistics are told at once
  const ledger = await openLedger(client)
  const batch = (number: number) =>
    Array.from({ length: batchSize }, (_, at): Entry => {
      const id = `ob-${number}-${at}`
      const keys = [`Observation/${id}`]
      const shared = { type: 'Observation', id, origin: id, hash: 'h', task: 'load', spareId: null } as const
      return { ...shared, keys, references: [], file: 0, position: number * batchSize + at }
    })

  for (let number = 0; number < batches; number += 1) {
    const entries = batch(number)
    expect((await ledger.findTaken(entries)).size).toBe(0)
    await ledger.add(entries.map((entry) => ({ ...entry, n: ledger.nextNumber() })))
  }
  expect((await ledger.findTaken(batch(3))).size).toBe(batchSize)

  const { rows } = await client.query<{ read: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'import_source'`,
  )
  client.release(true)
  expect(rows[0]?.read).toBeLessThan(2 * batchSize)
})
