/** The hourly comparison of which credentials are good with the records that decide it. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { findWrong, listGood } from '../../../tests/support/live-oracle.ts'
import { makeWorld, worldNow } from '../../../tests/support/live-world.ts'
import { testServices } from '../../../tests/support/services.ts'
import { checkCredentials } from '../../jobs/record-jobs.ts'
import { createMetricQueries } from './metric-queries.ts'

const services = await testServices({ template: 'schema' })
const world = await makeWorld(services.database.pool, 7)

/** As nothing of ours does: without the triggers, with the owner's rights. */
const tamper = (sql: string, ...values: unknown[]) => services.database.ownerPool.query(sql, values)

async function run() {
  const error = vi.spyOn(services.log, 'error').mockClear()
  await checkCredentials.run(services, {}, { workerId: 'test', now: worldNow })
  return error.mock.calls.map(([found]) => found)
}
const mended = async () =>
  (await createMetricQueries({ prisma: services.prisma, clock: services.clock })()).credentialsMended

test('nothing differs: nothing is reported', async () => {
  expect(await run()).toEqual([])
  expect(await mended()).toBe(0)
})

test('each kind of difference is mended from the records and reported', async () => {
  const { pool } = services.database
  const good = await listGood(pool, worldNow)
  await pool.query('UPDATE portal.api_key SET revoked_at = $2 WHERE id = $1', [world.key, worldNow])
  await tamper(`UPDATE clinical.live SET good_until = 'infinity' WHERE credential = $1`, world.key)
  await tamper(
    `INSERT INTO clinical.live VALUES (7, $1, $2, 'infinity', 'version 0')`,
    randomUUID(),
    world.sandbox,
  )
  await tamper('DELETE FROM clinical.live WHERE credential = $1', world.systemToken)
  await tamper(`UPDATE clinical.live SET good_until = '-infinity' WHERE credential = $1`, world.patientToken)
  await tamper('UPDATE clinical.live SET dataset_id = 8 WHERE credential = $1', world.explorerToken)
  await tamper(
    `UPDATE clinical.live SET believed = 'types Patient' WHERE credential = $1`,
    world.clinicianToken,
  )

  expect(await run()).toEqual([{ wrong: 6, wronglyGood: 3 }])

  expect(await findWrong(pool, worldNow)).toEqual([])
  expect(await listGood(pool, worldNow)).toEqual(new Set([...good].filter((id) => id !== world.key)))
  expect(await mended()).toBe(6)
  const rows = await services.prisma.auditEvent.findMany({ where: { action: 'credentials.mended' } })
  expect(rows.map(({ detail }) => detail)).toEqual([{ wrong: 6, wronglyGood: 3 }])
  expect(await run()).toEqual([])
})

test('it runs every hour', () => {
  expect(checkCredentials.every).toMatch(/^\d+ \* \* \* \*$/)
})
