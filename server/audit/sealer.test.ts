import { createHash } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServices, testServices } from '../../tests/support/services.ts'
import { createKeyring } from '../keyring.ts'
import { createSealer, HeadsAheadError, type Sealer } from './sealer.ts'

let services: TestServices
let sealer: Sealer
let folder: string
const folders: string[] = []

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const minute = 60_000

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'audit-heads-'))
  folders.push(made)
  return made
}

const sealerWith = (options: { keys?: string; first?: string; second?: string } = {}) =>
  createSealer({
    ...services,
    ...(options.keys ? { keyring: createKeyring(options.keys) } : {}),
    headFolders: { first: options.first ?? folder, ...(options.second ? { second: options.second } : {}) },
  })

const append = async (count: number) => {
  for (let made = 0; made < count; made++)
    await services.prisma.$transaction((tx) =>
      services.portalAudit.append(tx, {
        ...services.portalAudit.system(),
        action: `test.done_${made}`,
        subject: { kind: 'test', id: null },
        detail: { zulu: 1, alpha: { yankee: [1, { bravo: 'Zoë', able: null }], x: true } },
      }),
    )
}

/** Appends rows, seals them and signs a head a minute later than the last. */
async function cover(count: number, by: Sealer = sealer): Promise<void> {
  await append(count)
  services.advance(minute)
  await by.seal()
  await by.writeHead()
}

/** As somebody who owns the database, but not the keys. */
const asOwner = (sql: string) => services.database.ownerPool.query(sql)

const removeRowsAfter = async (number: number) => {
  await asOwner(`DELETE FROM portal.audit_event WHERE chain_number > ${number} OR chain_number IS NULL`)
  await asOwner(`DELETE FROM portal.audit_head WHERE chain_number > ${number}`)
}

/** Seals rows as the releases before signed heads did. */
async function sealWithoutKey(): Promise<void> {
  const rows = await services.prisma.auditEvent.findMany({
    where: { chainNumber: null },
    orderBy: { id: 'asc' },
  })
  const last = await services.prisma.auditEvent.findFirst({
    where: { chainNumber: { not: null } },
    orderBy: { chainNumber: 'desc' },
  })
  let number = last?.chainNumber ?? 0n
  let hash: Uint8Array = last?.chainHash ?? new Uint8Array(32)
  for (const row of rows) {
    number += 1n
    const { at, actorKind, actorId, organizationId, practiceId, action, subjectKind, subjectId } = row
    const fields = [
      `${number}`,
      `${row.id}`,
      at.toISOString(),
      actorKind,
      actorId,
      organizationId,
      practiceId,
    ]
    const detail = { alpha: { x: true, yankee: [1, { able: null, bravo: 'Zoë' }] }, zulu: 1 }
    const rest = [action, subjectKind, subjectId, row.ip, row.correlationId, detail]
    hash = createHash('sha256')
      .update(hash)
      .update(JSON.stringify([...fields, ...rest]))
      .digest()
    await services.database.ownerPool.query(
      'UPDATE portal.audit_event SET chain_number = $2, chain_hash = $3 WHERE id = $1',
      [row.id, number, hash],
    )
  }
}

beforeEach(async () => {
  services ??= await testServices({ template: 'schema' })
  await asOwner('TRUNCATE portal.audit_event, portal.audit_head')
  folder = await newFolder()
  sealer = sealerWith()
})

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true })
})

describe('the audit chain', () => {
  test('is intact until a row is changed, removed or cut off, and several sealers make one chain', async () => {
    await append(30)
    await Promise.all([sealer.seal(), sealer.seal(), sealerWith().seal()])
    await sealer.seal()
    const signed = await Promise.all([sealer.writeHead(), sealerWith().writeHead(), sealerWith().writeHead()])
    expect(signed.filter(Boolean)).toHaveLength(1)
    expect(await sealer.writeHead()).toBe(false)
    await append(1)
    const whole = { intact: true, sealed: 30, waiting: 1, heads: 1, provenTo: '30', unkeyed: 0 }
    expect(await sealer.verify()).toEqual(whole)
    await sealer.seal()
    expect(await sealer.verify()).toEqual({ ...whole, sealed: 31, waiting: 0 })
    expect(await readdir(folder)).toEqual(['heads-000000000.jsonl'])

    await asOwner(`UPDATE portal.audit_event SET detail = '{"zulu": 2}' WHERE chain_number = 7`)
    expect(await sealer.verify()).toMatchObject({ intact: false, number: '7', reason: 'the row was changed' })
    await asOwner(
      `UPDATE portal.audit_event SET detail = (SELECT detail FROM portal.audit_event WHERE chain_number = 8) WHERE chain_number = 7`,
    )
    expect(await sealer.verify()).toMatchObject({ intact: true })
    await asOwner('DELETE FROM portal.audit_event WHERE chain_number > 20')
    expect(await sealer.verify()).toMatchObject({ intact: false, number: '30' })
    await asOwner('DELETE FROM portal.audit_event WHERE chain_number = 5')
    expect(await sealer.verify()).toMatchObject({ intact: false, number: '5', reason: 'a row is missing' })
  })

  test('cannot be computed again by the owner of the database, whether or not a head covers the rows', async () => {
    await cover(3)
    await append(2)
    await sealer.seal()

    await asOwner(`UPDATE portal.audit_event SET action = 'test.forged' WHERE chain_number = 4`)
    await asOwner(
      'UPDATE portal.audit_event SET chain_number = NULL, chain_hash = NULL WHERE chain_number >= 4',
    )
    await sealWithoutKey()

    expect(await sealer.verify()).toEqual({
      intact: false,
      number: '5',
      reason: 'the row was sealed without a key',
      provenTo: '3',
    })
  })

  test('goes on over the rows of releases that had no key, and a head proves them', async () => {
    await append(3)
    await sealWithoutKey()
    await cover(2)

    expect(await sealer.verify()).toMatchObject({ intact: true, sealed: 5, provenTo: '5', unkeyed: 3 })
  })

  test('is checked with the keys that rows were signed with, after the keys were changed', async () => {
    await cover(2, sealerWith({ keys: key('k1', 1) }))
    const rotated = sealerWith({ keys: `${key('k2', 2)},${key('k1', 1)}` })
    await cover(2, rotated)

    expect(await rotated.verify()).toMatchObject({ intact: true, sealed: 4, heads: 2, provenTo: '4' })
    expect(await sealerWith({ keys: key('k2', 2) }).verify()).toMatchObject({
      intact: false,
      reason: 'head 1 needs key k1, which ENCRYPTION_KEYS does not hold',
    })
    expect(await sealerWith({ keys: `${key('k2', 2)},${key('k1', 9)}` }).verify()).toMatchObject({
      intact: false,
      reason: 'head 1 was changed',
    })
  })

  test('is not proven when rows of more than five minutes ago are not sealed, or no head covers them', async () => {
    await append(1)
    services.advance(6 * minute)
    expect(await sealer.verify()).toMatchObject({ intact: false, number: '1', provenTo: '0' })
    expect(await sealer.health()).toMatchObject({ oldestUnsealedSeconds: 360, oldestUncoveredSeconds: 360 })
    await sealer.seal()
    expect(await sealer.verify()).toMatchObject({ reason: 'no head covers the chain' })
    await sealer.writeHead()
    expect(await sealer.verify()).toMatchObject({ intact: true, provenTo: '1' })
    expect(await sealer.health()).toMatchObject({ oldestUnsealedSeconds: null, oldestUncoveredSeconds: null })
    await append(1)
    await sealer.seal()
    services.advance(6 * minute)
    expect(await sealer.verify()).toMatchObject({
      number: '2',
      reason: 'no head was signed since the row was written',
      provenTo: '1',
    })
  })

  test('the server may seal a row and note where a head was written, and change nothing else', async () => {
    await cover(1)
    for (const sql of [
      `UPDATE portal.audit_event SET action = 'nothing.happened'`,
      'UPDATE portal.audit_head SET chain_number = 0',
      'DELETE FROM portal.audit_head',
    ])
      await expect(services.pool.query(sql), sql).rejects.toThrow(/permission denied/)
  })
})

describe('the heads of the audit chain', () => {
  test('are signed every minute, also after the clock was moved back', async () => {
    await cover(1)
    await append(1)
    await sealer.seal()
    services.advance(30_000)
    expect(await sealer.writeHead()).toBe(false)
    services.advance(30_000)
    expect(await sealer.writeHead()).toBe(true)
    await append(1)
    await sealer.seal()
    services.advance(-60 * minute)
    expect(await sealer.writeHead()).toBe(true)
    services.advance(60 * minute)
    await append(1)
    await sealer.seal()
    expect(await sealer.writeHead()).toBe(true)

    expect(await sealer.verify()).toMatchObject({ intact: true, heads: 4, provenTo: '4' })
  })

  test('deleted from a folder are missed, and are not written again unasked', async () => {
    await cover(2)
    await cover(2)
    await rm(join(folder, 'heads-000000000.jsonl'))
    expect(await sealer.health()).toMatchObject({ folders: { first: 'missing' } })
    const lost = 'the first head folder lacks 2 of the heads written to it, the first is head 1'
    expect(await sealer.verify()).toMatchObject({ intact: false, number: '2', reason: lost, provenTo: '4' })

    await cover(2)

    expect(await sealer.verify()).toMatchObject({ intact: false, number: '2', reason: lost })
  })

  test('show rows that were removed together with the heads that the database knows', async () => {
    const second = await newFolder()
    sealer = sealerWith({ second })
    await cover(2)
    await cover(2)
    await removeRowsAfter(2)
    const gone = /^head 2 in the first head folder, signed at .*, is not in the database/

    expect(await sealer.verify()).toMatchObject({
      intact: false,
      number: '4',
      reason: expect.stringMatching(gone),
    })
    expect(await sealer.health()).toMatchObject({ folders: { first: 'ahead', second: 'ahead' } })
    await append(5)
    await sealer.seal()
    await expect(sealer.writeHead()).rejects.toThrow(HeadsAheadError)
    // Who can write the first folder too leaves the second.
    const [head] = (await readFile(join(folder, 'heads-000000000.jsonl'), 'utf8')).split('\n')
    await writeFile(join(folder, 'heads-000000000.jsonl'), `${head}\n`)
    expect(await sealer.verify()).toMatchObject({
      intact: false,
      reason: expect.stringContaining('second head'),
    })
    await expect(sealer.writeHead()).rejects.toThrow(HeadsAheadError)
  })

  test('changed or made up in a folder or in the database are found', async () => {
    await cover(2)
    await cover(2)
    const file = join(folder, 'heads-000000000.jsonl')
    const text = await readFile(file, 'utf8')

    await writeFile(file, text.replace('"sequence":"2"', '"sequence":"3"'))
    expect(await sealer.verify()).toMatchObject({ reason: 'head 3 in the first head folder was changed' })
    await writeFile(file, text)
    await asOwner(`UPDATE portal.audit_head SET chain_number = 3 WHERE sequence = 2`)
    expect(await sealer.verify()).toMatchObject({ reason: 'head 2 was changed', provenTo: '0' })
    await asOwner(`DELETE FROM portal.audit_head WHERE sequence = 1`)
    expect(await sealer.verify()).toMatchObject({
      reason: 'a head before head 2 is missing in the database',
    })
  })

  test('reach a folder that could not be written for a while, also after a crash within a line', async () => {
    const second = join(await newFolder(), 'mounted')
    await writeFile(second, 'not a folder')
    sealer = sealerWith({ second })
    await append(2)
    await sealer.seal()
    await expect(sealer.writeHead()).rejects.toThrow(/EEXIST|ENOTDIR/)
    expect(await sealer.health()).toMatchObject({ folders: { first: 'current', second: 'unreadable' } })
    await rm(second)
    await mkdir(second)
    await appendFile(join(second, 'heads-000000000.jsonl'), '{"sequence":"1","fol')
    await appendFile(join(folder, 'heads-000000000.jsonl'), '{"sequence":"2"')

    await cover(2)

    expect(await sealer.verify()).toMatchObject({ intact: true, heads: 2, provenTo: '4' })
    expect(await sealer.health()).toMatchObject({ folders: { first: 'current', second: 'current' } })
  })
})

describe('an operator who restored an older backup', () => {
  test('records the loss in the chain and goes on behind the lost heads, which stay in their files', async () => {
    const second = await newFolder()
    sealer = sealerWith({ second })
    for (let heads = 0; heads < 4; heads++) await cover(2)
    await removeRowsAfter(4)

    const loss = await sealer.accept('restored the backup of 19 November')

    expect(loss?.highest).toBe(4n)
    expect(await sealer.verify()).toMatchObject({ intact: true, sealed: 5, heads: 3, provenTo: '5' })
    const row = await services.prisma.auditEvent.findFirstOrThrow({ where: { chainNumber: 5n } })
    expect(row).toMatchObject({
      action: 'audit.heads_accepted',
      detail: {
        reason: 'restored the backup of 19 November',
        folders: [
          { name: 'first', unknownHeads: 2, lastUnknown: { number: '8' } },
          { name: 'second', unknownHeads: 2 },
        ],
      },
    })
    await cover(6)
    expect(await sealer.verify()).toMatchObject({ intact: true, sealed: 11, heads: 4, provenTo: '11' })
    expect(await sealer.accept('a second time, for nothing')).toBeNull()
    // The lost heads are accepted, others are not.
    await removeRowsAfter(5)
    expect(await sealer.verify()).toMatchObject({ intact: false, number: '11' })
  })

  test('on another machine gets the known heads written to the empty folder, with the same record', async () => {
    await cover(2)
    await cover(2)
    await rename(folder, `${folder}-away`)
    folders.push(`${folder}-away`)
    expect(await sealer.verify()).toMatchObject({ intact: false })

    await sealer.accept('moved to another machine without the folder')

    expect(await sealer.verify()).toMatchObject({ intact: true, sealed: 5, heads: 3 })
    const text = await readFile(join(folder, 'heads-000000000.jsonl'), 'utf8')
    expect(text.trim().split('\n')).toHaveLength(3)
  })

  test('cannot accept a changed row', async () => {
    await cover(3)
    await asOwner(`UPDATE portal.audit_event SET action = 'test.forged' WHERE chain_number = 2`)

    await sealer.accept('nothing of this kind is accepted')

    expect(await sealer.verify()).toMatchObject({ intact: false, number: '2' })
  })
})
