import { expect, test } from 'vitest'
import { testServices } from '../../tests/support/services.ts'
import { createApp } from '../app.ts'
import { holdResult } from './health.ts'

const services = await testServices({ template: 'schema' })

/** On a machine that is busy with something else, a look may come too late. */
const isReady = () => expect.poll(ready, { timeout: 20_000, interval: 200 }).toMatchObject(ok)

/** As the first look of a process that has just started. */
async function ready() {
  const began = performance.now()
  const answer = await createApp(services).request('/readyz')
  const { ready, checks } = (await answer.json()) as { ready: boolean; checks: Record<string, string> }
  return { status: answer.status, ready, checks, milliseconds: performance.now() - began }
}

const ok = { status: 200, ready: true, checks: { database: 'ok', logs: 'ok' } }
const notReady = { status: 503, ready: false, checks: { logs: 'failed' } }

test.each(['log.activity', 'log.activity_day', 'log.phi_audit'])(
  'a server whose %s is locked is not ready, and says so in time',
  async (table) => {
    await isReady()
    const lock = await services.database.ownerPool.connect()
    await lock.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`)

    const locked = await ready()
    await lock.query('ROLLBACK')
    lock.release()

    expect(locked).toMatchObject(notReady)
    expect(locked.milliseconds).toBeLessThan(15_000)
    await isReady()
  },
)

test('a server whose disk is full is not ready', async () => {
  // As PostgreSQL says it when a table cannot be extended.
  await services.database.ownerPool.query(`
    CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON log.write_probe FOR EACH ROW EXECUTE FUNCTION public.full()`)
  const full = await ready()
  await services.database.ownerPool.query('DROP FUNCTION public.full CASCADE')

  expect(full).toMatchObject(notReady)
  await isReady()
})

test('every proof takes a new page of the disk, and the table stays small', async () => {
  const size = async () =>
    (await services.database.ownerPool.query("SELECT pg_relation_size('log.write_probe')::int AS bytes"))
      .rows[0].bytes
  const sizes: number[] = []
  for (let proof = 0; proof < 200; proof++) {
    await services.pool.query('SELECT log.prove_write()')
    sizes.push(await size())
  }

  const shrunk = sizes.filter((bytes, index) => index > 0 && bytes < (sizes[index - 1] ?? 0))
  const grown = sizes.filter((bytes, index) => index > 0 && bytes === (sizes[index - 1] ?? 0) + 8_192)
  expect(grown.length + shrunk.length).toBe(199)
  expect(Math.max(...sizes)).toBeLessThan(1_100_000)
})

test('however many ask, one check is under way and its result holds for two seconds', async () => {
  let checks = 0
  const check = holdResult(async () => {
    checks += 1
    await new Promise((resolve) => setImmediate(resolve))
  })

  await Promise.all(Array.from({ length: 50 }, check))
  await check()

  expect(checks).toBe(1)
})
