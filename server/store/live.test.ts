import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { identities, liveCauses, liveChanges } from '../../tests/support/live-causes.ts'
import { findWrong, listGood } from '../../tests/support/live-oracle.ts'
import { insertKey, insertToken, makeWorld, type World, worldNow } from '../../tests/support/live-world.ts'

const datasetId = 7

const database = await testDatabase('schema')
const world = await makeWorld(database.pool, datasetId)

const credentials = (names: readonly (keyof World)[]) => names.map((name) => world[name])

/** Connections of their own, given back whatever happens. */
async function withClients<Result>(
  pool: pg.Pool,
  count: number,
  work: (...clients: pg.PoolClient[]) => Promise<Result>,
): Promise<Result> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()))
  try {
    return await work(...clients)
  } finally {
    for (const client of clients) {
      await client.query('ROLLBACK')
      client.release()
    }
  }
}

test('every credential of the world begins good', async () => {
  const all = [
    'key',
    'explorerKey',
    'patientToken',
    'clinicianToken',
    'systemToken',
    'explorerToken',
  ] as const

  expect(await findWrong(database.pool, worldNow)).toEqual([])
  expect(await listGood(database.pool, worldNow)).toEqual(new Set(credentials([...all, 'visitingToken'])))
})

test.each(liveCauses)('$name: ends it in the same transaction', async ({ sql, undo, ends }) => {
  await withClients(database.pool, 2, async (changing, other) => {
    const before = await listGood(other, worldNow)

    await changing.query('BEGIN')
    await changing.query(sql(world))
    const inside = await listGood(changing, worldNow)
    const outside = await listGood(other, worldNow)
    const wrong = await findWrong(changing, worldNow)
    await changing.query('ROLLBACK')

    expect(new Set([...inside, ...credentials(ends)])).toEqual(before)
    expect(inside.size).toBe(before.size - ends.length)
    expect(wrong).toEqual([])
    expect(outside).toEqual(before)
    expect(await listGood(other, worldNow)).toEqual(before)

    await changing.query(sql(world))
    expect(await listGood(other, worldNow)).toEqual(inside)
    await changing.query(undo(world))
    expect(await listGood(other, worldNow)).toEqual(before)
    expect(await findWrong(other, worldNow)).toEqual([])
  })
})

test.each(liveChanges)('$name: the row follows in the same transaction', async ({ sql, undo }) => {
  await withClients(database.pool, 1, async (changing) => {
    const rows = async () => (await changing.query('SELECT * FROM clinical.live ORDER BY credential')).rows
    const before = await rows()

    await changing.query('BEGIN')
    await changing.query(sql(world))

    expect(await findWrong(changing, worldNow)).toEqual([])
    if (!sql(world).includes('level')) expect(await rows()).not.toEqual(before)
    await changing.query(undo(world))
    expect(await rows()).toEqual(before)
  })
})

test('time alone ends a credential at the first of its instants', async () => {
  const end = new Date('2026-11-21T12:00:00.000Z')

  expect(await listGood(database.pool, new Date(end.getTime() - 1))).toEqual(
    await listGood(database.pool, worldNow),
  )
  expect(await listGood(database.pool, end)).toEqual(new Set())
  expect(await findWrong(database.pool, end)).toEqual([])
})

test('a credential gets its row with its birth, and loses it with its end', async () => {
  await withClients(database.pool, 1, async (client) => {
    const [key, token] = [randomUUID(), randomUUID()]
    await client.query('BEGIN')
    await insertKey(client, world, { id: key })
    await insertToken(client, world.systemGrant, token)
    const born = await listGood(client, worldNow)

    await client.query('DELETE FROM portal.api_key WHERE id = $1', [key])
    await client.query('DELETE FROM portal."grant" WHERE id = $1', [world.systemGrant])
    const left = await client.query('SELECT 1 FROM clinical.live WHERE credential = ANY ($1)', [
      [key, token, world.systemToken],
    ])

    expect([born.has(key), born.has(token)]).toEqual([true, true])
    expect(left.rowCount).toBe(0)
    expect(await findWrong(client, worldNow)).toEqual([])
  })
})

test('another id of a credential takes its row along', async () => {
  await withClients(database.pool, 1, async (client) => {
    await client.query('BEGIN')
    await client.query('UPDATE portal.api_key SET id = gen_random_uuid() WHERE id = $1', [world.key])
    await client.query('UPDATE portal.access_token SET id = gen_random_uuid() WHERE id = $1', [
      world.systemToken,
    ])
    await client.query('UPDATE portal."grant" SET id = gen_random_uuid() WHERE id = $1', [world.patientGrant])

    expect(await findWrong(client, worldNow)).toEqual([])
  })
})

test('every column that the view reads has its causes', async () => {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `SELECT DISTINCT c.relname || '.' || a.attname AS name
     FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = d.refobjid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
     WHERE r.ev_class IN ('portal.live_key_source'::regclass, 'portal.live_token_source'::regclass) AND d.classid = 'pg_rewrite'::regclass
       AND d.refobjid <> r.ev_class`,
  )

  expect(rows.map(({ name }) => name).sort()).toEqual(
    [
      ...new Set([...identities, ...[...liveCauses, ...liveChanges].flatMap(({ columns }) => columns)]),
    ].sort(),
  )
})

type Change = { table: string; before: string; run: (client: pg.PoolClient) => Promise<unknown> }

/** What a trigger of the table has to notice, on what was done before. */
function changesOf(table: string): readonly Change[] {
  const query = (sql: string) => (client: pg.PoolClient) => client.query(sql)
  const births: readonly Change[] = [
    { table: 'portal.api_key', before: '', run: (client) => insertKey(client, world, { id: randomUUID() }) },
    { table: 'portal.api_key', before: '', run: query('DELETE FROM portal.api_key') },
    { table: 'portal.access_token', before: '', run: (client) => insertToken(client, world.systemGrant) },
    { table: 'portal.access_token', before: '', run: query('DELETE FROM portal.access_token') },
    ...liveCauses
      .filter(({ columns }) => columns.includes('practice_stop.client_id'))
      .map(({ sql }) => ({
        table: 'portal.practice_stop',
        before: sql(world),
        run: query('DELETE FROM portal.practice_stop'),
      })),
  ]
  const causes = [...liveCauses, ...liveChanges].flatMap(({ columns: [column = ''], sql, undo }) => {
    const own = column.replace(/\..*/, '').replace('grant', '"grant"')
    return [
      { table: `portal.${own}`, before: '', run: query(sql(world)) },
      { table: `portal.${own}`, before: sql(world), run: query(undo(world)) },
    ]
  })
  return [...births, ...causes].filter((change) => change.table === table)
}

test('without any one of the triggers a row is wrong', async () => {
  const { rows: triggers } = await database.ownerPool.query<{ table: string; name: string }>(
    `SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger
     WHERE tgname LIKE 'live\\_%' ORDER BY 1, 2`,
  )
  // What it guards is seen between connections only.
  const silent = ['portal."grant" live_insert']

  for (const { table, name } of triggers) {
    const found = await withClients(database.ownerPool, 1, async (client) => {
      let wrong = 0
      for (const { before, run } of changesOf(table)) {
        await client.query(`BEGIN; ${before}; ALTER TABLE ${table} DISABLE TRIGGER ${name}`)
        await run(client)
        wrong += (await findWrong(client, worldNow)).length
        await client.query('ROLLBACK')
        if (wrong > 0) break
      }
      return wrong > 0
    })
    expect(found, `${table} ${name}`).toBe(!silent.includes(`${table} ${name}`))
  }
  expect(triggers).toHaveLength(29)
})

test('the server may read the rows, and neither write them nor have others written than the sources say', async () => {
  for (const sql of [
    `INSERT INTO clinical.live SELECT * FROM clinical.live`,
    `UPDATE clinical.live SET good_until = 'infinity'`,
    'DELETE FROM clinical.live',
    `SELECT portal.write_live_keys('{}')`,
  ])
    await expect(database.pool.query(sql)).rejects.toThrow('permission denied')
})

test('a transaction that cannot see what others commit may not change a credential', async () => {
  await withClients(database.pool, 1, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')

    await expect(
      client.query('UPDATE portal.api_key SET revoked_at = $2 WHERE id = $1', [world.key, worldNow]),
    ).rejects.toThrow('READ COMMITTED')
  })
})
