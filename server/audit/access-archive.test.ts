/** Rows of the record of access in object storage: found, counted and proven as those of the database. */
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  correlationOf,
  insertAccessRows,
  oldest,
  oneOf,
  otherPractice,
  patients,
  randomFilter,
  rowCount,
  seed,
} from '../../tests/support/access-rows.ts'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { logPractice, logTools, monthName, monthStart, shapeLog } from '../../tests/support/log-months.ts'
import { createMemoryBucket, type MemoryBucket } from '../../tests/support/memory-bucket.ts'
import { longTest } from '../../tests/support/slice.ts'
import { migrate } from '../store/migrations.ts'
import { type AccessFilter, forgetOld, lastRead, page } from './access-log.ts'
import { sealAccess, verifyAccess } from './access-seal.ts'
import { archiveMonths } from './archive-months.ts'
import { countUnnamed, listDisclosures } from './disclosures.ts'
import { createPortalAudit } from './portal-audit.ts'

const everyRow = '9223372036854775807'

let database: TestDatabase
let bucket: MemoryBucket
const { asOwner, insert, places } = logTools(() => database)
const clock = () => new Date()
const log = { info: () => {}, error: () => {} }
const deps = () => ({
  pool: database.pool,
  prisma: database.prisma,
  portalAudit: createPortalAudit({ clock }),
  archiveStorage: bucket.client,
  log,
  clock,
})
/** So that a month has several objects, and an object several parts. */
const bounds = { afterMonths: 3, objectRows: 30, partRows: 7 }
const archive = () => archiveMonths(deps(), bounds)

beforeEach(async () => {
  seed(42)
  if (database === undefined) {
    database = await testDatabase('schema')
    await expect(database.pool.query(`SELECT log.archive_access(now(), '[]')`)).rejects.toThrow(
      'permission denied',
    )
    bucket = createMemoryBucket()
    await expect(archive()).rejects.toThrow('run sandpiper migrate')
    await migrate({ ...database, archives: true })
  }
  bucket = createMemoryBucket()
  await shapeLog(database.ownerPool, 'phi_audit', oldest, 4)
  await asOwner('TRUNCATE log.access_archive, log.export_patients, portal.audit_event, portal.audit_head')
  await asOwner(
    `INSERT INTO log.export_patients (at, export_id, first_id, last_id, patient_ids, types, type_names)
     SELECT $1::timestamptz, md5(n::text)::uuid, 'a', 'b', '{a,b}', '{3,1}', '{Patient,Observation}' FROM generate_series(0, 2) n`,
    [monthStart(-6)],
  )
  // Months and seals end at different rows.
  for (let first = 0; first < rowCount; first += rowCount / 3) {
    await insertAccessRows(database.ownerPool, first, first + rowCount / 3)
    await sealAccess(deps())
  }
})

/** The answers to the same random questions, whatever was archived meanwhile. */
async function readAll() {
  seed(7)
  const answers: unknown[] = []
  for (let number = 0; number < 16; number++) {
    const filter = randomFilter()
    const practice = oneOf([logPractice, otherPractice])
    for (let before: string | undefined, pages = 0; pages < 15 && (pages === 0 || before); pages++) {
      const { rows, next } = await page(deps(), practice, { ...filter, ...(before && { before }) })
      answers.push(rows, next)
      before = next ?? undefined
    }
  }
  for (const number of [1, 60, 200])
    for (const practice of [logPractice, otherPractice])
      answers.push(
        await page(deps(), practice, { correlationId: correlationOf(number).toUpperCase(), limit: 2 }),
      )
  for (const patientId of patients)
    for (const months of [
      [-20, 1],
      [-7, -4],
      [-2, 1],
    ] as const) {
      const [from, to] = months.map(monthStart) as [Date, Date]
      const query = { practiceId: logPractice, patientId, from, to, lastId: everyRow }
      answers.push(await listDisclosures(deps(), query), await countUnnamed(deps(), query))
    }
  for (const patientId of [...patients, 'nobody']) {
    const place = { practiceId: logPractice, patientId, clientId: 'app' }
    answers.push(await lastRead(deps(), { ...place, principalIds: ['k1', 'k3'] }))
  }
  return answers
}

const rowsLeft = async () => (await asOwner('SELECT FROM log.phi_audit')).length
const rowsArchived = async () =>
  (await asOwner<{ rows: number }>('SELECT coalesce(sum(rows), 0)::int AS rows FROM log.access_archive'))[0]
    ?.rows ?? 0
const dataKeys = () => [...bucket.objects.keys()].filter((key) => key.endsWith('.gz'))

it('gives the same pages, accountings and last reads as before, and its seals hold', async () => {
  const before = await readAll()
  const verdict = await verifyAccess(deps())

  await archive()

  const after = await readAll()
  // One by one: the difference of all would take minutes to print.
  for (const [index, answer] of after.entries()) expect(answer).toEqual(before[index])
  expect(after.length).toBe(before.length)
  expect(await verifyAccess(deps())).toEqual(verdict)
  expect(verdict).toMatchObject({ intact: true, rows: rowCount + 3 })
  expect((await rowsLeft()) + (await rowsArchived())).toBe(rowCount)
  expect(new Set(await places('phi_audit'))).toEqual(new Set([-3, -2, -1, 0].map(monthName).concat('before')))
  expect(dataKeys().length).toBeGreaterThan(8)
  const [event] = await asOwner<{ detail: { month: string; proof: string } }>(
    `SELECT detail FROM portal.audit_event WHERE action = 'access_record.archived' ORDER BY id LIMIT 1`,
  )
  expect(event?.detail.month).toBe(monthStart(oldest).toISOString().slice(0, 7))
  for (const key of dataKeys())
    expect(gunzipSync(bucket.objects.get(key) as Buffer).toString()).toMatch(/^{"id":/)
})

/** All rows of a practice, by pages. */
async function readRecord(filter: Partial<AccessFilter> = {}) {
  const found: string[] = []
  for (let before: string | undefined, pages = 0; pages === 0 || before; pages++) {
    const { rows, next } = await page(deps(), logPractice, {
      limit: 90,
      ...filter,
      ...(before && { before }),
    })
    found.push(...rows.map(({ correlationId }) => correlationId))
    before = next ?? undefined
  }
  return found
}

const account = (from: Date) =>
  listDisclosures(deps(), { practiceId: logPractice, patientId: 'a', from, to: new Date(), lastId: everyRow })
const unavailable = { kind: 'unavailable', message: expect.stringMatching(/archive, which can’t be read/) }

it('killed at any step, it goes on: no row is lost or doubled, and no month half archived', async () => {
  const all = await readRecord()
  const requests: string[] = []
  bucket.refuse = (request) => requests.push(request) === 0
  await archive()
  const steps = requests.length
  expect(steps).toBeGreaterThan(30)

  await restoreRows()
  let fails = 0
  // A few steps further each time.
  for (let limit = 0, left = 1; left > 0; limit = limit === 0 ? 1 : limit * 2) {
    let begun = 0
    bucket.refuse = () => begun++ >= limit
    await archive().catch(() => fails++)
    left = begun > limit ? 1 : 0
    bucket.refuse = null
    expect(await readRecord()).toEqual(all)
    expect((await rowsLeft()) + (await rowsArchived())).toBe(rowCount)
  }

  expect(fails).toBeGreaterThan(3)
  expect(await verifyAccess(deps())).toMatchObject({ intact: true, rows: rowCount + 3 })
  expect(dataKeys().length).toBe(new Set(await listKeys()).size)
})

longTest('killed after its objects are written, or with two at once, a month is archived once', async () => {
  const all = await readRecord()
  const { portalAudit } = deps()
  const killed = {
    ...deps(),
    portalAudit: { ...portalAudit, append: () => Promise.reject(new Error('killed')) },
  }
  await expect(archiveMonths(killed, bounds)).rejects.toThrow('killed')
  expect(await rowsArchived()).toBe(0)

  await Promise.allSettled([archive(), archive()])

  expect(await readRecord()).toEqual(all)
  expect((await rowsLeft()) + (await rowsArchived())).toBe(rowCount)
  expect(await verifyAccess(deps())).toMatchObject({ intact: true, rows: rowCount + 3 })
  expect(dataKeys().length).toBe(new Set(await listKeys()).size)
})

const damages: [string, RegExp, number[], () => Promise<unknown>][] = [
  ['is not sealed', /not sealed yet/, [-6], () => insert('phi_audit', monthStart(-6))],
  // Others have rows of the same seal.
  [
    'was changed',
    /a row of the record of access was changed/,
    [-6, -5, -4],
    () =>
      asOwner(
        `UPDATE log.phi_audit SET count = 9 WHERE id = (SELECT max(id) FROM log.phi_audit_${monthName(-5)})`,
      ),
  ],
  [
    'comes back otherwise from the bucket',
    /the archived object .* was changed/,
    [-7],
    async () => {
      const { get } = bucket.client
      bucket.client.get = async (key, range) => {
        const stream = await get(key, range)
        const bytes = Buffer.concat((await stream?.toArray()) ?? [])
        if (key.startsWith(folderOf(-7))) bytes[12] = (bytes[12] ?? 0) ^ 1
        return Readable.from([bytes])
      }
    },
  ],
]
it.each(damages)(
  'a month that %s stays in the database, and others go',
  async (_, reason, staying, damage) => {
    await damage()

    await expect(archive()).rejects.toThrow(reason)

    const left = new Set(await places('phi_audit'))
    expect([-8, -7, -6, -5, -4].filter((month) => left.has(monthName(month)))).toEqual(staying)
  },
)

longTest('waits for a reader of the month, and readers wait for it a moment only', async () => {
  const reader = await database.pool.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT count(*) FROM log.phi_audit')
  const archiving = archive()
  await new Promise((resolve) => setTimeout(resolve, 600))

  const started = performance.now()
  expect((await readRecord()).length).toBeGreaterThan(180)
  expect(performance.now() - started).toBeLessThan(10_000)
  await reader.query('COMMIT')
  reader.release()

  await archiving
  expect(await rowsArchived()).toBeGreaterThan(180)
})

it('a row that comes late is found, and archived the next time', async () => {
  await archive()
  await insert('phi_audit', new Date(monthStart(-6).getTime() + 1_000))
  const all = await readRecord()
  await sealAccess(deps())

  await archive()

  expect(await readRecord()).toEqual(all)
  expect((await rowsLeft()) + (await rowsArchived())).toBe(rowCount + 1)
  expect(await verifyAccess(deps())).toMatchObject({ intact: true, rows: rowCount + 4 })
})

it('goes on sealing where it was, also when the database has no rows left', async () => {
  await archive()
  await asOwner('TRUNCATE log.phi_audit')

  const end = await sealAccess(deps())
  await insert('phi_audit', new Date())
  const { access } = await sealAccess(deps())

  expect(BigInt(access)).toBe(BigInt(end.access) + 1n)
})

describe('with an archive', () => {
  beforeEach(archive)

  it.each([
    ['missing', (key: string) => void bucket.objects.delete(key), 'is missing'],
    ['cut off', (key: string) => void bucket.objects.set(key, Buffer.alloc(3)), '(is cut off|was changed)'],
    ['changed', (key: string) => void bucket.objects.get(key)?.fill(1, 30, 31), 'was changed'],
    [
      'another one',
      (key: string) => void bucket.objects.set(key, bucket.objects.get(lastKey()) as Buffer),
      'was changed',
    ],
  ])(
    'an object that is %s is found and named, and nothing is shown without it',
    async (_, damage, reason) => {
      const key = dataKeys().find((each) => each.startsWith(folderOf(-6))) as string
      damage(key)

      expect(await verifyAccess(deps())).toMatchObject({
        intact: false,
        reason: expect.stringMatching(new RegExp(`^the archived object ${key} ${reason}`)),
      })
      await expect(readRecord()).rejects.toMatchObject(unavailable)
      await expect(account(monthStart(-8))).rejects.toMatchObject(unavailable)
    },
  )

  it('a part that the table no longer names, or names twice, is found', async () => {
    await asOwner('DELETE FROM log.access_archive WHERE key = $1 AND start = 0', [lastKey()])
    expect(await verifyAccess(deps())).toMatchObject({
      intact: false,
      reason: expect.stringMatching(/sealed, \d+ are/),
    })
  })

  it('without the bucket, what does not need it is shown', async () => {
    const recent = await account(monthStart(-2))
    bucket.refuse = () => true

    expect(await account(monthStart(-2))).toEqual(recent)
    expect((await page(deps(), logPractice, { limit: 20 })).rows).toHaveLength(20)
    await expect(readRecord()).rejects.toMatchObject(unavailable)
    await expect(account(monthStart(-8))).rejects.toMatchObject(unavailable)
    await expect(verifyAccess(deps())).rejects.toThrow('refused')
  })

  it('a month over six years old goes with its objects, also when killed in between, and is not shown before', async () => {
    const all = await readRecord()
    const folder = folderOf(-7)
    const gone = await readRecord({ from: monthStart(-7), to: monthStart(-6) })
    await asOwner(
      `UPDATE log.access_archive SET last_at = last_at - interval '6 years', first_at = first_at - interval '6 years'
       WHERE key LIKE $1`,
      [`${folder}/%`],
    )
    const left = all.filter((each) => !gone.includes(each))
    expect(await readRecord()).toEqual(left)

    bucket.refuse = (request) => request.startsWith('remove') && request.endsWith('json')
    await expect(forgetOld(deps())).rejects.toThrow('refused')
    bucket.refuse = null
    await database.pool.query('SELECT log.forget_access_archive($1)', [folderOf(-6)])
    await forgetOld(deps())

    expect([...bucket.objects.keys()].filter((key) => key.startsWith(folder))).toEqual([])
    expect(new Set((await listKeys()).map((key) => key.slice(0, 7)))).toEqual(
      new Set([-8, -6, -5, -4].map(folderOf)),
    )
    expect(await readRecord()).toEqual(left)
  })

  it('the server can neither change what the archive holds nor empty a month that others need', async () => {
    const parts = (id: string) => JSON.stringify([{ last_id: id }])
    const [newest] = await asOwner<{ id: string }>(
      `SELECT max(id)::text AS id FROM log.phi_audit_${monthName(-3)}`,
    )
    for (const refused of ['DELETE FROM', 'INSERT INTO log.access_archive SELECT * FROM', 'TRUNCATE'])
      await expect(database.pool.query(`${refused} log.access_archive`)).rejects.toMatchObject({
        code: '42501',
      })
    const empty = (month: number, id: string) =>
      database.pool.query('SELECT log.archive_access($1, $2)', [monthStart(month), parts(id)])
    await expect(empty(-3, newest?.id ?? '')).rejects.toThrow('not one that can be archived')
    await insert('phi_audit', monthStart(-5))
    await expect(empty(-5, '1')).rejects.toThrow('has other rows by now')
  })
})

const folderOf = (month: number) => monthStart(month).toISOString().slice(0, 7)
const lastKey = () => dataKeys().sort().at(-1) as string
const listKeys = async () =>
  (await asOwner<{ key: string }>('SELECT DISTINCT key FROM log.access_archive')).map(({ key }) => key)

/** As if nothing had been archived. */
async function restoreRows(): Promise<void> {
  for (const key of await listKeys())
    await asOwner(
      `INSERT INTO log.phi_audit OVERRIDING SYSTEM VALUE SELECT r.* FROM json_array_elements($1) e,
         json_populate_record(NULL::log.phi_audit, e) r`,
      [
        `[${gunzipSync(bucket.objects.get(key) as Buffer)
          .toString()
          .trim()
          .replaceAll('\n', ',')}]`,
      ],
    )
  await asOwner('TRUNCATE log.access_archive')
  bucket.objects.clear()
}
