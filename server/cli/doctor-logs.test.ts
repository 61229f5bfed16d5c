import { expect, it } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { checkLogMonths } from './doctor-store.ts'

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
