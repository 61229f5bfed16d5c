import { copyFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { insertLogRows, logs, monthStart } from '../../../tests/support/log-months.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { createSealer } from '../../audit/sealer.ts'
import { backUp as backUpTo, majorVersion } from './back-up.ts'
import { unfitToDump } from './choose-format.ts'
import { MANIFEST, type Manifest } from './manifest.ts'
import { findPrograms } from './pg-programs.ts'
import { beginFolder, openFolder } from './place.ts'
import { restore as restoreFrom } from './restore.ts'
import { hashTable } from './table-files.ts'
import { listTables, SAME_TEXTS } from './tables.ts'

const keptAgreement = '0190a0a0-0000-7000-8000-00000000aaaa'

let source: TestServices
let ownerUrl: string
let folder: string
let portable: Manifest
const place = (name: string) => join(folder, name)
const common = { keyIds: ['test'], program: '0.0.0', format: 'portable', objects: null } as const

async function backUp({
  to,
  ownerUrl: url,
  ...options
}: Omit<Parameters<typeof backUpTo>[0], 'begin' | 'url'> & {
  to: string
  ownerUrl: string
}): Promise<Manifest> {
  return (await backUpTo({ ...options, url, begin: () => beginFolder(to) })).manifest
}

const restore = ({ from, ...options }: Omit<Parameters<typeof restoreFrom>[0], 'from'> & { from: string }) =>
  restoreFrom({ ...options, from: openFolder(from) })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandpiper-backup-'))
  source = await testServices()
  ownerUrl = source.database.ownerUrl
  await makeOddRows()
  portable = await backUp({ ...common, ownerUrl, to: place('portable') })
})

afterAll(() => rm(folder, { recursive: true }))

/** What a careless format loses: a JSON null, a job, an ended sequence, rows that refer to later ones, bytes, quotes. */
async function makeOddRows(): Promise<void> {
  const { prisma, portalAudit, sealer, jobs, database } = source
  const odd = { text: 'tab\t, \\n is no line end, “quotes” " \' and 🐦', nothing: null, large: 1e21 }
  await prisma.$transaction(async (tx) => {
    for (const detail of [odd, {}])
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'test.made',
        subject: { kind: 'test', id: null },
        detail,
      })
    await jobs.add(tx, 'sweep-outbox', { odd }, { jobKey: 'odd', delaySeconds: 3_600 })
  })
  await sealer.seal()
  await createSealer({ ...source, headFolders: { first: place('heads') } }).writeHead()
  const owner = await prisma.account.create({
    data: {
      realm: 'developer',
      email: 'wren@people.example',
      name: 'Wren',
      passwordHash: '$x',
      createdAt: new Date(),
    },
  })
  const organization = await prisma.organization.create({
    data: { slug: 'kept', name: 'Kept', createdById: owner.id, createdAt: new Date() },
  })
  const agreement = { kind: 'baa', organizationId: organization.id, state: 'executed', createdAt: new Date() }
  await prisma.agreement.create({
    data: { ...agreement, id: keptAgreement, activeAt: new Date(), executedAt: new Date() },
  })
  await prisma.agreement.create({
    data: {
      ...agreement,
      id: '0190a0a0-0000-7000-8000-000000000001',
      activeAt: new Date(),
      replacesId: keptAgreement,
    },
  })
  // Triggers of tables write to others: what they wrote is in the backup already.
  await prisma.agreementReturnTask.create({
    data: { agreementId: keptAgreement, openedAt: new Date(), dueAt: new Date() },
  })
  await prisma.agreementEvent.create({
    data: { agreementId: keptAgreement, at: new Date(), event: 'expire', to: 'expired', actorKind: 'system' },
  })
  await database.ownerPool.query('UPDATE portal.agreement SET next_action_at = NULL')
  await prisma.agreementExecuted.create({
    data: {
      agreementId: keptAgreement,
      number: 1,
      documentSha256: 'a'.repeat(64),
      sha256: 'b'.repeat(64),
      bytes: new Uint8Array([0, 10, 13, 92, 255]),
      executedAt: new Date(),
    },
  })
  for (const log of logs) await insertLogRows(database, log, [monthStart(-9), monthStart(0), monthStart(9)])
  // A JSON null is something else than no value; lines of a table may be longer than a batch.
  await database.ownerPool.query(
    `INSERT INTO portal.outbox_mail (id, template, to_address, props, message_id, next_attempt_at, created_at)
     VALUES (gen_random_uuid(), 'a', 'a@people.example', 'null', 'one', now(), 'infinity'),
       (gen_random_uuid(), 'a', 'a@people.example', to_jsonb(repeat('ab', 800000)), 'two', now(), now())`,
  )
}

async function hashes(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(SAME_TEXTS)
    const found: Record<string, string> = {}
    for (const table of await listTables(client)) found[table.name] = (await hashTable(client, table)).sha256
    return found
  } finally {
    await client.end()
  }
}

async function jobLines(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT t.identifier, j.payload::jsonb AS payload, j.key, j.run_at::text AS run_at, j.max_attempts, j.locked_by
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       ORDER BY j.run_at, t.identifier, j.key`,
    )
    return rows
  } finally {
    await client.end()
  }
}

const emptyDatabase = () => testDatabase('schema')

describe('a backup', () => {
  it('restored into an empty database is the same data, in every format that this server can write', async () => {
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    const fits = unfitToDump(await findPrograms(), await majorVersion(client)) === null
    await client.end()
    const before = await hashes(ownerUrl)

    for (const format of fits ? (['portable', 'custom'] as const) : (['portable'] as const)) {
      const from = place(`same-${format}`)
      await backUp({ ...common, format, ownerUrl, to: from })
      const target = await emptyDatabase()
      await restore({ ...target, from, replace: false })

      expect(await hashes(target.ownerUrl)).toEqual(before)
      expect(await jobLines(target.ownerUrl)).toEqual(await jobLines(ownerUrl))
      const sealer = createSealer({
        ...source,
        prisma: target.prisma,
        headFolders: { first: place('heads') },
      })
      const sealed = await source.prisma.auditEvent.count()
      expect(await sealer.verify()).toMatchObject({ intact: true, sealed, waiting: 0, heads: 1 })
      // The numbers go on behind those of the backup, and the server's role may do what it could and no more.
      const event = { at: new Date(), actorKind: 'system', action: 'a', subjectKind: 'b', detail: {} }
      const { id } = await target.prisma.auditEvent.create({ data: event })
      const last = await source.prisma.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } })
      expect(id).toBeGreaterThan(last.id)
      await expect(target.prisma.auditEvent.deleteMany()).rejects.toThrow(/permission denied/)
      const rewriting = target.ownerPool.query('DELETE FROM portal.agreement_executed')
      await expect(rewriting).rejects.toThrow(/is kept until its retention ends/)
      const orphan = target.ownerPool.query(`UPDATE portal.agreement SET organization_id = gen_random_uuid()`)
      await expect(orphan).rejects.toThrow(/foreign key/)
      await target.close()
    }
  })

  it('of the release before, which takes partitions for tables, is restored as well', async () => {
    const from = place('partitions')
    await cp(place('portable'), from, { recursive: true })
    const write = (activityRows: number) =>
      writeFile(
        join(from, MANIFEST),
        JSON.stringify({
          ...portable,
          tables: portable.tables.flatMap((table) => {
            if (table.name === 'log.phi_audit') return [{ ...table, name: 'log.phi_audit_before' }]
            if (table.name !== 'log.activity') return [table]
            // An empty table's file, under the name of a second partition.
            const empty = portable.tables.find(({ name }) => name === 'log.write_probe')
            return [
              { ...table, name: 'log.activity_before', rows: activityRows },
              { ...empty, name: 'log.activity_mmxxvii_i' },
            ]
          }),
        }),
      )
    const target = await emptyDatabase()

    await write(2)
    await expect(restore({ ...target, from, replace: false })).rejects.toThrow(
      'log.activity is not what was backed up (3 rows, 2 expected); the database is as it was',
    )
    await write(3)
    await restore({ ...target, from, replace: false })

    expect(await hashes(target.ownerUrl)).toEqual(await hashes(ownerUrl))
    await target.close()
  })

  it('names every table of our schemas with rows and hash, and lies where its owner alone reads it', async () => {
    const found = await hashes(ownerUrl)

    expect(Object.fromEntries(portable.tables.map(({ name, sha256 }) => [name, sha256]))).toEqual(found)
    expect(portable.tables.find(({ name }) => name === 'clinical.resource')?.rows).toBeGreaterThan(100)
    expect((await stat(place('portable'))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(place('portable')))
      expect((await stat(join(place('portable'), name))).mode & 0o777, name).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('holds no key of the keyring', async () => {
    const key = Buffer.alloc(32, 7)

    for (const name of await readdir(place('portable'))) {
      const bytes = await readFile(join(place('portable'), name))
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
      for (const form of [key.toString('base64'), key.toString('hex')])
        expect(text.includes(form)).toBe(false)
    }
    expect(portable.sealedWith).toEqual(['test'])
  })

  it('holds a job that runs for the last time, and none that was given up', async () => {
    const { prisma, jobs, database } = source
    const last = (jobKey: string) =>
      prisma.$transaction((tx) => jobs.add(tx, 'sweep-outbox', {}, { jobKey, maxAttempts: 1 }))
    await last('running')
    await last('given-up')
    const queue = 'graphile_worker._private_jobs'
    await database.ownerPool.query(`UPDATE ${queue} SET attempts = 1 WHERE key IN ('running', 'given-up')`)
    await database.ownerPool.query(`UPDATE ${queue} SET locked_at = now() WHERE key = 'running'`)

    const { jobs: kept } = await backUp({ ...common, ownerUrl, to: place('running') })
    await database.ownerPool.query(`DELETE FROM ${queue} WHERE key IN ('running', 'given-up')`)

    const lines = gunzipSync(await readFile(join(place('running'), kept.file.name))).toString('utf8')
    expect(lines).toContain('"running"')
    expect(lines).not.toContain('"given-up"')
  })

  it('is of one moment, whatever is written meanwhile', async () => {
    let written: Promise<unknown> | undefined
    const manifest = await backUp({
      ...common,
      ownerUrl,
      to: place('moment'),
      onProgress: ({ table }) => {
        if (table !== 'clinical.resource') return
        // Comes after the snapshot; portal.throttle is read later. A promise of Prisma's begins when it is awaited.
        written ??= source.prisma.throttle
          .create({ data: { key: 'late', windowStart: new Date(), count: 1 } })
          .then()
      },
    })
    await written

    expect(await source.prisma.throttle.count({ where: { key: 'late' } })).toBe(1)
    expect(manifest.tables.find(({ name }) => name === 'portal.throttle')?.rows).toBe(0)
    await source.prisma.throttle.deleteMany()
  })

  it('is not written where something is, and leaves nothing when it fails', async () => {
    await expect(backUp({ ...common, ownerUrl, to: place('portable') })).rejects.toThrow(/is there already/)
    const failing = backUp({
      ...common,
      ownerUrl,
      to: place('failing'),
      onProgress: () => {
        throw new Error('the disk is full')
      },
    })

    await expect(failing).rejects.toThrow('the disk is full')
    expect((await readdir(folder)).filter((name) => name.startsWith('failing'))).toEqual([])
  })

  it('of a killed run is removed by the next one of the same name', async () => {
    const left = `${place('again')}.partial-999999999`
    await cp(place('portable'), left, { recursive: true })

    await backUp({ ...common, ownerUrl, to: place('again') })

    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([])
  })
})

describe('a restore is refused and changes nothing', () => {
  let empty: TestDatabase
  let before: Record<string, string>

  beforeAll(async () => {
    empty = await emptyDatabase()
    before = await hashes(empty.ownerUrl)
  })

  afterEach(async () => {
    expect(await hashes(empty.ownerUrl)).toEqual(before)
  })

  const expectRefusal = (from: string, sentence: RegExp) =>
    expect(restore({ ...empty, from, replace: false })).rejects.toThrow(sentence)

  async function changed(name: string, change: (manifest: Manifest) => unknown): Promise<string> {
    const copy = place(name)
    await cp(place('portable'), copy, { recursive: true })
    const manifest = JSON.parse(await readFile(join(copy, MANIFEST), 'utf8')) as Manifest
    change(manifest)
    await writeFile(join(copy, MANIFEST), JSON.stringify(manifest))
    return copy
  }

  it('without a backup, or with half a manifest', async () => {
    await expectRefusal(place('nowhere'), /there is no backup/)
    const half = await changed('half', () => {})
    await truncate(join(half, MANIFEST), 100)
    await expectRefusal(half, /is not whole/)
  })

  it('with other migrations, each named', async () => {
    const older = await changed('older', ({ migrations }) => migrations.splice(-1, 1))
    await expectRefusal(older, /only this database has \d+_/)
    const newer = await changed('newer', ({ migrations }) =>
      migrations.push({ name: '9_later', checksum: 'x' }),
    )
    await expectRefusal(newer, /only the backup has 9_later/)
    const edited = await changed('edited', ({ migrations }) =>
      Object.assign(migrations[0] ?? {}, { checksum: 'x' }),
    )
    await expectRefusal(edited, /is not the same/)
  })

  it('with a file that is cut off, changed or another’s', async () => {
    const cut = await changed('cut', () => {})
    await truncate(join(cut, 'clinical.resource.ndjson.gz'), 5_000)
    await expectRefusal(cut, /clinical\.resource\.ndjson\.gz cannot be read/)
    const swapped = await changed('swapped', () => {})
    await copyFile(join(swapped, 'portal.session.ndjson.gz'), join(swapped, 'portal.account.ndjson.gz'))
    await expectRefusal(swapped, /portal\.account\.ndjson\.gz is not what the manifest says/)
    const lying = await changed('lying', ({ tables }) => {
      for (const table of tables) if (table.name === 'portal.account') table.sha256 = 'c'.repeat(64)
    })
    await expectRefusal(lying, /portal\.account is not what was backed up/)
    const leading = await changed('leading', ({ jobs }) =>
      Object.assign(jobs.file, { name: '../../etc/hosts' }),
    )
    await expectRefusal(leading, /is not one that this release reads \(jobs\.file\.name\)/)
  })

  it('while somebody is connected', async () => {
    const target = await emptyDatabase()
    await target.pool.query('SELECT 1')

    await expect(restore({ ...target, from: place('portable'), replace: false })).rejects.toThrow(
      /other connections use this database: stop the server/,
    )
    await target.close()
  })

  it('over data, unless it may take its place; then by what the backup holds', async () => {
    const target = await emptyDatabase()
    await restore({ ...target, from: place('portable'), replace: false })
    const again = { ...target, from: place('portable') }

    await expect(restore({ ...again, replace: false })).rejects.toThrow(/the database is not empty/)
    await restore({ ...again, replace: true })

    expect(await hashes(target.ownerUrl)).toEqual(
      Object.fromEntries(portable.tables.map(({ name, sha256 }) => [name, sha256])),
    )
    // An agreement that the backup does not know must still be kept.
    const poorer = await changed('poorer', (manifest) => Object.assign(manifest, { executed: [] }))
    await expect(restore({ ...again, from: poorer, replace: true })).rejects.toThrow(
      /1 executed agreements of this database are not in the backup/,
    )
    await target.close()
  })
})
