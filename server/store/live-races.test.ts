/** Two transactions that change what the same credential rests on, in every order in which they can meet. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { type LiveCause, liveCauses } from '../../tests/support/live-causes.ts'
import { findWrong, listGood } from '../../tests/support/live-oracle.ts'
import { insertKey, insertToken, makeWorld, type World, worldNow } from '../../tests/support/live-world.ts'

const database = await testDatabase('schema')
const [first, second, watching] = [
  await database.pool.connect(),
  await database.pool.connect(),
  await database.ownerPool.connect(),
]
const world = await makeWorld(database.pool, 7)

afterAll(() => {
  for (const client of [first, second, watching]) client.release()
})

type Step = (client: pg.PoolClient) => Promise<unknown>

const doing =
  (sql: (world: World) => string): Step =>
  (client) =>
    client.query(sql(world))

/** The second takes its step when the first has taken its own, and waits if it has to; both commit. */
async function race(one: Step, other: Step): Promise<{ waited: boolean }> {
  await first.query('BEGIN')
  await second.query('BEGIN')
  await one(first)
  let done = false
  const stepping = other(second).finally(() => {
    done = true
  })
  const waited = await waits(second, () => done)
  await first.query('COMMIT')
  await stepping
  await second.query('COMMIT')
  return { waited }
}

async function waits(client: pg.PoolClient, isDone: () => boolean): Promise<boolean> {
  const { processID } = client as unknown as { processID: number }
  while (!isDone()) {
    const { rowCount } = await watching.query({
      name: 'waits',
      text: 'SELECT 1 WHERE cardinality(pg_blocking_pids($1)) > 0',
      values: [processID],
    })
    if (rowCount === 1) return true
  }
  return false
}

const isGood = async (name: keyof World) => (await listGood(watching, worldNow)).has(world[name])

function causesOf(name: keyof World, tables: readonly string[]): LiveCause[] {
  return tables.map((table) => {
    const cause = liveCauses.find(
      ({ columns: [column = ''], ends }) => column.startsWith(`${table}.`) && ends.includes(name),
    )
    if (cause === undefined) throw new Error(`no cause of ${table} for ${name}`)
    return cause
  })
}

/** The sources that two people change at the same time, by the credential that rests on both. */
const pairs = (
  [
    ['key', ['api_key', 'practice', 'practice_stop']],
    ['explorerKey', ['account', 'session', 'membership']],
    ['patientToken', ['grant', 'client_practice', 'practice', 'account', 'patient_login']],
    ['clinicianToken', ['practice_membership', 'client']],
    ['systemToken', ['access_token', 'practice', 'practice_stop']],
    ['explorerToken', ['membership', 'practice']],
  ] as const
).flatMap(([name, tables]) =>
  causesOf(name, tables).flatMap((one, index, all) =>
    all.filter((_, place) => place !== index).map((other) => ({ name, one, other })),
  ),
)

test.each(pairs)('$name: $one.name, then $other.name: neither is lost', async ({ name, one, other }) => {
  const wrong = () => findWrong(watching, worldNow)

  await race(doing(one.sql), doing(other.sql))
  expect(await wrong(), 'both end it').toEqual([])
  await race(doing(one.undo), doing(other.undo))
  expect(await wrong(), 'both bring it back').toEqual([])
  expect(await isGood(name)).toBe(true)

  await doing(one.sql)(watching)
  await race(doing(one.undo), doing(other.sql))
  expect(await wrong(), 'one brings it back, the other ends it').toEqual([])
  expect(await isGood(name)).toBe(false)
  await doing(other.undo)(watching)
})

/** A grant and its token in one transaction, which nobody else sees yet. */
const mint =
  (like: keyof World): Step =>
  async (client) => {
    const id = randomUUID()
    await client.query(
      `INSERT INTO portal."grant" SELECT (json_populate_record(g, json_build_object('id', $2::uuid))).*
       FROM portal."grant" g WHERE g.id = $1`,
      [world[like], id],
    )
    await insertToken(client, id)
  }
const mintKey = (client: pg.PoolClient) => insertKey(client, world, { id: randomUUID() })
const mintExplorerKey = (client: pg.PoolClient) =>
  insertKey(client, world, {
    id: randomUUID(),
    explorer: true,
    explorer_session_id: world.session,
    organization_id: world.org,
  })

const births: readonly { born: string; birth: Step; name: keyof World; tables: readonly string[] }[] = [
  { born: 'a key', birth: mintKey, name: 'key', tables: ['practice', 'practice_stop'] },
  {
    born: 'a key of the explorer',
    birth: mintExplorerKey,
    name: 'explorerKey',
    tables: ['practice', 'account', 'session', 'membership'],
  },
  {
    born: 'a token of a patient',
    birth: mint('patientGrant'),
    name: 'patientToken',
    tables: ['client_practice', 'practice', 'practice_stop', 'account', 'patient_login'],
  },
  {
    born: 'a token of a clinician',
    birth: mint('clinicianGrant'),
    name: 'clinicianToken',
    tables: ['client', 'practice_membership'],
  },
  {
    born: 'a token of the explorer',
    birth: mint('explorerGrant'),
    name: 'explorerToken',
    tables: ['session', 'membership'],
  },
  {
    born: 'one more token of a grant',
    birth: (client) => insertToken(client, world.patientGrant),
    name: 'patientToken',
    tables: ['grant', 'client_practice', 'practice', 'account', 'patient_login'],
  },
]

test.each(
  births.flatMap(({ tables, ...birth }) =>
    causesOf(birth.name, tables).map((cause) => ({ ...birth, cause })),
  ),
)('$born is born while $cause.name', async ({ birth, cause }) => {
  const wrong = () => findWrong(watching, worldNow)

  await race(birth, doing(cause.sql))
  expect(await wrong(), 'born first').toEqual([])
  await race(birth, doing(cause.undo))
  expect(await wrong(), 'born first, brought back').toEqual([])
  await race(doing(cause.sql), birth)
  expect(await wrong(), 'born second').toEqual([])
  await race(doing(cause.undo), birth)
  expect(await wrong(), 'born second, brought back').toEqual([])
})

test('an app that joins an organization while the practice stops it is stopped, in either order', async () => {
  const to = (organization: string) => (client: pg.PoolClient) =>
    client.query(`UPDATE portal.client SET organization_id = ${organization} WHERE id = '${world.listed}'`)
  const stop = liveCauses.find(({ name }) => name === 'a stop of org at sandbox') as LiveCause
  const join: Step = to(`'${world.org}'`)

  for (const [one, other] of [
    [join, doing(stop.sql)],
    [doing(stop.sql), join],
  ] as const) {
    await race(one, other)
    expect(await findWrong(watching, worldNow)).toEqual([])
    expect(await isGood('patientToken')).toBe(false)
    await race(doing(stop.undo), to('NULL'))
    expect(await isGood('patientToken')).toBe(true)
  }
})

test('a token that is deleted while its app is suspended leaves no row', async () => {
  const id = randomUUID()
  await insertToken(watching, world.systemGrant, id)
  const [suspend] = causesOf('systemToken', ['client']) as [LiveCause]
  const end: Step = (client) => client.query('DELETE FROM portal.access_token WHERE id = $1', [id])

  await race(end, doing(suspend.sql))

  expect(await findWrong(watching, worldNow)).toEqual([])
  await insertToken(watching, world.systemGrant, id)
  await race(doing(suspend.undo), end)
  expect(await findWrong(watching, worldNow)).toEqual([])
})
