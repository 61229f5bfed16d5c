import { expect, it } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { migrate } from '../store/migrations.ts'
import { checkArchive, checkLogMonths } from './doctor-store.ts'

it('warns a month and a half before the months of the logs end', async () => {
  const { pool, ownerPool } = await testDatabase('schema')
  const { rows } = await pool.query<{ end: Date }>(`SELECT log.months_end('activity') AS end`)
  const end = rows[0]?.end ?? new Date(0)
  const daysBefore = (days: number) => new Date(end.getTime() - days * 86_400_000)

  expect(await checkLogMonths(pool, daysBefore(46))).toEqual({
    name: 'log months',
    state: 'ok',
    finding: `prepared until ${end.toISOString().slice(0, 10)}`,
  })
  expect(await checkLogMonths(pool, daysBefore(44))).toMatchObject({
    state: 'warning',
    finding: `log.activity has none from ${end.toISOString().slice(0, 10)} on`,
  })
  await ownerPool.query('DROP SCHEMA log CASCADE')
  expect(await checkLogMonths(pool)).toMatchObject({ state: 'warning', finding: 'cannot be looked at' })
})

it('finds objects of the archive that are missing, unknown or out of reach', async () => {
  const { pool, ownerPool, ownerUrl, appRole } = await testDatabase('schema')
  const storage = (...keys: string[]) => ({ list: async () => keys })
  const [first, second, proof] = ['2026-01/1-a.ndjson.gz', '2026-02/9-b.ndjson.gz', '2026-01/proof-c.json']
  expect(await checkArchive(pool, null)).toMatchObject({ state: 'ok' })
  await ownerPool.query(
    `INSERT INTO log.access_archive SELECT key, start, 1, '', gen_random_uuid(), 1, now(), now(), 1, 1, '{}', false, false
     FROM unnest($1::text[]) key, generate_series(0, 1) start`,
    [[first, second]],
  )

  expect(await checkArchive(pool, null)).toMatchObject({
    state: 'fault',
    finding: expect.stringMatching('2 objects cannot be read'),
  })
  expect(await checkArchive(pool, storage(first, second, proof))).toMatchObject({
    state: 'fault',
    finding: 'the server may not archive',
  })
  await migrate({ ownerUrl, appRole, archives: true })
  expect(await checkArchive(pool, storage(first, second, proof))).toMatchObject({
    state: 'ok',
    finding: '2 objects of 2 months; backups hold their list, not the objects',
  })
  expect(await checkArchive(pool, storage(first))).toMatchObject({ state: 'fault' })
  expect(await checkArchive(pool, storage(first, second, '2026-02/other.ndjson.gz'))).toMatchObject({
    state: 'warning',
  })
  const away = {
    list: () => Promise.reject(new Error('the object storage cannot be reached (ECONNREFUSED)')),
  }
  expect(await checkArchive(pool, away)).toMatchObject({
    state: 'fault',
    finding: expect.stringMatching('cannot be reached'),
  })
})
