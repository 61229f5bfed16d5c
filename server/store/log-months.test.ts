import type pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import {
  insertLogRows,
  listPartitions,
  logKey,
  logPractice,
  logs,
  logTools,
  monthName,
  monthStart,
  shapeLog,
} from '../../tests/support/log-months.ts'
import { page as accessPage, forgetOld as forgetAccess } from '../audit/access-log.ts'
import { page as activityPage, forgetOld as forgetActivity } from '../audit/activity-log.ts'
import { renewLogMonths, renewLogMonthsAsOwner } from './log-months.ts'

let database: TestDatabase
const { asOwner, insert, places } = logTools(() => database)

describe('the logs by month', () => {
  beforeAll(async () => {
    database = await testDatabase('schema')
  })

  beforeEach(async () => {
    for (const log of logs) await shapeLog(database.ownerPool, log, -1, 4)
  })

  it('a row of midnight on the first is of the new month, and one before it of the old', async () => {
    const midnight = monthStart(1).getTime()

    for (const log of logs)
      await insert(log, new Date(midnight - 1), new Date(midnight), new Date(midnight + 1))

    for (const log of logs) expect(await places(log)).toEqual([monthName(0), monthName(1), monthName(1)])
  })

  it('several workers at once make the months ahead once, and rows that came before them move there', async () => {
    for (const log of logs) await shapeLog(database.ownerPool, log, -1, 1)
    for (const log of logs) await insert(log, monthStart(0), monthStart(1), monthStart(3), monthStart(9))
    const was = await asOwner(`SELECT * FROM log.activity ORDER BY id`)

    const done = await Promise.all([1, 2, 3].map(() => renewLogMonths(database)))

    const made = logs.flatMap((log) => [1, 2, 3].map((month) => `made ${log}_${monthName(month)}`))
    expect(done.flat().sort()).toEqual(made.sort())
    for (const log of logs) {
      expect(await listPartitions(database.ownerPool, log)).toEqual([
        'before',
        ...[-1, 0, 1, 2, 3].map(monthName),
        'later',
      ])
      expect(await places(log)).toEqual([monthName(0), monthName(1), monthName(3), 'later'])
    }
    expect(await asOwner(`SELECT * FROM log.activity ORDER BY id`)).toEqual(was)
    expect(await renewLogMonths(database)).toEqual([])
  })

  it('more rows than can be moved beside traffic wait for the owner', async () => {
    await shapeLog(database.ownerPool, 'activity', -1, 1)
    await insertLogRows(database, 'activity', [monthStart(2)], 50_001)

    const byServer = await renewLogMonths(database)
    expect(byServer.at(-1)).toMatch(/^activity_later has too many rows of activity_/)
    const byOwner = await renewLogMonthsAsOwner({ pool: database.ownerPool })

    expect(byOwner).toEqual([2, 3].map((month) => `made activity_${monthName(month)}`))
    expect(new Set(await places('activity'))).toEqual(new Set([monthName(2)]))
  })

  it('waits for a reader no longer than writers can wait behind it, and tries again', async () => {
    await shapeLog(database.ownerPool, 'activity', -1, 3)
    const reader = await database.pool.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM log.activity')
    const renewed = renewLogMonths(database)
    for (let written = 0; written < 10; written++) {
      const started = performance.now()
      await insert('activity', new Date())
      expect(performance.now() - started).toBeLessThan(10_000)
    }

    await reader.query('COMMIT')
    reader.release()

    expect(await renewed).toEqual([`made activity_${monthName(3)}`])
  })

  it.each([
    ['activity', 12, forgetActivity],
    ['phi_audit', 72, forgetAccess],
  ] as const)(
    '%s: months that are over go as a whole, the month of the limit by rows',
    async (log, term, forget) => {
      await shapeLog(database.ownerPool, log, -term - 2, 4)
      const [{ limit } = { limit: new Date() }] = await asOwner<{ limit: Date }>(
        `SELECT now() - make_interval(months => ${term}) AS limit`,
      )
      const end = monthStart(-term).getTime()
      const [over, kept] = [new Date(limit.getTime() - 1_000), new Date(limit.getTime() + 60_000)]
      await insert(log, monthStart(-term - 2), new Date(end - 1), over, kept, new Date())

      expect(await renewLogMonths(database)).toEqual(
        [-2, -1].map((each) => `dropped ${log}_${monthName(each - term)}`),
      )
      const goneByRows = await forget(database)

      // On the first of a month the row just over the limit may be of the month before.
      expect(goneByRows).toBe(over.getTime() < end ? 0 : 1)
      const left = await asOwner<{ at: Date }>(`SELECT at FROM log.${log} ORDER BY at LIMIT 1`)
      expect(left).toEqual([{ at: kept }])
      expect((await listPartitions(database.ownerPool, log))[1]).toBe(monthName(-term))
      await insert(log, monthStart(-term - 1))
      expect((await places(log)).at(-1)).toBe('before')
    },
  )

  it('the server can only have months renewed', async () => {
    const asServer = (sql: string) => database.pool.query(sql)
    await insert('activity', new Date())
    const month = `log.activity_${monthName(0)}`

    for (const refused of [
      `DELETE FROM ${month}`,
      `UPDATE ${month} SET count = 2`,
      `TRUNCATE ${month}`,
      `DROP TABLE ${month}`,
      `ALTER TABLE log.activity DETACH PARTITION ${month}`,
      `INSERT INTO ${month} OVERRIDING SYSTEM VALUE SELECT * FROM log.activity`,
      `SELECT log.add_partition('activity', 'activity_mine', '(MINVALUE) TO (MAXVALUE)')`,
      `CREATE TABLE log.mine (id int)`,
    ])
      await expect(asServer(refused), refused).rejects.toMatchObject({ code: '42501' })
    await expect(asServer(`SELECT log.renew_months('activity_day')`)).rejects.toThrow('not parted by month')
    expect((await asServer(`SELECT FROM ${month}`)).rowCount).toBe(1)
  })

  it('what each partition allows is what pg_dump needs, those made by a worker included', async () => {
    await shapeLog(database.ownerPool, 'activity', -1, 1)
    await renewLogMonths(database)

    const rights = await asOwner(
      `SELECT DISTINCT r.privilege_type AS right FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, aclexplode(c.relacl) r
       WHERE i.inhparent = 'log.activity'::regclass AND r.grantee = '${database.appRole}'::regrole`,
    )

    expect(rights).toEqual([{ right: 'SELECT' }])
  })

  describe('with rows in each of eight months', () => {
    beforeEach(async () => {
      for (const log of logs) {
        await shapeLog(database.ownerPool, log, -7, 4)
        for (let month = -7; month <= 0; month++) {
          const times = Array.from(
            { length: 300 },
            (_, minute) => new Date(monthStart(month).getTime() + minute * 60_000),
          )
          await insert(log, ...times)
        }
        await asOwner(`ANALYZE log.${log}`)
      }
    })

    it('a page reads as many rows as it shows', async () => {
      const read = {
        activity: (pool: pg.Pool, before?: string) =>
          activityPage({ pool }, { keyId: logKey, limit: 50, ...(before && { before }) }),
        phi_audit: (pool: pg.Pool, before?: string) =>
          accessPage({ pool, clock: () => new Date() }, logPractice, {
            limit: 50,
            ...(before && { before }),
          }),
      }
      for (const log of logs) {
        const first = await explained((pool) => read[log](pool))
        expect(first.rows, log).toBeLessThanOrEqual(52)
        // Within the oldest months.
        const at = monthStart(-6).getTime() + 20 * 60_000
        const later = await explained((pool) => read[log](pool, `${at}.${'9'.repeat(15)}`))
        expect(later.rows, log).toBeLessThanOrEqual(52)
        const newer = [-5, -4, -3, -2, -1, 0, 1, 2, 3].map((month) => `${log}_${monthName(month)}`)
        expect(
          later.tables.filter((name) => newer.includes(name)),
          log,
        ).toEqual([])
      }
    })

    it('pages give every row once, newest first, also where older months begin', async () => {
      const found: number[] = []
      for (let before: string | undefined, pages = 0; pages === 0 || before; pages++) {
        const page = await accessPage({ ...database, clock: () => new Date() }, logPractice, {
          limit: 777,
          ...(before && { before }),
        })
        found.push(...page.rows.map(({ at }) => at.getTime()))
        before = page.next ?? undefined
      }

      const rows = await asOwner<{ at: Date }>('SELECT at FROM log.phi_audit ORDER BY at DESC, id DESC')
      expect(found).toEqual(rows.map(({ at }) => at.getTime()))
    })

    it('rows of the same moment come in the order of their ids, each on one page', async () => {
      const at = new Date(monthStart(0).getTime() + 7 * 86_400_000)
      await asOwner('ALTER TABLE log.phi_audit ALTER COLUMN id RESTART WITH 999995')
      await insert('phi_audit', ...Array.from({ length: 12 }, () => at))
      const found: string[] = []
      for (let before: string | undefined, pages = 0; pages === 0 || before; pages++) {
        const filter = { from: at, limit: 5, ...(before && { before }) }
        const page = await accessPage({ ...database, clock: () => new Date() }, logPractice, filter)
        found.push(...page.rows.map(({ correlationId }) => correlationId))
        before = page.next ?? undefined
      }

      const rows = await asOwner<{ id: string }>(
        'SELECT correlation_id AS id FROM log.phi_audit a WHERE at = $1 ORDER BY a.id DESC',
        [at],
      )
      expect(found).toEqual(rows.map(({ id }) => id))
    })

    it('a period reads its months only', async () => {
      const { tables } = await explained((pool) =>
        accessPage({ pool, clock: () => new Date() }, logPractice, {
          limit: 50,
          from: monthStart(-3),
          to: monthStart(-2),
        }),
      )

      expect(tables).toEqual([`phi_audit_${monthName(-3)}`])
    })
  })
})

type Plan = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] }

/** What the statements of the work read: rows of tables, and the partitions that were opened for it. */
async function explained(
  work: (pool: pg.Pool) => Promise<unknown>,
): Promise<{ rows: number; tables: string[] }> {
  const total = { rows: 0, tables: [] as string[] }
  const add = (plan: Plan) => {
    const name = plan['Relation Name']
    if (name) {
      total.rows += plan['Actual Rows'] * plan['Actual Loops']
      if (plan['Actual Loops'] > 0) total.tables.push(name)
    }
    for (const each of plan.Plans ?? []) add(each)
  }
  const pool = {
    async query(asked: string | { text: string; values: unknown[] }, given: unknown[] = []) {
      const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked
      const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
      add(rows[0]['QUERY PLAN'][0].Plan)
      return database.pool.query(text, values)
    },
  }
  await work(pool as unknown as pg.Pool)
  return total
}
