/** A month of the record of access to a bucket and back, with a server that speaks S3: OpenStack Swift. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { insertLogRows, logPractice, monthStart, shapeLog } from '../../tests/support/log-months.ts'
import { startS3, type TestS3 } from '../../tests/support/swift.ts'
import { migrate } from '../store/migrations.ts'
import { createS3Client } from '../store/s3-client.ts'
import { forgetOld, page } from './access-log.ts'
import { sealAccess, verifyAccess } from './access-seal.ts'
import { archiveBounds, archiveMonths } from './archive-months.ts'
import { createPortalAudit } from './portal-audit.ts'

const rows = 250_000
const bounds = { ...archiveBounds, afterMonths: 3 }
let s3: TestS3

beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

test('250,000 rows of a month go to a bucket, are proven, read and deleted there, and an outage is no loss', async () => {
  const database = await testDatabase('schema')
  await migrate({ ...database, archives: true })
  await shapeLog(database.ownerPool, 'phi_audit', -8, 4)
  const times = Array.from(
    { length: 1_000 },
    (_, minute) => new Date(monthStart(-6).getTime() + minute * 60_000),
  )
  await insertLogRows(database, 'phi_audit', times, rows / times.length)
  const clock = () => new Date()
  const storage = createS3Client({ ...s3.settings, prefix: 'record/' })
  const core = {
    ...database,
    clock,
    archiveStorage: storage,
    portalAudit: createPortalAudit({ clock }),
    log: { info: () => {}, error: () => {} },
  }
  await sealAccess(core)
  const list = (before?: string) => page(core, logPractice, { limit: 1_000, ...(before && { before }) })
  const [first, middle] = [await list(), `${times[500]?.getTime()}.${rows}`]
  const [later, verdict] = [await list(middle), await verifyAccess(core)]

  await s3.kill()
  await expect(archiveMonths(core, bounds)).rejects.toThrow('cannot be reached')
  expect(await list()).toEqual(first)
  await s3.start()
  const started = performance.now()
  await archiveMonths(core, bounds)
  const archivedMs = performance.now() - started
  expect((await database.pool.query('SELECT FROM log.phi_audit')).rowCount).toBe(0)

  const read = performance.now()
  expect(await list()).toEqual(first)
  const firstMs = performance.now() - read
  expect(await list(middle)).toEqual(later)
  const proving = performance.now()
  expect(await verifyAccess(core)).toEqual(verdict)
  const provenMs = performance.now() - proving
  const { rows: sizes } = await database.pool.query(
    'SELECT sum(bytes)::int AS bytes, count(*)::int AS parts, count(DISTINCT key)::int AS objects FROM log.access_archive',
  )
  console.log({ archivedMs, firstMs, provenMs, ...sizes[0] })
  await database.ownerPool.query(`UPDATE log.access_archive SET last_at = now() - interval '7 years'`)
  await forgetOld(core)
  expect(await storage.list('')).toEqual([])
  expect((await database.pool.query('SELECT FROM log.access_archive')).rowCount).toBe(0)
}, 300_000)
