/** Whatever is done to what credentials rest on, in whatever order: after each step the rows agree with the sources. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { liveCauses, liveChanges } from '../../tests/support/live-causes.ts'
import { findWrong } from '../../tests/support/live-oracle.ts'
import { insertKey, insertToken, makeWorld, type World, worldNow } from '../../tests/support/live-world.ts'

type Step = (client: pg.PoolClient, world: World) => Promise<unknown>

const deletes = [
  'DELETE FROM portal.access_token WHERE id IN (SELECT id FROM portal.access_token ORDER BY id LIMIT 1)',
  'DELETE FROM portal."grant" WHERE id IN (SELECT id FROM portal."grant" ORDER BY id LIMIT 1)',
  'DELETE FROM portal.api_key WHERE id IN (SELECT id FROM portal.api_key ORDER BY id LIMIT 1)',
  'UPDATE portal.access_token SET revoked_at = expires_at',
  'UPDATE portal.access_token SET revoked_at = NULL',
  'UPDATE portal.practice SET fhir_enabled = NOT fhir_enabled, dataset_id = dataset_id % 5 + 1',
]

const steps: readonly Step[] = [
  ...[...liveCauses, ...liveChanges].flatMap(({ sql, undo }): Step[] => [
    (client, world) => client.query(sql(world)),
    (client, world) => client.query(undo(world)),
  ]),
  ...deletes.map(
    (sql): Step =>
      (client) =>
        client.query(sql),
  ),
  (client, world) => insertKey(client, world, { id: randomUUID() }),
  (client, world) => insertToken(client, world.clinicianGrant),
  (client, world) => insertToken(client, world.systemGrant),
]

test('random changes leave every row as its sources say', async () => {
  const database = await testDatabase('schema')
  const world = await makeWorld(database.pool, 3)
  const client = await database.pool.connect()
  const step = fc.record({ which: fc.nat(steps.length - 1), taken: fc.boolean() })

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 25, size: 'max' }), async (sequence) => {
      await client.query('BEGIN')
      for (const { which, taken } of sequence) {
        await client.query('SAVEPOINT step')
        // What cannot be done twice, such as a row that is there already, is not done.
        const done = await steps[which]?.(client, world).then(
          () => true,
          () => false,
        )
        if (!(done && taken)) await client.query('ROLLBACK TO step')
        expect(await findWrong(client, worldNow), `step ${which}`).toEqual([])
      }
      await client.query('ROLLBACK')
    }),
    { numRuns: 12, seed: 166 },
  )
  client.release()
})
